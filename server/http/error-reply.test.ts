import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import { Refusal } from '../core/refusal.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { registerAdmin } from '../testing/factories.ts';
import { findValidInput } from '../testing/valid-input.ts';
import { toRefusal } from './error-reply.ts';

describe.each([
  ['refuses connections', { port: 1 }],
  ['accepts connections without responding', { connectionTimeoutMillis: 100 }],
])('while the database %s', (_, own) => {
  let app: TestApp;
  let silent: net.Server;

  beforeAll(async () => {
    silent = net.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const connection = { host: '127.0.0.1', port, user: 'app', database: 'app', ...own };
    app = await startTestApp({
      database: { connection, drop: async () => undefined },
      jobs: false,
    });
  });
  afterAll(async () => {
    await app.close();
    silent.close();
  });

  // Signed calls are verified before the database is used. A challenge is sealed instead of stored, and the other two
  // reply without the database while no mail is set up.
  const without: Route[] = [
    registrationRoutes.readTerms,
    passwordRoutes.forgot,
    passkeyRoutes.beginSignIn,
  ];
  const using = routes.filter((route) => !route.file && !route.form && !route.signedBody);
  test.each(using.filter((route) => !without.includes(route)))(
    '$method $path replies with 503 and a time to retry, and does not sign users out',
    async ({ method, path, body, bare }) => {
      const reply = await app.request(path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        headers: { 'x-auth-token': 'token', 'content-type': 'application/json' },
        body: body ? JSON.stringify(findValidInput(body)) : null,
      });
      expect(reply.headers.get('retry-after')).toBe('2');
      const code = 'unavailable';
      const message = 'The database is unavailable. Try again in a moment.';
      expect(JSON.parse(reply.text)).toEqual(
        bare ? { status: 503, code, message } : { statusCode: 503, code, message, body: null },
      );
      expect(reply.status).toBe(503);
    },
  );

  test('everything that does not need it works', async () => {
    expect(await app.request('/healthz')).toMatchObject({ status: 200 });
    expect(await app.request('/metrics')).toMatchObject({ status: 200 });
    expect(await app.request('/')).toMatchObject({ status: 200 });
    expect(await app.request('/api/v1/openapi.json')).toMatchObject({ status: 200 });
    expect(await app.request('/api/v1/users')).toMatchObject({ status: 400 });
    expect(await app.request('/api/v1/nowhere')).toMatchObject({ status: 404 });
    const ready = await app.request('/readyz');
    expect(ready).toMatchObject({ status: 503, text: '{"status":"database unavailable"}' });
    expect(ready.headers.get('retry-after')).toBe('2');
    // A refusal would be final; after a lost connection the client retries.
    await expect(app.socket('token')).rejects.toThrow(/^transport (close|error)$/);
  });
});

test('recovers after all connections were terminated', async () => {
  const app = await startTestApp();
  const { token } = await registerAdmin(app);
  const ask = () => app.request('/api/v1/users/me', { headers: { 'x-auth-token': token } });
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toHaveLength(20);
  await app.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const replies = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(replies.map(({ status }) => status)).isSubsetOf(new Set([200, 503]))).toBe(true);
  // A connection of the pool may learn late that it was ended.
  await eventually(async () => expect(await ask()).toMatchObject({ status: 200 }));
  await app.close();
});

describe('a thrown error', () => {
  const secret = 'select * from users -- /srv/desk/server/app.ts';

  test.each([
    [new Error(secret), 'unexpected'],
    [new TypeError(secret), 'unexpected'],
    [secret, 'unexpected'],
    [undefined, 'unexpected'],
    [null, 'unexpected'],
    [{ statusCode: 500, message: secret }, 'unexpected'],
    [{ statusCode: 413, message: secret }, 'tooLarge'],
    [{ statusCode: 415, message: secret }, 'unsupportedMedia'],
    [{ statusCode: 404, message: secret }, 'notFound'],
    [{ statusCode: 400, message: secret }, 'invalidInput'],
    [{ statusCode: 418, message: secret }, 'invalidInput'],
    [Object.assign(new Error(secret), { code: '57P01' }), 'unavailable'],
    [Object.assign(new Error(secret), { code: '57014' }), 'unavailable'],
    [Object.assign(new Error(secret), { code: '25P03' }), 'unavailable'],
    [Object.assign(new Error(secret), { code: 'ECONNREFUSED' }), 'unavailable'],
    [Object.assign(new Error(secret), { code: 'ENOENT', syscall: 'connect' }), 'unavailable'],
    [Object.assign(new Error(secret), { code: 'ENOENT', syscall: 'open' }), 'unexpected'],
    [Object.assign(new Error(secret), { code: '23505' }), 'unexpected'],
    [new Error('Connection terminated unexpectedly'), 'unavailable'],
    [new Error('timeout exceeded when trying to connect'), 'unavailable'],
  ] satisfies [unknown, ErrorCode][])('such as %o becomes %s', (thrown, code) => {
    const refusal = toRefusal(thrown);
    const { status, message } = errorCodes[code];
    expect(refusal).toMatchObject({ code, status, message });
  });

  test('that is a refusal stays the same', () => {
    const refusal = new Refusal('conflict', 'Taken');
    expect(toRefusal(refusal)).toBe(refusal);
  });
});
