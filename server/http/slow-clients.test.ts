import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import multipart from '@fastify/multipart';
import { fastify, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSlowClients } from './slow-clients.ts';

const app = fastify();

beforeAll(async () => {
  endSlowClients(app, { body: 50, uploadIdle: 50 });
  await app.register(multipart);
  const handler = async (request: FastifyRequest) => {
    if (request.isMultipart()) await request.saveRequestFiles();
    return 'read';
  };
  app.route({ method: 'POST', url: '*', handler });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function send(head: string) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(head);
  return text(socket);
}

test.each([
  ['a body that never comes', '/', 'application/json', '{'],
  ['an upload that brings nothing more', '/upload', 'multipart/form-data; boundary=b', '--b\r\n'],
])('ends %s', async (_, path, type, begun) => {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    'Content-Length: 100',
  ];
  expect(await send(`${lines.join('\r\n')}\r\n\r\n${begun}`)).toContain('408 Request Timeout');
});

test('replies to a whole body', async () => {
  const reply = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
  expect(reply.statusCode).toBe(200);
});
