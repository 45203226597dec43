import { request } from 'node:http';
import perfHooks from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { startTestApp, suite } from '../testing/app.ts';

const { app } = suite(
  {},
  {
    env: { METRICS_TOKEN: 'token-of-the-monitoring', PUBLIC_URL: 'https://desk.example.com' },
    jobs: false,
  },
);

/** `fetch` sets Host by itself. */
function read(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}/metrics`, { headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on('error', reject).end();
  });
}

test.each([
  ['by a name of the server', { host: 'desk.example.com' }],
  ['by an address in the network', { host: '192.168.1.20' }],
  ['through a proxy on this machine', { 'x-forwarded-for': '127.0.0.1' }],
  ['through a proxy that names itself', { via: '1.1 proxy' }],
  ['with a wrong token', { host: 'desk.example.com', authorization: 'Bearer guessed' }],
  ['with an empty token', { host: 'desk.example.com', authorization: 'Bearer ' }],
])('metrics are not for a caller %s', async (_, headers) => {
  expect(await read(headers as Record<string, string>)).toBe(403);
});

test('metrics are for programs on this machine, and from elsewhere for those with the token', async () => {
  expect(await read({})).toBe(200);
  const authorization = 'Bearer token-of-the-monitoring';
  expect(await read({ host: 'desk.example.com', authorization })).toBe(200);
});

test('another application of the process adds no timer and no observer that measure it', async () => {
  const measuring = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  const observing = vi.spyOn(perfHooks.PerformanceObserver.prototype, 'observe');
  const other = await startTestApp({ database: app.database, jobs: false });
  const reply = await other.request('/metrics');
  expect(reply.text).toContain('nodejs_eventloop_lag_seconds');
  expect(reply.text).toContain('nodejs_gc_duration_seconds');
  await other.close();
  expect(measuring).not.toHaveBeenCalled();
  expect(observing).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
