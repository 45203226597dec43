import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { NOT_PERMITTED } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  codeOf,
  turnOnApp,
  PASSWORD,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import { type Smtp, startSmtp } from '../../../testing/smtp.ts';

const CODE_REQUIRED = {
  status: 401,
  code: 'codeRequired',
  message: 'Enter the code of your authenticator app',
  errors: [{ path: 'code', message: 'Enter the code of your authenticator app' }],
};
const WRONG_CODE = {
  status: 401,
  code: 'wrongCode',
  message: 'This code is not right',
  errors: [{ path: 'code', message: 'This code is not right' }],
};

let app: TestApp;
let smtp: Smtp;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startTestApp({ env: smtp.env });
});
beforeEach(() => app.pool.query('delete from attempts'));
afterAll(async () => {
  await app.close();
  await smtp.close();
});

function login({ email }: SignedInPerson, code?: string, password = PASSWORD) {
  return app.call(accountRoutes.login, { body: { email, password, code } });
}

function end({ token }: SignedInPerson, code: string, currentPassword = PASSWORD) {
  return app.call(secondFactorRoutes.endTotp, { token, body: { currentPassword, code } });
}

async function factorOf({ token }: SignedInPerson) {
  return (await app.call(accountRoutes.me, { token })).body.secondFactor;
}

async function actionsAbout(id: string) {
  const { rows } = await app.pool.query<{ action: string }>(
    'select action from audit_log where entity_id = $1 order by id',
    [id],
  );
  return rows.map(({ action }) => action);
}

describe('an authenticator app', () => {
  test('counts once a code confirms it, and then each sign-in needs a code that works once', async () => {
    const person = await registerUser(app);
    const { token } = person;
    const begun = await app.call(secondFactorRoutes.beginTotp, {
      token,
      body: { currentPassword: PASSWORD },
    });
    const { secret, url } = begun.body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(url).toMatch(/^otpauth:\/\/totp\/Matterdesk:ada\./);
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    expect(await login(person)).toMatchObject({ status: 200 });
    const confirm = (code: string) =>
      app.call(secondFactorRoutes.confirmTotp, { token, body: { code } });
    expect(await confirm('000000')).toMatchObject(WRONG_CODE);
    const first = codeOf(secret);
    expect(await confirm(first)).toMatchObject({ status: 200 });
    expect(await confirm(codeOf(secret, 'next'))).toMatchObject(WRONG_CODE);
    expect(await factorOf(person)).toBe('totp');
    expect(await login(person)).toMatchObject(CODE_REQUIRED);
    expect(await login(person, '')).toMatchObject(CODE_REQUIRED);
    expect(await login(person, first)).toMatchObject(WRONG_CODE);
    const next = codeOf(secret, 'next');
    expect(await login(person, `${next.slice(0, 3)} ${next.slice(3)}`)).toMatchObject({
      status: 200,
      body: { secondFactor: 'totp' },
    });
    expect(await login(person, next)).toMatchObject(WRONG_CODE);
    expect(await actionsAbout(person.id)).toContain('totpAdded');
  });

  test('admits one of two sign-ins with the same code', async () => {
    const person = await registerUser(app);
    const { secret } = await turnOnApp(app, person);
    const code = codeOf(secret, 'next');
    const both = await Promise.all([login(person, code), login(person, code)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 401]));
  });

  test('is encrypted at rest, and its recovery codes are hashed', async () => {
    const person = await registerUser(app);
    const { secret, recoveryCodes } = await turnOnApp(app, person);
    const { rows } = await app.pool.query<{ text: string }>(
      `select row_to_json(t)::text as text from totp_apps t where user_id = $1
        union all select row_to_json(c)::text from recovery_codes c where user_id = $1`,
      [person.id],
    );
    expect(rows).toHaveLength(11);
    const kept = rows.map(({ text }) => text).join(' ');
    for (const each of [secret, ...recoveryCodes, ...recoveryCodes.map((one) => one.slice(0, 5))])
      for (const form of [each, Buffer.from(each).toString('hex')])
        expect(kept).not.toContain(form);
  });

  test('is turned off by password and code together, and not replaced while it is on', async () => {
    const person = await registerUser(app);
    const { secret } = await turnOnApp(app, person);
    expect(
      await app.call(secondFactorRoutes.beginTotp, {
        token: person.token,
        body: { currentPassword: PASSWORD },
      }),
    ).toMatchObject({ status: 409, code: 'totpOn' });
    expect(await end(person, codeOf(secret, 'next'), 'wrong password')).toMatchObject({
      status: 400,
      errors: [{ path: 'currentPassword', message: 'The password is not right' }],
    });
    expect(await end(person, '123')).toMatchObject(WRONG_CODE);
    expect(await end(person, codeOf(secret, 'next'))).toMatchObject({ status: 200, body: null });
    expect(await factorOf(person)).toBe('none');
    expect(await login(person)).toMatchObject({ status: 200 });
    const { rows } = await app.pool.query('select from recovery_codes where user_id = $1', [
      person.id,
    ]);
    expect(rows).toHaveLength(0);
    expect(await actionsAbout(person.id)).toContain('totpRemoved');
  });

  test('needs the password to be set up', async () => {
    const { token } = await registerUser(app);
    const begun = await app.call(secondFactorRoutes.beginTotp, {
      token,
      body: { currentPassword: 'wrong password' },
    });
    expect(begun).toMatchObject({ status: 400, code: 'wrongPassword' });
  });
});

