import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { compressReplies } from './compress.ts';

const LONG = { text: 'A long reply. '.repeat(500) };
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7', 'accept-encoding': 'gzip, deflate, br' };

let app: FastifyInstance;
afterEach(() => app.close());

async function serve(routes: (app: FastifyInstance) => void, trustProxy = 0) {
  app = fastify();
  compressReplies(app, { trustProxy });
  app.get('/long', async () => LONG);
  routes(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
}

async function ask(path: string, headers: http.OutgoingHttpHeaders, method = 'GET') {
  const { port } = app.server.address() as AddressInfo;
  const request = http.request({ port, path, headers, method, agent: false }).end();
  const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
  return reply;
}

test.each([
  ['gzip, deflate, br', 'br', zlib.brotliDecompressSync],
  ['gzip, br;q=0', 'gzip', zlib.gunzipSync],
  ['gzip', 'gzip', zlib.gunzipSync],
] as const)(
  'compresses a long reply for a client that accepts %s',
  async (accepted, format, unpack) => {
    await serve(() => undefined);
    const reply = await ask('/long', { ...ELSEWHERE, 'accept-encoding': accepted });
    expect(reply.headers).toMatchObject({ 'content-encoding': format, vary: 'accept-encoding' });
    const bytes = await buffer(reply);
    expect(reply.headers['content-length']).toBe(String(bytes.length));
    expect(JSON.parse(unpack(bytes).toString())).toEqual(LONG);
  },
);

test.each([['identity'], ['deflate'], ['br;q=0, gzip;q=0'], ['']])(
  'the server leaves a long reply alone for a client that accepts "%s"',
  async (accepted) => {
    await serve(() => undefined);
    const reply = await ask('/long', { ...ELSEWHERE, 'accept-encoding': accepted });
    expect(reply.headers).toMatchObject({ vary: 'accept-encoding' });
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse((await buffer(reply)).toString())).toEqual(LONG);
  },
);

test('the server leaves a long reply alone for a client on this machine', async () => {
  await serve(() => undefined);
  const reply = await ask('/long', { 'accept-encoding': 'br' });
  expect(reply.resume().headers['content-encoding']).toBeUndefined();
});

test('compresses behind a trusted proxy on this machine, which names no client', async () => {
  await serve(() => undefined, 1);
  const reply = await ask('/long', { 'accept-encoding': 'br' });
  expect(reply.resume().headers['content-encoding']).toBe('br');
});

test('the server replies to HEAD with the headers of GET', async () => {
  await serve(() => undefined);
  const whole = await ask('/long', ELSEWHERE);
  const head = await ask('/long', ELSEWHERE, 'HEAD');
  const compared = ['content-encoding', 'content-length', 'content-type', 'vary'];
  const [left, right] = [whole, head].map((reply) =>
    compared.map((name) => reply.resume().headers[name]),
  );
  expect(left).toEqual(right);
});

test('the server leaves short replies, pictures, ranges and contents of files alone', async () => {
  const bytes = Buffer.alloc(9000, 'a');
  await serve((to) => {
    to.get('/short', async () => ({ text: 'Short' }));
    to.get('/picture', async (_request, reply) => reply.type('image/png').send(bytes));
    to.get('/content', async (_request, reply) =>
      reply
        .headers({ 'accept-ranges': 'bytes', 'content-length': bytes.length })
        .type('text/plain')
        .send(Readable.from([bytes])),
    );
    to.get('/empty', async (_request, reply) => reply.code(304).send());
  });
  for (const path of ['/short', '/picture', '/content', '/empty']) {
    const { headers } = (await ask(path, ELSEWHERE)).resume();
    expect(headers['content-encoding']).toBeUndefined();
  }
  expect(await buffer(await ask('/content', ELSEWHERE))).toEqual(bytes);
});

test.each(['text/event-stream', 'text/csv', 'application/json'])(
  'the server sends each part of a stream of %s when it is there',
  async (type) => {
    const next = Promise.withResolvers<void>();
    async function* parts() {
      yield 'first';
      await next.promise;
      yield 'second';
    }
    await serve((to) => {
      to.get('/stream', async (_request, reply) => reply.type(type).send(Readable.from(parts())));
    });
    const reply = await ask('/stream', ELSEWHERE);
    const text = reply.pipe(zlib.createBrotliDecompress());
    const [first] = (await once(text, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    next.resolve();
    expect((await buffer(text)).toString()).toBe('second');
  },
);

test('the server aborts a stream that fails midway, so that no client takes a part for the whole', async () => {
  const sent = Promise.withResolvers<void>();
  async function* parts() {
    yield 'first';
    await sent.promise;
    throw new Error('The source failed');
  }
  await serve((to) => {
    to.get('/stream', async (_request, reply) =>
      reply.type('text/csv').send(Readable.from(parts())),
    );
  });
  const reply = await ask('/stream', ELSEWHERE);
  await once(reply, 'data');
  sent.resolve();
  await expect(buffer(reply)).rejects.toThrow('aborted');
});

test('the server replies with a readable error when a stream fails before its first byte', async () => {
  await serve((to) => {
    to.get('/stream', async (_request, reply) => {
      const read = () => source.destroy(new Error('The source failed'));
      const source = new Readable({ read });
      return reply.type('text/csv').send(source);
    });
  });
  const reply = await ask('/stream', ELSEWHERE);
  expect(reply.statusCode).toBe(500);
  expect((await buffer(reply)).toString()).toContain('The source failed');
});

test('the server stops reading a source whose client disconnected', async () => {
  const source = new Readable({ read: () => undefined });
  await serve((to) => {
    to.get('/stream', async (_request, reply) => reply.type('text/csv').send(source));
  });
  source.push('first');
  const reply = await ask('/stream', ELSEWHERE);
  await once(reply, 'data');
  reply.destroy();
  if (!source.closed) await once(source, 'close').catch(() => undefined);
  expect(source.destroyed).toBe(true);
});
