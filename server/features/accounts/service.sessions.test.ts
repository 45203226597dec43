import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { purgeSessions } from '../../db/sessions.ts';
import { startTestApp, suite } from '../../testing/app.ts';
import { disconnected, nextEvent } from '../../testing/client.ts';
import { register, registerUser, signIn } from '../../testing/factories.ts';
import { SESSION_LIFE_MS, SESSION_TOUCH_MS, termsOf } from './rules.ts';

const { app } = suite({});

async function statusOf(token: string) {
  return (await app.call(accountRoutes.me, { token })).status;
}

/** Moves the clock of a user's sessions; `created` and `seen` are intervals such as '3 hours'. */
function age(id: string, { created, seen }: { created: string; seen: string }) {
  return app.pool.query(
    `update sessions set created_at = now() - $2::interval, last_seen_at = now() - $3::interval
     where user_id = $1`,
    [id, created, seen],
  );
}

describe('a token', () => {
  test('has 256 random bits and is stored as a hash', async () => {
    const { email, token } = await registerUser(app);
    const { token: other } = await signIn(app, email);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(other).not.toBe(token);
    const { rows } = await app.pool.query<{ row: string }>('select s::text as row from sessions s');
    const hex = Buffer.from(token, 'base64url').toString('hex');
    expect(rows.filter(({ row }) => row.includes(token) || row.includes(hex))).toEqual([]);
  });

  test('opens its own session among requests that come at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => registerUser(app)));
    const former = await registerUser(app);
    await app.call(accountRoutes.logout, { token: former.token });
    const asking = [...people, former, { id: undefined, token: 'no token of anyone' }];
    const turns = Array.from({ length: 10 }, () => asking).flat();
    const replies = await Promise.all(
      turns.map(({ token }) => app.call(accountRoutes.me, { token })),
    );
    const seen = replies.map(({ status, body }) => (status === 200 ? body.id : status));
    const own = [...people.map(({ id }) => id), 400, 400];
    expect(seen).toEqual(Array.from({ length: 10 }, () => own).flat());
  });

  test('opens the same session repeatedly and in parallel', async () => {
    const { email, token } = await registerUser(app);
    const { token: other } = await signIn(app, email);
    expect([await statusOf(token), await statusOf(other), await statusOf(token)]).toEqual([
      200, 200, 200,
    ]);
  });
});

describe('a session', () => {
  test('ends after 12 hours without a request, give or take the minute between two records of its use', async () => {
    const { id, token } = await registerUser(app);
    await age(id, { created: '1 day', seen: '12 hours' });
    expect(await statusOf(token)).toBe(200);
    await age(id, { created: '1 day', seen: '12 hours 61 seconds' });
    const reply = await app.call(accountRoutes.me, { token });
    expect(reply).toMatchObject({ status: 400, message: 'Unauthorized token provided' });
  });

  test('ends after 30 days despite activity', async () => {
    expect(SESSION_LIFE_MS).toBe(30 * 24 * 3600_000);
    const { id, token } = await registerUser(app);
    await age(id, { created: '29 days 23 hours 59 minutes', seen: '1 second' });
    expect(await statusOf(token)).toBe(200);
    await age(id, { created: '30 days 1 second', seen: '1 second' });
    expect(await statusOf(token)).toBe(400);
  });

  test('is extended by each request, recorded once a minute', async () => {
    const { id, token } = await registerUser(app);
    const seenAgo = async () => {
      const { rows } = await app.pool.query<{ ago: number }>(
        `select extract(epoch from now() - last_seen_at)::float8 as ago from sessions where user_id = $1`,
        [id],
      );
      return rows[0]?.ago ?? Number.NaN;
    };
    await age(id, { created: '1 day', seen: `${SESSION_TOUCH_MS / 1000 - 5} seconds` });
    await statusOf(token);
    expect(await seenAgo()).toBeGreaterThan(50);
    await age(id, { created: '1 day', seen: '11 hours' });
    expect(await statusOf(token)).toBe(200);
    expect(await seenAgo()).toBeLessThan(50);
  });

  test('is swept after it expires, and no other session is', async () => {
    const [idle, old, living] = [
      await registerUser(app),
      await registerUser(app),
      await registerUser(app),
    ];
    await age(idle.id, { created: '1 day', seen: '13 hours' });
    await age(old.id, { created: '31 days', seen: '1 second' });
    await age(living.id, { created: '29 days', seen: '11 hours' });
    await purgeSessions(app.db, termsOf({ idleMinutes: 720 }));
    const { rows } = await app.pool.query<{ user_id: string }>('select user_id from sessions');
    const left = rows.map((row) => row.user_id);
    expect(left).toContain(living.id);
    expect(left).not.toContain(idle.id);
    expect(left).not.toContain(old.id);
  });

  test('is in the database, so that it survives the process', async () => {
    const { token } = await registerUser(app);
    const other = await startTestApp({ database: app.database });
    expect(await other.call(accountRoutes.me, { token })).toMatchObject({ status: 200 });
    await other.close();
  });
});

describe('signing out', () => {
  test('invalidates the token, removes the cookie and disconnects the sockets with a reason', async () => {
    const { email, token } = await registerUser(app);
    const other = await signIn(app, email);
    const [socket, elsewhere] = [await app.socket(token), await app.socket(other.token)];
    const event = nextEvent(socket, 'session.ended');
    const end = disconnected(socket);
    const reply = await app.call(accountRoutes.logout, { token });
    expect(JSON.parse(reply.text)).toEqual({ statusCode: 200, message: 'Signed out', body: null });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^matterdesk_session=; (.*; )?Expires=Thu, 01 Jan 1970/,
    );
    expect(await event).toEqual({ reason: 'logout' });
    expect(await end).toBe('io server disconnect');
    expect(await statusOf(token)).toBe(400);
    await expect(app.socket(token)).rejects.toThrow('Unauthorized token provided');
    expect(await app.call(accountRoutes.logout, { token })).toMatchObject({ status: 400 });
    expect(await statusOf(other.token)).toBe(200);
    expect(elsewhere.connected).toBe(true);
  });
});

describe('the session cookie', () => {
  async function cookieFrom(env: Record<string, string>) {
    const own = await startTestApp({ env, database: app.database });
    const { email, password } = { email: 'cookie@firm.example', password: 'long enough' };
    await register(app, { email, password }).catch(() => undefined);
    const reply = await own.call(accountRoutes.login, { body: { email, password } });
    await own.close();
    const [pair = '', ...flags] = (reply.headers.getSetCookie()[0] ?? '').split('; ');
    return { pair, flags: flags.toSorted(), token: reply.body.token };
  }

  test('opens the same session, for the server alone', async () => {
    const { pair, flags, token } = await cookieFrom({});
    expect(pair).toBe(`matterdesk_session=${token}`);
    expect(flags).toEqual(['HttpOnly', 'Path=/api/v1', 'SameSite=Strict']);
  });

  test('is sent over https only where https is used', async () => {
    const { flags } = await cookieFrom({ PUBLIC_URL: 'https://desk.example' });
    expect(flags).toEqual(['HttpOnly', 'Path=/api/v1', 'SameSite=Strict', 'Secure']);
  });

  test('is not accepted by calls that reply in JSON', async () => {
    const { pair } = await cookieFrom({});
    for (const path of ['/api/v1/users/me', '/api/v1/users', '/api/v1/cases', '/api/v1/overview'])
      expect(await app.request(path, { headers: { cookie: pair } })).toMatchObject({ status: 400 });
    const headers = { cookie: pair, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    expect(await app.request('/api/v1/users/logout', init)).toMatchObject({ status: 400 });
  });
});
