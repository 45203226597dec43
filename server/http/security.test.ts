import { beforeAll, expect, test } from 'vitest';
import { startTestApp, suite } from '../testing/app.ts';
import { registerUser } from '../testing/factories.ts';

const { app } = suite({});
let token: string;

beforeAll(async () => {
  ({ token } = await registerUser(app));
});

const everywhere = [
  '/',
  '/dashboard/matters',
  '/healthz',
  '/readyz',
  '/metrics',
  '/static/js/missing.js',
  '/api/v1/openapi.json',
  '/api/v1/users',
  '/api/v1/users/me',
  '/api/v1/cases',
  '/api/v1/cases/export',
  '/api/v1/nowhere',
  '/api/v1/cases/%zz',
  '/api/v1/cases/%E0%A4%A',
  `/api/v1/cases/${'x'.repeat(200)}`,
  '/%ff',
  '/ai/nowhere',
];

test.each(everywhere)('%s cannot be framed, sniffed or scripted by other sites', async (path) => {
  for (const headers of [{}, { 'x-auth-token': token }]) {
    const reply = await app.request(path, { headers });
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy.split(';')).toEqual(
      expect.arrayContaining(["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'"]),
    );
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(reply.headers.get('referrer-policy')).toBe('same-origin');
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
    expect(reply.headers.get('x-powered-by')).toBeNull();
    expect(reply.headers.get('server')).toBeNull();
  }
});

test.each(everywhere.filter((path) => /^\/(api\/v1|ai)/.test(path)))(
  '%s is not stored by caches',
  async (path) => {
    const reply = await app.request(path, { headers: { 'x-auth-token': token } });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  },
);

test('the server requires https from browsers once it is served over https', async () => {
  expect((await app.request('/')).headers.get('strict-transport-security')).toBeNull();
  const safe = await startTestApp({
    env: { PUBLIC_URL: 'https://desk.example' },
    database: app.database,
  });
  const { headers } = await safe.request('/');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  expect(headers.get('content-security-policy')).toContain('wss://desk.example');
  await safe.close();
});
