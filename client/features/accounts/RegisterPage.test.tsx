import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi, type Mock } from 'vitest';
import type { Refusal } from '@matterdesk/contract/errors.ts';
import {
  button,
  click,
  descriptionOf,
  eventually,
  field,
  fill,
  render,
} from '../../testing/render.tsx';
import { RegisterPage } from './RegisterPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const open = () =>
  render(
    <MemoryRouter>
      <RegisterPage />
    </MemoryRouter>,
  );

const valid = {
  'First Name': 'Ama',
  'Last Name': 'Owusu',
  Email: 'ama@firm.example',
  Password: 'correct horse battery',
  'Phone Number': '1 212 555 0101',
};

/** Methods of the calls that write. */
function sentBy(request: Mock<typeof fetch>) {
  return request.mock.calls.map(([, init]) => init?.method).filter((method) => method !== 'GET');
}

async function fillAll(values: Record<string, string>) {
  for (const [label, text] of Object.entries(values)) await fill(field(label), text);
}

test('the registration names each missing field and focuses the first', async () => {
  const request = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', request);
  await open();
  await click(button('Register'));
  for (const label of Object.keys(valid))
    await eventually(() => expect(descriptionOf(field(label))).toBe(`${label} is required`));
  expect(document.activeElement).toBe(field('First Name'));
  expect(sentBy(request)).toEqual([]);
});

test('the registration reports an invalid address and password, and focuses the first', async () => {
  const request = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', request);
  await open();
  await fillAll({ ...valid, Email: 'not an address', Password: 'short' });
  await click(button('Register'));
  await eventually(() => expect(descriptionOf(field('Email'))).toBe('Invalid email format'));
  expect(descriptionOf(field('Password'))).toBe('Password must have at least 8 characters');
  expect(document.activeElement).toBe(field('Email'));
  expect(sentBy(request)).toEqual([]);
});

test('the registration shows the server’s errors under their fields and keeps the input', async () => {
  const refusal: Refusal = {
    statusCode: 409,
    code: 'alreadyExists',
    message: 'Email already exists',
    body: null,
    errors: [{ path: 'email', message: 'Email already exists' }],
  };
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 409 }));
  await open();
  await fillAll(valid);
  await click(button('Register'));
  await eventually(() => expect(descriptionOf(field('Email'))).toBe('Email already exists'));
  expect(document.activeElement).toBe(field('Email'));
  expect(field('First Name').value).toBe('Ama');
});

test('the registration says that the first account is the admin, and no other', async () => {
  const openWith = async (isFirst: boolean) => {
    const terms = { mode: 'approval', needsSetupCode: false, isFirst, mail: false };
    vi.stubGlobal('fetch', async () =>
      Response.json({ statusCode: 200, message: 'OK', body: terms }),
    );
    await open();
  };
  await openWith(false);
  // The terms have arrived.
  await eventually(() => expect(document.body.textContent).toContain('An admin approves'));
  expect(document.body.textContent).not.toContain('This is the first account');
  await openWith(true);
  await eventually(() => expect(document.body.textContent).toContain('This is the first account'));
});

test('the registration asks for the setup code only where the first account needs it', async () => {
  const terms = { mode: 'approval', needsSetupCode: true, isFirst: true, mail: false };
  vi.stubGlobal('fetch', async () =>
    Response.json({ statusCode: 200, message: 'OK', body: terms }),
  );
  await open();
  await eventually(() => expect(descriptionOf(field('Setup code'))).toContain('first account'));
});
