import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountRoutes, type Registration } from '@matterdesk/contract/accounts.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { newPerson, register, signIn } from '../../../testing/factories.ts';
import * as passwords from '../passwords/service.ts';
import { setupCodeOf } from './service.ts';

let app: TestApp;
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

function send(own: Partial<Registration> = {}, headers: Record<string, string> = {}) {
  return app.call(accountRoutes.register, { body: newPerson(own), headers });
}

async function readRows() {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    'select id, email, role, active, approved, password_hash from users order by created_at',
  );
  return rows;
}

function countByStatus(replies: { status: number }[]) {
  const groups = Object.groupBy(replies, ({ status }) => status);
  return Object.fromEntries(
    Object.entries(groups).map(([status, group]) => [status, group?.length]),
  );
}

describe('open registration', () => {
  test('makes the first user an admin, and admits the others in the role they chose', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'open' } });
    const person = newPerson({
      email: 'Ada@Firm.example',
      firstName: '  Ada ',
      lastName: 'L\u00F6w',
    });
    const reply = await app.call(accountRoutes.register, { body: person });
    expect(JSON.parse(reply.text)).toEqual({
      statusCode: 201,
      message: 'Account created',
      body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(reply.headers.get('set-cookie')).toBeNull();
    await send({ role: 'user' });
    await send({ role: 'admin' });
    expect(await readRows()).toMatchObject([
      { id: reply.body.id, email: 'Ada@Firm.example', role: 'admin', active: true, approved: true },
      { role: 'user', active: true, approved: true },
      { role: 'admin', active: true, approved: true },
    ]);
    expect(await signIn(app, 'ada@FIRM.example', person.password)).toMatchObject({
      firstName: 'Ada',
      email: 'Ada@Firm.example',
    });
  });

  test('stores no password and records none', async () => {
    app = await startTestApp();
    const { body } = await send({ password: 'Zyzzyva Zyzzyva' });
    expect((await readRows())[0]?.['password_hash']).toMatch(/^\$argon2id\$/);
    const { rows } = await app.pool.query('select to_jsonb(a) as entry from audit_log a');
    expect(rows).toMatchObject([
      {
        entry: {
          action: 'created',
          entity: 'user',
          entity_id: body.id,
          actor_id: body.id,
          before: null,
          after: { id: body.id, role: 'admin', active: true },
        },
      },
    ]);
    const dump = await app.pool.query('select u::text as row from users u');
    expect(JSON.stringify([rows, dump.rows])).not.toMatch(/zyzzyva/i);
    expect(JSON.stringify(rows)).not.toContain('argon2');
  });
});

describe('an email address', () => {
  test('is taken whatever its case', async () => {
    app = await startTestApp();
    await send({ email: 'ada@firm.example' });
    const reply = await send({ email: 'ADA@Firm.Example' });
    expect(JSON.parse(reply.text)).toEqual({
      statusCode: 409,
      code: 'alreadyExists',
      message: 'Email already exists',
      body: null,
      errors: [{ path: 'email', message: 'Email already exists' }],
    });
    expect(await readRows()).toHaveLength(1);
  });

  test('goes to one of many parallel registrations', async () => {
    app = await startTestApp();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send({ email: 'ada@firm.example' })),
    );
    expect(countByStatus(replies)).toEqual({ 201: 1, 409: 7 });
    expect(await readRows()).toHaveLength(1);
  });
});

describe('registration by approval', () => {
  test('makes the first user an admin and holds the others', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'approval' } });
    await send({ role: 'user', email: 'first@firm.example' });
    const second = newPerson({ role: 'admin', email: 'second@firm.example' });
    expect(await app.call(accountRoutes.register, { body: second })).toMatchObject({ status: 201 });
    expect(await readRows()).toMatchObject([
      { role: 'admin', active: true, approved: true },
      { role: 'user', active: false, approved: false },
    ]);
    const { email, password } = second;
    const reply = await app.call(accountRoutes.login, { body: { email, password } });
    expect(reply).toMatchObject({
      status: 403,
      code: 'accountWaiting',
      message: 'Your account is waiting for approval',
      body: null,
    });
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  test('makes exactly one admin of many parallel first registrations', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'approval' } });
    const replies = await Promise.all(Array.from({ length: 8 }, () => send({ role: 'admin' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const admins = (await readRows()).filter(({ role }) => role === 'admin');
    expect(admins).toMatchObject([{ approved: true }]);
  });
});

describe('closed registration', () => {
  test('accepts the first account of an empty installation as an admin, and no further one', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'closed' } });
    expect(await send({ role: 'user' })).toMatchObject({ status: 201 });
    expect(await send({ role: 'admin' })).toMatchObject({
      status: 403,
      code: 'registrationClosed',
      message: 'Registration is closed',
      body: null,
    });
    expect(await readRows()).toMatchObject([{ role: 'admin', approved: true }]);
  });

  test('accepts one of many parallel first registrations', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'closed' } });
    const replies = await Promise.all(Array.from({ length: 6 }, () => send()));
    expect(countByStatus(replies)).toEqual({ 201: 1, 403: 5 });
    expect(await readRows()).toHaveLength(1);
  });

  test('still lets existing users sign in', async () => {
    app = await startTestApp();
    const { email, password } = newPerson();
    await register(app, { email, password });
    const closed = await startTestApp({
      env: { REGISTRATION: 'closed' },
      database: app.database,
    });
    expect(await signIn(closed, email, password)).toHaveProperty('token');
    await closed.close();
  });
});

