import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import { startTestApp, type TestApp, suite } from '../../../testing/app.ts';
import { eventually } from '../../../testing/eventually.ts';
import { newPerson, PASSWORD, register, signIn } from '../../../testing/factories.ts';
import { processorTimeDuring } from '../../../testing/usage.ts';
import * as passwords from '../passwords/service.ts';

const { app } = suite({}, { env: { TRUST_PROXY: '1' } });
beforeEach(() => app.pool.query('delete from attempts'));
afterEach(() => vi.restoreAllMocks());

function login(email: string, password: string, client = '192.0.2.1') {
  return app.call(accountRoutes.login, {
    body: { email, password },
    headers: { 'x-forwarded-for': client },
  });
}

async function newAddress() {
  return (await register(app)).email;
}

async function countAttempts(key: string) {
  const { rows } = await app.pool.query('select from attempts where key = $1', [key]);
  return rows.length;
}

const FAILED = {
  status: 401,
  code: 'badCredentials',
  message: 'Invalid email or password',
  body: null,
};
const TOO_MANY = {
  status: 429,
  code: 'tooManyAttempts',
  message: 'Too many attempts, please try again later',
  body: null,
};

describe('signing in', () => {
  test('replies with the current user and a token', async () => {
    const person = newPerson({ role: 'admin' });
    const { body } = await app.call(accountRoutes.register, { body: person });
    const reply = await login(person.email.toUpperCase(), person.password);
    const { password: _, ...shown } = person;
    expect(JSON.parse(reply.text)).toEqual({
      statusCode: 200,
      message: 'Signed in',
      body: {
        ...shown,
        id: body.id,
        active: true,
        waiting: false,
        permissions: permissionsBy(() => true),
        googleRefreshToken: null,
        googleEmail: null,
        secondFactor: 'none',
        mustEnrol: false,
        twilioConfig: { twilioPhoneNumber: null, messagingEnabled: false },
        token: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
  });

  test('fails alike for a wrong password and an unknown address', async () => {
    const email = await newAddress();
    const [wrong, unknown] = [
      await login(email, 'wrong password'),
      await login('nobody@firm.example', PASSWORD),
    ];
    expect(wrong).toMatchObject(FAILED);
    expect(unknown.text).toBe(wrong.text);
    for (const { headers } of [wrong, unknown]) expect(headers.get('set-cookie')).toBeNull();
  });

  test('takes as much work for an unknown address as for a known one', async () => {
    const email = await newAddress();
    const times: number[][] = [[], []];
    const checking = vi.spyOn(passwords, 'isPasswordOf');
    for (let round = 0; round < 7; round += 1)
      for (const [index, who] of [email, 'nobody@firm.example'].entries()) {
        checking.mockClear();
        times[index]?.push(await processorTimeDuring(() => login(who, 'wrong password')));
        expect(checking).toHaveBeenCalledTimes(1);
      }
    const [known = 0, unknown = 0] = times.map((one) => one.toSorted((a, b) => a - b)[3] ?? 0);
    expect(unknown / known).toBeGreaterThan(0.25);
    expect(unknown / known).toBeLessThan(4);
  });

  test('trims the address, but never the password', async () => {
    const { email } = await register(app, { password: '  eighty lamps  ' });
    expect(await login(` ${email} `, '  eighty lamps  ')).toMatchObject({ status: 200 });
    expect(await login(email, 'eighty lamps')).toMatchObject(FAILED);
    expect(await login(email, '  eighty lamps  '.trim())).toMatchObject(FAILED);
  });

  test('reports a deactivated account only after the right password', async () => {
    const email = await newAddress();
    await app.pool.query('update users set active = false where email = $1', [email]);
    expect(await login(email, 'wrong password')).toMatchObject(FAILED);
    expect(await login(email, PASSWORD)).toMatchObject({
      status: 403,
      code: 'accountDeactivated',
      message: 'Your account is deactivated',
      body: null,
    });
    expect(await countAttempts(`login:${email}`)).toBe(1);
  });

  test('is recorded in the audit log', async () => {
    const { id } = await signIn(app, await newAddress());
    const { rows } = await app.pool.query(
      `select action, entity, actor_id from audit_log where entity = 'session' and actor_id = $1`,
      [id],
    );
    expect(rows).toContainEqual({ action: 'signedIn', entity: 'session', actor_id: id });
  });
});

async function fail(email: string, times: number, client?: string) {
  for (let n = 0; n < times; n += 1)
    expect(await login(email, 'wrong password', client)).toMatchObject(FAILED);
}

/** As if failures at an account had happened from a client, the last one so many seconds ago. */
function plantFailures(email: string, count: number, secondsAgo: number, client = '192.0.2.1') {
  return app.pool.query(
    `insert into attempts (key, at)
      select 'login:' || $1 || ' from ' || $4, clock_timestamp() - make_interval(secs => $3 + n)
      from generate_series(0, $2 - 1) as n`,
    [email, count, secondsAgo, client],
  );
}

test('failed and slowed guesses are in the record, with the account but never a stranger’s words', async () => {
  const person = await register(app);
  await login(person.email, 'wrong password', '192.0.2.77');
  await login('a.stranger@elsewhere.example', 'wrong password', '192.0.2.77');
  await plantFailures(person.email, 10, 0, '192.0.2.77');
  await login(person.email, 'wrong password', '192.0.2.77');
  await login(person.email, 'wrong password', '192.0.2.77');
  const { rows } = await app.pool.query(
    `select action, actor_id, entity_id, after from audit_log where address = '192.0.2.77' order by id`,
  );
  const known = { actor_id: null, entity_id: person.id, after: { email: person.email } };
  expect(rows).toEqual([
    { ...known, action: 'signInFailed' },
    { action: 'signInFailed', actor_id: null, entity_id: null, after: null },
    { ...known, action: 'signInSlowed' },
  ]);
});

describe('ten failures in a quarter of an hour', () => {
  test('slow the address down for their network, in any case, but lock no one out', async () => {
    const email = await newAddress();
    await fail(email, 10);
    const refused = await login(email.toUpperCase(), PASSWORD);
    expect(refused).toMatchObject(TOO_MANY);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await login(await newAddress(), PASSWORD)).toMatchObject({ status: 200 });
    await app.pool.query(`update attempts set at = at - interval '1 second'`);
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 });
  });

  test.each([
    [10, 1],
    [11, 2],
    [13, 8],
    [15, 32],
    [16, 60],
    [40, 60],
  ])('and %s of them ask for a wait of %s seconds', async (count, wait) => {
    const email = await newAddress();
    await plantFailures(email, count, 0);
    const refused = await login(email, PASSWORD);
    expect(refused).toMatchObject(TOO_MANY);
    expect(refused.headers.get('retry-after')).toBe(String(wait));
    await app.pool.query('delete from attempts');
    await plantFailures(email, count, wait);
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 });
  });

  test('restart after a success', async () => {
    const email = await newAddress();
    await fail(email, 9);
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 });
    await fail(email, 10);
    expect(await login(email, PASSWORD)).toMatchObject(TOO_MANY);
  });

  test('slow an unknown address down just the same', async () => {
    await fail('nobody@firm.example', 10);
    expect(await login('nobody@firm.example', PASSWORD)).toMatchObject(TOO_MANY);
  });

  test('are not exceeded by parallel attempts', async () => {
    const email = await newAddress();
    const tries = Array.from({ length: 25 }, () => login(email, 'wrong'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toContain(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(12);
  });

  test('do not block parallel right passwords', async () => {
    const email = await newAddress();
    await fail(email, 9);
    const tries = Array.from({ length: 15 }, () => login(email, PASSWORD));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 15 }, () => 200));
  });

  test('are not increased by refused attempts', async () => {
    const email = await newAddress();
    await fail(email, 10);
    await plantFailures(email, 10, 0);
    for (let n = 0; n < 5; n += 1) await login(email, PASSWORD);
    expect(await countAttempts(`login:${email} from 192.0.2.1`)).toBe(20);
  });

  test('count in every process of the firm, and spend no hash when refused', async () => {
    const email = await newAddress();
    await plantFailures(email, 20, 0, '127.0.0.1');
    const beside = await startTestApp({ database: app.database });
    const body = { email, password: PASSWORD };
    const checking = vi.spyOn(passwords, 'isPasswordOf');
    expect(await beside.call(accountRoutes.login, { body })).toMatchObject(TOO_MANY);
    expect(checking).not.toHaveBeenCalled();
    await beside.close();
  });
});

