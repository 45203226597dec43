import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { disconnected } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  newPerson,
  PASSWORD,
  register,
  registerAdmin,
  registerManager,
  registerUser,
  type SignedInPerson,
  signIn,
} from '../../../testing/factories.ts';
import { type Smtp, startSmtp } from '../../../testing/smtp.ts';

const NEW = 'harbor lamp seven otters';
const DEAD = {
  status: 400,
  code: 'linkDead',
  message: 'This link has expired or was used already',
};

let app: TestApp;
let smtp: Smtp;
let admin: SignedInPerson;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startTestApp({ env: smtp.env });
  admin = await registerAdmin(app);
});
beforeEach(async () => {
  smtp.mails.length = 0;
  await app.pool.query('delete from attempts');
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

function login(email: string, password: string) {
  return app.call(accountRoutes.login, { body: { email, password } });
}

function change({ token }: SignedInPerson, currentPassword: string, newPassword = NEW) {
  return app.call(passwordRoutes.change, { token, body: { currentPassword, newPassword } });
}

function createLink({ token }: SignedInPerson, id: string) {
  return app.call(passwordRoutes.createLink, { token, params: { id } });
}

function reset(token: string, password = NEW) {
  return app.call(passwordRoutes.reset, { body: { token, password } });
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

describe('changing the password', () => {
  test('ends every other session of the user, tabs included, and keeps this one', async () => {
    const person = await registerUser(app);
    const other = await signIn(app, person.email);
    const [here, there] = [await app.socket(person.token), await app.socket(other.token)];
    const end = disconnected(there);
    expect(await change(person, PASSWORD)).toMatchObject({ status: 200, body: null });
    expect(await end).toBe('io server disconnect');
    expect(here.connected).toBe(true);
    expect(await app.call(accountRoutes.me, { token: other.token })).toMatchObject({ status: 400 });
    expect(await app.call(accountRoutes.me, { token: person.token })).toMatchObject({
      status: 200,
    });
    expect(await login(person.email, PASSWORD)).toMatchObject({ status: 401 });
    expect(await login(person.email, NEW)).toMatchObject({ status: 200 });
  });

  test('refuses a wrong current password on its field, and counts it as a guess', async () => {
    const person = await registerUser(app);
    const message = 'The password is not right';
    expect(await change(person, 'wrong')).toMatchObject({
      status: 400,
      message,
      errors: [{ path: 'currentPassword', message }],
    });
    for (let n = 0; n < 9; n += 1) await change(person, 'wrong');
    expect(await change(person, PASSWORD)).toMatchObject({ status: 429 });
    expect(await login(person.email, PASSWORD)).toMatchObject({ status: 429 });
  });
});

describe('unlocking a covered page', () => {
  const unlock = ({ token }: SignedInPerson, password: unknown) =>
    app.call(passwordRoutes.unlock, { token, body: { password } });

  test('asks for the password of the session’s user', async () => {
    const person = await registerUser(app);
    expect(await unlock(person, PASSWORD)).toMatchObject({ status: 200, body: null });
    expect(await unlock(person, '')).toMatchObject({ message: 'Password is required' });
    const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
    const body = { answer: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response } };
    expect(await app.call(passwordRoutes.unlock, { token: person.token, body })).toMatchObject({
      status: 401,
      code: 'passkeyRefused',
    });
    expect(await app.call(passwordRoutes.unlock, { token: person.token, body: {} })).toMatchObject({
      errors: [{ path: 'password', message: 'Password is required' }],
    });
    expect(await unlock({ ...person, token: 'none' }, PASSWORD)).toMatchObject({
      code: 'invalidToken',
    });
  });

  test('refuses a wrong password on its field, and counts it as a guess', async () => {
    const person = await registerUser(app);
    const message = 'The password is not right';
    expect(await unlock(person, 'wrong')).toMatchObject({
      status: 400,
      code: 'wrongPassword',
      message,
      errors: [{ path: 'password', message }],
    });
    for (let n = 0; n < 9; n += 1) await unlock(person, 'wrong');
    expect(await unlock(person, PASSWORD)).toMatchObject({ status: 429 });
    expect(await login(person.email, PASSWORD)).toMatchObject({ status: 429 });
  });
});

describe('a password that is too easy to guess', () => {
  const person = newPerson({
    firstName: 'Annamaria',
    lastName: 'Featherstone',
    email: 'a.featherstone@firm.example',
  });

  test.each([
    'password1',
    'PassWord1',
    'iloveyou',
    'qwertyuiop',
    'ANNAMARIA',
    'featherstone',
    'Annamaria Featherstone',
    'a.featherstone@firm.example',
    'A.Featherstone',
  ])('is refused at registration: %s', async (password) => {
    const message = 'This password is too easy to guess';
    expect(await app.call(accountRoutes.register, { body: { ...person, password } })).toMatchObject(
      { status: 400, message, errors: [{ path: 'password', message }] },
    );
  });

  test('is refused in a change and by a link, which stays usable', async () => {
    const user = await register(app);
    expect(await change(user, PASSWORD, 'password1')).toMatchObject({
      status: 400,
      errors: [{ path: 'newPassword' }],
    });
    const token = tokenOf((await createLink(admin, user.id)).body.url);
    expect(await reset(token, user.email)).toMatchObject({
      status: 400,
      errors: [{ path: 'password' }],
    });
    expect(await reset(token)).toMatchObject({ status: 200 });
  });
});

describe('a link from an administrator', () => {
  test('sets a password once within a day, ends all sessions, and is stored as a hash', async () => {
    const person = await registerUser(app);
    const socket = await app.socket(person.token);
    const reply = await createLink(admin, person.id);
    expect(reply).toMatchObject({ status: 201 });
    expect(reply.body.url).toMatch(/^http:\/\/localhost:3000\/reset-password\/[\w-]{43}$/);
    const hours = (Date.parse(reply.body.expiresAt) - Date.now()) / 3600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24);
    const token = tokenOf(reply.body.url);
    const { rows } = await app.pool.query('select l::text as row from password_links l');
    expect(JSON.stringify(rows)).not.toContain(token);
    const end = disconnected(socket);
    expect(await reset(token)).toMatchObject({ status: 200, message: 'Password changed' });
    expect(await end).toBe('io server disconnect');
    expect(await app.call(accountRoutes.me, { token: person.token })).toMatchObject({
      status: 400,
    });
    expect(await login(person.email, NEW)).toMatchObject({ status: 200 });
    expect(await reset(token)).toMatchObject(DEAD);
  });

  test('is one of many parallel uses', async () => {
    const { id } = await registerUser(app);
    const token = tokenOf((await createLink(admin, id)).body.url);
    const replies = await Promise.all(Array.from({ length: 5 }, () => reset(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === 'linkDead')).toHaveLength(4);
  });

  test('dies with its day, with a newer one, and never lived if invented', async () => {
    const { id } = await registerUser(app);
    const older = tokenOf((await createLink(admin, id)).body.url);
    const newer = tokenOf((await createLink(admin, id)).body.url);
    expect(await reset(older)).toMatchObject(DEAD);
    expect(await reset('invented')).toMatchObject(DEAD);
    await app.pool.query(`update password_links set expires_at = now() - interval '1 second'`);
    expect(await reset(newer)).toMatchObject(DEAD);
  });

  test('is for an admin only from an admin', async () => {
    const manager = await registerManager(app);
    expect(await createLink(manager, admin.id)).toMatchObject({ status: 403 });
    expect(await createLink(manager, manager.id)).toMatchObject({ status: 201 });
  });

  test('is made three times an hour', async () => {
    const { id } = await registerUser(app);
    for (let n = 0; n < 3; n += 1)
      expect(await createLink(admin, id)).toMatchObject({ status: 201 });
    expect(await createLink(admin, id)).toMatchObject({ status: 429 });
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) => app.call(passwordRoutes.forgot, { body: { email } });

  test('gets a link by a plain, short mail that says who asked', async () => {
    const person = await registerUser(app);
    const known = await forgot(person.email);
    const unknown = await forgot('nobody@firm.example');
    expect(known).toMatchObject({
      status: 200,
      message: 'If this address has an account, a link is on its way',
    });
    expect(unknown.text).toBe(known.text);
    const own = () => smtp.mails.filter(({ recipient }) => recipient === person.email);
    await eventually(() => expect(own()).toHaveLength(1));
    const [mail] = own();
    expect(mail).toMatchObject({
      recipient: person.email,
      from: { name: 'Matterdesk', address: 'desk@firm.example' },
      subject: 'Set a new Matterdesk password',
    });
    expect(mail?.html).toBeUndefined();
    expect(mail?.text).toContain('127.0.0.1 asked for a new password');
    const token = /reset-password\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(await reset(token)).toMatchObject({ status: 200 });
    expect(await login(person.email, NEW)).toMatchObject({ status: 200 });
    expect(own()).toHaveLength(1);
  });

  test('is tried again when the mail server refuses', async () => {
    const { email } = await registerUser(app);
    smtp.faults.push(new Error('try later'));
    await forgot(email);
    await eventually(() => expect(smtp.mails).toHaveLength(1));
    expect(smtp.faults).toEqual([]);
  });

  test('is not mailed more than three times an hour', async () => {
    const { email } = await registerUser(app);
    for (let n = 0; n < 5; n += 1) expect(await forgot(email)).toMatchObject({ status: 200 });
    const jobs = `select from jobs.job where name = 'mail' and data->>'key' is not null`;
    const before = (await app.pool.query(jobs)).rows.length;
    await forgot(email);
    expect((await app.pool.query(jobs)).rows.length).toBe(before);
    await eventually(() => expect(smtp.mails.length).toBe(3));
  });
});