/** Behind a proxy, with the default HOST. */
const BEHIND_PROXY = {
  PUBLIC_URL: 'https://desk.example.com',
  TRUST_PROXY: '1',
  SECRET_KEY: 'c0de'.repeat(16),
};
const CODE_NEEDED = {
  status: 403,
  code: 'setupCodeWrong',
  message: 'Enter the setup code that the server printed when it started',
  errors: [{ path: 'setupCode' }],
};
const code = setupCodeOf(BEHIND_PROXY.SECRET_KEY);

function readTerms() {
  return app.call(registrationRoutes.readTerms);
}

describe('the first account behind a proxy', () => {
  test.each([
    ['a proxy in front', { TRUST_PROXY: '1', REGISTRATION: '' }],
    ['a public name', { PUBLIC_URL: 'https://desk.example.com', REGISTRATION: '' }],
    ['a public interface', { HOST: '0.0.0.0', REGISTRATION: '' }],
    ['closed registration', { ...BEHIND_PROXY, REGISTRATION: 'closed' }],
  ])('is not for strangers with %s', async (_, env) => {
    app = await startTestApp({ env: { ...env } });
    expect(await send({ role: 'admin' })).toMatchObject(CODE_NEEDED);
    expect(await send({ role: 'admin', setupCode: 'AAAA-AAAA' })).toMatchObject(CODE_NEEDED);
    expect(await readRows()).toEqual([]);
    expect((await readTerms()).body).toMatchObject({
      needsSetupCode: true,
      isFirst: true,
      mail: false,
    });
  });

  test('brings the code of any process, in any case, and the next one needs none', async () => {
    app = await startTestApp({ env: { ...BEHIND_PROXY, REGISTRATION: '' } });
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    const beside = await startTestApp({
      env: { ...BEHIND_PROXY, REGISTRATION: '' },
      database: app.database,
    });
    const body = newPerson({ setupCode: ` ${code.toLowerCase().replace('-', '')} ` });
    expect(await beside.call(accountRoutes.register, { body })).toMatchObject({ status: 201 });
    await beside.close();
    expect((await readTerms()).body).toEqual({
      mode: 'approval',
      needsSetupCode: false,
      isFirst: false,
      mail: false,
    });
    expect(await send({ role: 'admin', setupCode: 'ignored' })).toMatchObject({ status: 201 });
    expect(await readRows()).toMatchObject([
      { role: 'admin', approved: true },
      { role: 'user', approved: false },
    ]);
  });

  test('needs no code where registration says open', async () => {
    app = await startTestApp({ env: { ...BEHIND_PROXY, REGISTRATION: 'open' } });
    expect((await readTerms()).body).toMatchObject({ mode: 'open', needsSetupCode: false });
    expect(await send({ role: 'admin' })).toMatchObject({ status: 201 });
  });

  test('is guessed a limited number of times', async () => {
    app = await startTestApp({ env: { ...BEHIND_PROXY, REGISTRATION: '' } });
    const statuses = new Set<number>();
    for (let n = 0; n < 25; n += 1) statuses.add((await send({ setupCode: `AAAA-AA${n}` })).status);
    expect(statuses).toEqual(new Set([403, 429]));
    expect(await send({ setupCode: code })).toMatchObject({ status: 429 });
    expect(await readRows()).toEqual([]);
  });
});

describe('a client', () => {
  const from = (client: string, own: Partial<Registration> = {}) =>
    send(own, { 'x-forwarded-for': client });

  test('registers twenty accounts an hour, where refused ones do not count', async () => {
    app = await startTestApp({ env: { ...BEHIND_PROXY, REGISTRATION: 'open' } });
    await from('192.0.2.1', { email: 'ada@firm.example' });
    for (let n = 0; n < 3; n += 1)
      expect(await from('192.0.2.1', { email: 'ada@firm.example' })).toMatchObject({ status: 409 });
    const replies = await Promise.all(Array.from({ length: 22 }, () => from('192.0.2.1')));
    expect(countByStatus(replies)[201]).toBeLessThanOrEqual(19);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ code: 'tooManyAttempts' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await from('192.0.2.2')).toMatchObject({ status: 201 });
    await app.pool.query(`update attempts set at = at - interval '1 hour 1 second'`);
    expect(await from('192.0.2.1')).toMatchObject({ status: 201 });
  });

  test.each([
    ['where it is closed', { REGISTRATION: 'closed' }, {}, 403],
    ['with a wrong setup code', { ...BEHIND_PROXY, REGISTRATION: '' }, { setupCode: 'AAAA' }, 403],
    ['of a taken address', { REGISTRATION: 'open' }, { email: 'ada@firm.example' }, 409],
    ['beyond the limit of a client', { ...BEHIND_PROXY, REGISTRATION: 'open' }, {}, 429],
  ])('spends no hash on a registration %s', async (_, env, own, status) => {
    app = await startTestApp({ env });
    const isFirst = !('setupCode' in own);
    if (isFirst) await send({ email: 'ada@firm.example' });
    await app.pool.query(
      `insert into attempts (key) select 'register:127.0.0.1' from generate_series(1, 20)`,
    );
    const hashing = vi.spyOn(passwords, 'hashPassword');
    expect(await send(own)).toMatchObject({ status });
    expect(hashing).not.toHaveBeenCalled();
  });

  test('spends one hash on a registration that is taken', async () => {
    app = await startTestApp({ env: { REGISTRATION: 'open' } });
    const hashing = vi.spyOn(passwords, 'hashPassword');
    expect(await send()).toMatchObject({ status: 201 });
    expect(hashing).toHaveBeenCalledTimes(1);
  });
});
