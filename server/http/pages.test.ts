import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startTestApp, suite } from '../testing/app.ts';

const { app } = suite({});
test.each([
  '/',
  '/register',
  '/dashboard/caseDetails/7',
  '/forgot-password',
  '/an/unknown/path?with=a&query',
  '/apiary',
  '/api',
  '/API/v1/users',
  '/staticity',
  '/%zz',
  '/%E0%A4%A',
])('the server serves the application at %s', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    const reply = await app.request(path, { method });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-cache');
    expect(reply.text).toMatch(method === 'GET' ? /<!doctype html>/i : /^$/);
  }
});

test('the server names the client’s build in the page and in every reply', async () => {
  const page = await app.request('/');
  const [, build] = /<meta name="build" content="(\w{16})" \/>/.exec(page.text) ?? [];
  for (const path of ['/', '/readyz', '/api/v1/users/me', '/nowhere'])
    expect((await app.request(path)).headers.get('x-build')).toBe(build);
  expect(build).toBeDefined();
});

test('labels the pages of a sandbox, and no others', async () => {
  const sandbox = await startTestApp({ env: { SANDBOX: '1' } });
  const words = 'Sandbox: nothing leaves this machine';
  expect((await sandbox.request('/dashboard')).text).toContain(words);
  expect((await app.request('/dashboard')).text).not.toContain(words);
  await sandbox.close();
});

test('the server serves the application at a very long address', async () => {
  expect(await app.request(`/${'long'.repeat(2000)}`)).toMatchObject({ status: 200 });
});

test.each(['br', 'gzip'])(
  'the server serves the page and its files in %s, compressed at the build',
  async (accepted) => {
    const headers = { 'accept-encoding': accepted };
    const page = await get('/', headers);
    expect(page.headers).toMatchObject({ 'content-encoding': accepted, vary: 'accept-encoding' });
    const { text } = await app.request('/');
    const paths = text.match(/\/static\/[\w/.-]+\.(js|css)/g) ?? [];
    expect(paths).not.toHaveLength(0);
    for (const path of paths) {
      const { headers: sent, bytes } = await get(path, headers);
      const etag = String(sent.etag);
      expect(sent).toMatchObject({
        'content-encoding': accepted,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      expect(await get(path, { ...headers, 'if-none-match': etag })).toMatchObject({ status: 304 });
      expect((await get(path, {})).headers['content-encoding']).toBeUndefined();
      // The same bytes in another encoding are another representation.
      expect((await get(path, {})).headers.etag).not.toBe(etag);
    }
  },
);

test('the server asks anew for the third-party notices, whose address stays the same in each build', async () => {
  const notices = await get('/static/third-party-notices.txt', {});
  expect(notices.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/plain; charset=utf-8',
  });
});

async function get(path: string, headers: http.OutgoingHttpHeaders) {
  const asked = http.get(app.url + path, { headers, agent: false });
  const [reply] = (await once(asked, 'response')) as [http.IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, bytes: await buffer(reply) };
}

describe('an address that is not a page', () => {
  test.each([
    ['GET', '/static/js/missing.js'],
    ['GET', '/static/'],
    ['GET', '/static'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/users/'],
    ['GET', '/api/v1?x=1'],
    ['GET', '/api/v1/%zz'],
    ['GET', '/ai'],
    ['POST', '/'],
    ['DELETE', '/dashboard'],
    ['POST', '/healthz'],
    ['OPTIONS', '/dashboard'],
  ])('is refused as 404: %s %s', async (method, path) => {
    const reply = await app.request(path, { method });
    expect(reply).toMatchObject({ status: 404, body: null, message: 'Not found' });
  });
});

test.each([
  '/static/../config.ts',
  '/static/%2e%2e/%2e%2e/package.json',
  '/static/..%2f..%2fpackage.json',
  '/static/%00',
  '/static/js/../../../package.json',
])('the server does not serve %s', async (path) => {
  const { hostname, port } = new URL(app.url);
  // fetch would resolve the dots itself.
  const asked = http.get({ hostname, port, path, agent: false });
  const [reply] = (await once(asked, 'response')) as [http.IncomingMessage];
  reply.resume();
  expect(reply.statusCode).toBe(404);
});

test('reports that it is up and ready, and counts requests by route, not by address', async () => {
  expect(await app.request('/healthz')).toMatchObject({ status: 200, text: '{"status":"up"}' });
  expect(await app.request('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  await app.request('/api/v1/cases/secret-of-an-address?search=secret-of-a-query');
  const { text } = await app.request('/metrics');
  expect(text).toContain('route="/api/v1/cases/:id"');
  expect(text).not.toContain('secret-of');
});