test('each recovery code counts as a code once, however it is typed', async () => {
  const person = await registerUser(app);
  const { recoveryCodes } = await turnOnApp(app, person);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect(first).toMatch(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/);
  const typed = first.replace('-', ' ').toLowerCase();
  expect(await login(person, typed)).toMatchObject({ status: 200 });
  expect(await login(person, first)).toMatchObject(WRONG_CODE);
  const other = await registerUser(app);
  await turnOnApp(app, other);
  expect(await login(other, second)).toMatchObject(WRONG_CODE);
  const { rows } = await app.pool.query(
    `select after from audit_log where actor_id = $1 and action = 'signedIn' and after is not null`,
    [person.id],
  );
  expect(rows).toEqual([{ after: { secondFactor: 'recoveryCode' } }]);
});

test('wrong codes count as failures; the password alone neither counts nor resets', async () => {
  const person = await registerUser(app);
  await turnOnApp(app, person);
  const count = async () => {
    const key = `login:${person.email}`;
    return (await app.pool.query('select from attempts where key = $1', [key])).rows.length;
  };
  await login(person, undefined, 'wrong password');
  await login(person, '000000');
  expect(await count()).toBe(2);
  expect(await login(person)).toMatchObject(CODE_REQUIRED);
  expect(await count()).toBe(2);
  const failures = (await actionsAbout(person.id)).filter((action) => action === 'signInFailed');
  expect(failures).toHaveLength(2);
  await app.pool.query(
    `insert into attempts (key) select 'login:' || $1 || ' from 127.0.0.1' from generate_series(1, 18)`,
    [person.email],
  );
  expect(await login(person, '000000')).toMatchObject({ status: 429 });
});

test('wrong codes for turning the app off count, with any password', async () => {
  const person = await registerUser(app);
  await turnOnApp(app, person);
  await app.pool.query('delete from attempts');
  for (const code of ['000000', '111111', '222222'])
    expect(await end(person, code)).toMatchObject(WRONG_CODE);
  const key = `login:${person.email} from 127.0.0.1`;
  const { rows } = await app.pool.query('select from attempts where key = $1', [key]);
  expect(rows).toHaveLength(3);
});

test('an admin removes the second factor of a user, who is notified', async () => {
  const admin = await registerAdmin(app);
  const person = await registerUser(app);
  await turnOnApp(app, person);
  const remove = (token: string) =>
    app.call(secondFactorRoutes.removeSecondFactor, { token, params: { id: person.id } });
  expect(await remove(person.token)).toMatchObject(NOT_PERMITTED);
  smtp.mails.length = 0;
  expect(await remove(admin.token)).toMatchObject({ status: 200, body: null });
  expect(await remove(admin.token)).toMatchObject({ status: 200 });
  await eventually(() => expect(smtp.mails).toHaveLength(1));
  expect(smtp.mails[0]).toMatchObject({ recipient: person.email });
  expect(smtp.mails[0]?.text).toContain(`Ada ${admin.lastName} removed the second factor`);
  expect(await login(person)).toMatchObject({ status: 200, body: { secondFactor: 'none' } });
  const { rows } = await app.pool.query(
    `select actor_id from audit_log where action = 'secondFactorRemoved' and entity_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([{ actor_id: admin.id }]);
});
