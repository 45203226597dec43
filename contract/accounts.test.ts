import { describe, expect, test } from 'vitest';
import { CredentialsSchema, RegistrationSchema, UserPatchSchema } from './accounts.ts';

type Parsed = { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };

function faults({ error }: Parsed) {
  return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
}

const registration = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@firm.example',
  password: 'correct horse',
  phoneNumber: '1 234 567 8910',
};

describe('a registration', () => {
  test('defaults the role to user', () => {
    expect(RegistrationSchema.parse(registration)).toEqual({ ...registration, role: 'user' });
  });

  test('reports every missing field in the form’s order', () => {
    expect(faults(RegistrationSchema.safeParse({}))).toEqual([
      ['firstName', 'First Name is required'],
      ['lastName', 'Last Name is required'],
      ['email', 'Email is required'],
      ['password', 'Password is required'],
      ['phoneNumber', 'Phone Number is required'],
    ]);
  });

  test.each([
    [{ email: 'ada' }, 'email', 'Invalid email format'],
    [{ password: '1234567' }, 'password', 'Password must have at least 8 characters'],
    [{ password: 'x'.repeat(201) }, 'password', 'Password must have at most 200 characters'],
    [{ password: '        ' }, 'password', 'Password is required'],
    [{ password: null }, 'password', 'Password is required'],
    [{ password: 12345678 }, 'password', 'Password must be text'],
    [{ password: 'with a \0 in it' }, 'password', 'Password must not hold control characters'],
    [{ password: 'with a \u202E in it' }, 'password', 'Password must not hold control characters'],
    [{ role: 'king' }, 'role', 'Role must be one of user, admin'],
    [{ role: null }, 'role', 'Role is required'],
    [{ firstName: 'x'.repeat(101) }, 'firstName', 'First Name must have at most 100 characters'],
    [{ phoneNumber: ' ' }, 'phoneNumber', 'Phone Number is required'],
    [
      { phoneNumber: '1'.repeat(41) },
      'phoneNumber',
      'Phone Number must have at most 40 characters',
    ],
  ])('with %j is wrong in one field', (own, path, message) => {
    expect(faults(RegistrationSchema.safeParse({ ...registration, ...own }))).toEqual([
      [path, message],
    ]);
  });

  test('keeps a password of 8 to 200 characters as typed', () => {
    for (const password of [
      '  a b c  ',
      '12345678',
      'p\u00E4ssw\u00F6rd',
      'pa\u0308sswo\u0308rd',
      'x'.repeat(200),
    ])
      expect(RegistrationSchema.parse({ ...registration, password }).password).toBe(password);
  });
});

describe('credentials', () => {
  test('accept passwords shorter than registration allows', () => {
    const credentials = { email: 'ada@firm.example', password: 'x' };
    expect(CredentialsSchema.parse(credentials)).toEqual(credentials);
  });

  test('require both fields', () => {
    expect(faults(CredentialsSchema.safeParse({ email: '', password: '' }))).toEqual([
      ['email', 'Email is required'],
      ['password', 'Password is required'],
    ]);
  });
});

describe('a change of a person', () => {
  test.each([
    [{ active: 'false' }, 'active', 'Active must be true or false'],
    [{ active: null }, 'active', 'Active must be true or false'],
    [{ lastName: '' }, 'lastName', 'Last Name is required'],
    [{ permissions: [] }, 'permissions', 'Permissions must be an object'],
    [{ permissions: null }, 'permissions', 'Permissions must be an object'],
    [
      { permissions: { editTasks: 1 } },
      'permissions.editTasks',
      'Edit Tasks must be true or false',
    ],
  ])('such as %j is wrong in one field', (patch, path, message) => {
    expect(faults(UserPatchSchema.safeParse(patch))).toEqual([[path, message]]);
  });

  test.each([{ email: 'x@y.example' }, { password: 'new password' }, { id: '1' }])(
    'refuses %j',
    (patch) => {
      expect(UserPatchSchema.safeParse(patch).error?.issues[0]?.code).toBe('unrecognized_keys');
    },
  );
});
