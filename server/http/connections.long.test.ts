import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { rawReplyOf } from '../testing/client.ts';
import { openCase, registerAdmin } from '../testing/factories.ts';
import { newPlace, startProcess, type ServerProcess } from '../testing/process.ts';

// These wait for the product's own limits: 10 seconds for headers, 30 for a body, 60 for a portion of an upload.

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: { ...place.env, PROCESSES: '2' } });
  await server.ready;
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

const UPLOAD = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000';
const PART = '--b\r\nContent-Disposition: form-data; name="attachments"; filename="a"\r\n\r\n';

/** Begins a request and sends a byte each second until the server ends it. @returns seconds, and the reply's first line */
async function trickle(begun: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const startedAt = performance.now();
  socket.write(begun);
  const timer = setInterval(() => socket.write('x'), 1000);
  const reply = await rawReplyOf(socket).finally(() => clearInterval(timer));
  return { line: reply.split('\r\n')[0], seconds: (performance.now() - startedAt) / 1000 };
}

const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n`;

test(
  'four hundred half-sent requests end, and others are answered',
  { timeout: 60_000 },
  async () => {
    const halves = [
      'GET /api/v1/users/registration HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
      `${post('/api/v1/users/login', 'Content-Type: application/json\r\nContent-Length: 90')}{`,
      // Whatever they call themselves, and whether or not a route takes uploads.
      post('/api/v1/users/login', UPLOAD) + PART,
      post('/api/v1/cases', UPLOAD) + PART,
      post('/api/v1/files/uploadFile', UPLOAD) + PART,
      post('/nothing/here', UPLOAD) + PART,
      post('/intake/none', UPLOAD) + PART,
      post('/socket.io/?EIO=4&transport=polling&sid=none', UPLOAD) + PART,
    ];
    const ended = Array.from({ length: 400 }, (_, n) => trickle(halves[n % halves.length] ?? ''));
    expect(await server.request('/api/v1/users/registration')).toMatchObject({ status: 200 });
    for (const { seconds } of await Promise.all(ended)) expect(seconds).toBeLessThan(40);
  },
);

test('uploads that bring a byte a second end in every process', { timeout: 100_000 }, async () => {
  const { token } = await registerAdmin(server);
  const { id: caseId } = await openCase(server, token);
  await server.call(fileRoutes.createFolder, { token, body: { caseId, folderName: 'Letters' } });
  const fields = `--b\r\nContent-Disposition: form-data; name="caseId"\r\n\r\n${caseId}\r\n--b\r\nContent-Disposition: form-data; name="folder"\r\n\r\nLetters\r\n`;
  const begun =
    post('/api/v1/files/uploadFile', `X-Auth-Token: ${token}\r\n${UPLOAD}`) + fields + PART;
  for (const { line, seconds } of await Promise.all([1, 2, 3, 4].map(() => trickle(begun)))) {
    expect(line).toBe('HTTP/1.1 408 Request Timeout');
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThan(75);
  }
});