describe('failures from elsewhere', () => {
  /** Guesses without a pause until it is stopped. @returns the statuses of the replies */
  function guess(at: TestApp, email: string, client: string) {
    const statuses = new Set<number>();
    const stopping = new AbortController();
    const headers = { 'x-forwarded-for': client };
    const body = { email, password: 'wrong password' };
    const loop = async () => {
      while (!stopping.signal.aborted)
        statuses.add((await at.call(accountRoutes.login, { body, headers })).status);
    };
    const loops = Promise.all(Array.from({ length: 4 }, loop));
    const stop = async () => {
      stopping.abort();
      await loops;
    };
    return { statuses, stop };
  }

  test('keep the owner out of no new browser, however fast they come, through several processes', async () => {
    const email = await newAddress();
    const beside = await startTestApp({ database: app.database, env: { TRUST_PROXY: '1' } });
    const guessers = [app, beside].map((at) => guess(at, email, '198.51.100.7'));
    for (const { statuses } of guessers) await eventually(() => expect(statuses).toContain(429));
    for (let n = 0; n < 20; n += 1)
      expect(await login(email, PASSWORD, `192.0.2.${n}`)).toMatchObject({ status: 200 });
    for (const { stop } of guessers) await stop();
    expect(await login(email, PASSWORD, '198.51.100.7')).toMatchObject(TOO_MANY);
    await beside.close();
  });

  test('leave each network three at an account with a hundred of them', async () => {
    const email = await newAddress();
    const plant = (count: number) =>
      app.pool.query(
        `insert into attempts (key) select 'login:' || $1 from generate_series(1, $2)`,
        [email, count],
      );
    await plant(96);
    await fail(email, 4, '192.0.2.5');
    expect(await login(email, PASSWORD, '192.0.2.5')).toMatchObject(TOO_MANY);
    for (const client of ['192.0.2.6', '192.0.2.7']) {
      await fail(email, 2, client);
      expect(await login(email, PASSWORD, client)).toMatchObject({ status: 200 });
      await fail(email, 3, client);
      const refused = await login(email, PASSWORD, client);
      expect(refused).toMatchObject(TOO_MANY);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    }
    expect(await login(await newAddress(), PASSWORD, '192.0.2.7')).toMatchObject({ status: 200 });
  });

  test('count for the network of an IPv6 address, and for IPv4 however it is written', async () => {
    const email = await newAddress();
    for (let n = 0; n < 10; n += 1) {
      await fail(email, 1, `2001:db8:0:1:${n}::1`);
      await fail(email, 1, n % 2 === 0 ? '192.0.2.9' : '::ffff:192.0.2.9');
    }
    // So that a slow machine does not outlast the first second.
    for (const network of ['2001:db8:0:1::/64', '192.0.2.9']) {
      expect(await countAttempts(`login:${email} from ${network}`)).toBe(10);
      await plantFailures(email, 10, 0, network);
    }
    for (const client of ['2001:db8:0:1:ffff::1', '::ffff:c000:209', '192.0.2.9:50123'])
      expect(await login(email, PASSWORD, client)).toMatchObject(TOO_MANY);
    expect(await login(email, PASSWORD, '2001:db8:0:2::1')).toMatchObject({ status: 200 });
  });

  test('keep no passkey out', async () => {
    const { id, email } = await register(app);
    await app.pool.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
        values ($1, 'AQID', '\\x01', 0, '{}', 'Key')`,
      [id],
    );
    const answer = { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {} };
    const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
    const enter = () =>
      app.call(passkeyRoutes.signIn, {
        body: { answer: { ...answer, response } },
        headers: { 'x-forwarded-for': '192.0.2.1' },
      });
    await plantFailures(email, 30, 0);
    await app.pool.query(
      `insert into attempts (key) select 'client:192.0.2.1' from generate_series(1, 100)`,
    );
    expect(await login(email, PASSWORD)).toMatchObject(TOO_MANY);
    // This one does not fit, which is all that is wrong with it.
    expect(await enter()).toMatchObject({ status: 401, code: 'passkeyRefused' });
    await app.pool.query(
      `insert into attempts (key) select 'passkeys:192.0.2.1' from generate_series(1, 99)`,
    );
    expect(await enter()).toMatchObject(TOO_MANY);
  });
});

describe('a browser that signed in before', () => {
  async function knownBrowser(email: string) {
    return cookieOf(await login(email, PASSWORD));
  }

  function cookieOf({ headers }: { headers: Headers }) {
    const set = headers.getSetCookie().find((one) => one.startsWith('matterdesk_browser='));
    return set?.split(';')[0] ?? '';
  }

  function loginFrom(browser: string, email: string, password: string, client = '192.0.2.1') {
    return app.call(accountRoutes.login, {
      body: { email, password },
      headers: { cookie: browser, 'x-forwarded-for': client },
    });
  }

  test('is known by a cookie for a year that scripts cannot read', async () => {
    const { headers } = await login(await newAddress(), PASSWORD);
    const set = headers.getSetCookie().find((one) => one.startsWith('matterdesk_browser='));
    expect(set?.split('; ').toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=31536000',
      'Path=/api/v1/users',
      'SameSite=Strict',
      expect.stringMatching(/^matterdesk_browser=[\w-]{43}$/),
    ]);
  });

  test('is kept out neither by guesses at the address nor by those of its client', async () => {
    const email = await newAddress();
    const browser = await knownBrowser(email);
    await plantFailures(email, 30, 0);
    await app.pool.query(
      `insert into attempts (key) select 'client:192.0.2.1' from generate_series(1, 100)`,
    );
    expect(await login(email, PASSWORD)).toMatchObject(TOO_MANY);
    expect(await loginFrom(browser, email, PASSWORD)).toMatchObject({ status: 200 });
    expect(await countAttempts(`login:${email} from 192.0.2.1`)).toBe(30);
  });

  test('has its own limit of ten failures, which count for no one else', async () => {
    const email = await newAddress();
    const browser = await knownBrowser(email);
    for (let n = 0; n < 10; n += 1)
      expect(await loginFrom(browser, email, 'wrong password')).toMatchObject(FAILED);
    expect(await loginFrom(browser, email, PASSWORD)).toMatchObject(TOO_MANY);
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 });
    await app.pool.query(`update attempts set at = at - interval '1 second'`);
    expect(await loginFrom(browser, email, PASSWORD)).toMatchObject({ status: 200 });
  });

  test('is known for each of its users, and for no other', async () => {
    const [one, other, third] = [await newAddress(), await newAddress(), await newAddress()];
    const first = await knownBrowser(one);
    const both = cookieOf(await loginFrom(first, other, PASSWORD));
    expect(both).not.toBe(first);
    for (const email of [one, other, third]) await plantFailures(email, 30, 0);
    expect(await loginFrom(first, one, PASSWORD)).toMatchObject(TOO_MANY);
    expect(await loginFrom(both, third, PASSWORD)).toMatchObject(TOO_MANY);
    expect(await loginFrom(both, other, PASSWORD)).toMatchObject({ status: 200 });
  });

  test.each(['no longer after a year', 'no longer after a deactivation'])(
    'is known %s',
    async (ending) => {
      const person = await register(app);
      const browser = await knownBrowser(person.email);
      if (ending.endsWith('year'))
        await app.pool.query(`update known_browsers set seen_at = now() - interval '366 days'`);
      else {
        const { token } = await register(app, { role: 'admin' });
        const params = { id: person.id };
        await app.call(accountRoutes.deactivateUser, { token, params });
        await app.call(accountRoutes.changeUser, { token, params, body: { active: true } });
      }
      await plantFailures(person.email, 30, 0);
      expect(await loginFrom(browser, person.email, PASSWORD)).toMatchObject(TOO_MANY);
    },
  );
});

describe('a hundred failures', () => {
  function plant(client: string, count: number) {
    return app.pool.query(
      `insert into attempts (key) select 'client:' || $1 from generate_series(1, $2)`,
      [client, count],
    );
  }

  test('lock out a client for every address, but no other client', async () => {
    await plant('203.0.113.9', 99);
    const email = await newAddress();
    expect(await login(email, 'wrong password', '203.0.113.9')).toMatchObject(FAILED);
    const refused = await login(email, PASSWORD, '203.0.113.9');
    expect(refused).toMatchObject(TOO_MANY);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    expect(await countAttempts(`login:${email}`)).toBe(1);
    expect(await login(email, PASSWORD, '203.0.113.10')).toMatchObject({ status: 200 });
  });

  test('are not exceeded by parallel attempts on different addresses', async () => {
    await plant('203.0.113.9', 95);
    const tries = Array.from({ length: 20 }, (_, n) =>
      login(`stranger.${n}@firm.example`, 'wrong password', '203.0.113.9'),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(new Set(statuses)).toContain(429);
  });

  test('still count after a success, which does not count itself', async () => {
    await plant('203.0.113.9', 50);
    const email = await newAddress();
    await login(email, PASSWORD, '203.0.113.9');
    expect(await countAttempts('client:203.0.113.9')).toBe(50);
    expect(await countAttempts(`login:${email}`)).toBe(0);
  });
});

describe('a client behind proxies', () => {
  async function clientSeen(trusted: string, forwarded: string) {
    const behind = await startTestApp({ env: { TRUST_PROXY: trusted }, database: app.database });
    await behind.call(accountRoutes.login, {
      body: { email: 'nobody@firm.example', password: 'wrong password' },
      headers: { 'x-forwarded-for': forwarded },
    });
    await behind.close();
    const { rows } = await app.pool.query<{ key: string }>(
      `select key from attempts where key like 'client:%'`,
    );
    return rows.map(({ key }) => key);
  }

  test.each([
    ['0', '192.0.2.1', 'client:127.0.0.1'],
    ['1', '192.0.2.1', 'client:192.0.2.1'],
    ['1', '192.0.2.66, 192.0.2.1', 'client:192.0.2.1'],
    ['2', '192.0.2.66, 192.0.2.1, 192.0.2.2', 'client:192.0.2.1'],
    ['2', '192.0.2.1', 'client:192.0.2.1'],
  ])('with TRUST_PROXY=%s and %s is %s', async (trusted, forwarded, key) => {
    expect(await clientSeen(trusted, forwarded)).toEqual([key]);
  });
});
