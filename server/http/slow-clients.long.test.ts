import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTestApp } from '../testing/app.ts';

const HALVES = [
  'GET /api/v1/users/registration HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
  'POST /api/v1/users/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
];

// It waits for the product's own limits: 10 seconds for headers, 30 for a body. Those of Node are a minute and more.
test('forty half-sent requests end, and others are answered', { timeout: 55_000 }, async () => {
  const app = await startTestApp({ jobs: false });
  const { hostname, port } = new URL(app.url);
  const replies = Array.from({ length: 40 }, async (_, n) => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(HALVES[n % 2] ?? '');
    return text(socket);
  });
  expect(await app.request('/api/v1/users/registration')).toMatchObject({ status: 200 });
  const lines = (await Promise.all(replies)).map((reply) => reply.split('\r\n')[0]);
  expect(new Set(lines)).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  await app.close();
});
