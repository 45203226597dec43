import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import multipart from '@fastify/multipart';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawReplyOf } from '../testing/client.ts';
import { endSlowClients, expectUpload } from './connections.ts';

const app = fastify();
const TIMEOUT_MS = 600;

beforeAll(async () => {
  endSlowClients(app.server, {
    body: TIMEOUT_MS,
    upload: TIMEOUT_MS,
  });
  await app.register(multipart, { limits: { fileSize: 10_000_000 } });
  const taking = async (request: FastifyRequest) => {
    expectUpload(request.raw);
    await request.saveRequestFiles();
    return 'read';
  };
  app.route({ method: 'POST', url: '/upload', handler: taking });
  const refusing = async (request: FastifyRequest, reply: FastifyReply) => {
    expectUpload(request.raw);
    await reply.code(507).send('full');
  };
  app.route({ method: 'POST', url: '/refused', handler: refusing });
  app.route({ method: 'POST', url: '*', handler: async () => 'read' });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const UPLOAD = 'multipart/form-data; boundary=b';
const PART = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';

type Sending = { path: string; type: string; begun: string; more?: Buffer };

/** Begins a body that is never whole, and goes on sending some until the server ends the connection. */
async function send({ path, type, begun, more }: Sending) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'Host: localhost',
    `Content-Type: ${type}`,
    `Content-Length: ${type === UPLOAD ? 10_000_000 : 1000}`,
  ];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${begun}`);
  const startedAt = performance.now();
  const timer = setInterval(() => more && socket.write(more), 20);
  const reply = await rawReplyOf(socket).finally(() => clearInterval(timer));
  return { line: reply.split('\r\n')[0], after: performance.now() - startedAt };
}

const BYTE = Buffer.alloc(1);

test.each([
  ['a body that never comes', { path: '/', type: 'application/json', begun: '{' }],
  [
    'a body that comes byte by byte',
    { path: '/', type: 'application/json', begun: '{', more: BYTE },
  ],
  ['an upload that brings nothing more', { path: '/upload', type: UPLOAD, begun: PART }],
  ['an upload that comes byte by byte', { path: '/upload', type: UPLOAD, begun: PART, more: BYTE }],
])('the server ends %s', async (_, sending) => {
  const { line, after } = await send(sending);
  expect(line).toBe('HTTP/1.1 408 Request Timeout');
  expect(after).toBeLessThan(5 * TIMEOUT_MS);
});

test('the server ends what calls itself an upload where none is expected', async () => {
  const { line, after } = await send({ path: '/', type: UPLOAD, begun: PART, more: BYTE });
  expect(line).toBe('HTTP/1.1 200 OK');
  expect(after).toBeLessThan(5 * TIMEOUT_MS);
});

test('the server ends an upload that goes on after its reply, however fast', async () => {
  const more = Buffer.alloc(20_000);
  const { line, after } = await send({ path: '/refused', type: UPLOAD, begun: PART, more });
  expect(line).toBe('HTTP/1.1 507 Insufficient Storage');
  expect(after).toBeLessThan(5 * TIMEOUT_MS);
});

test('the server lets an upload go on that brings enough', async () => {
  const body = `${PART}${'x'.repeat(5_000_000)}\r\n--b--\r\n`;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const head = ['Host: localhost', `Content-Type: ${UPLOAD}`, 'Connection: close'];
  const length = Buffer.byteLength(body);
  socket.write(
    `POST /upload HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  let sent = 0;
  // Four times as long as a body may take.
  const timer = setInterval(
    () => {
      socket.write(body.slice(sent, sent + 50_000));
      sent += 50_000;
      if (sent >= length) clearInterval(timer);
    },
    (4 * TIMEOUT_MS) / 100,
  );
  expect(await rawReplyOf(socket)).toContain('HTTP/1.1 200 OK');
});

test('the server replies to a whole body', async () => {
  const reply = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
  expect(reply.statusCode).toBe(200);
});
