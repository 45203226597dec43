import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { suite } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { registerUser } from '../testing/factories.ts';
import { rawReplyOf } from '../testing/raw-reply.ts';

const { app } = suite({}, { env: { PUBLIC_URL: 'https://desk.example.com' } });

/** Opens a connection, as a web socket or by polling. */
async function open(headers: Record<string, string>, transport = 'websocket') {
  const { hostname, port, host } = new URL(app.url);
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const sent = { host, ...(transport === 'websocket' && upgrade), ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /socket.io/?EIO=4&transport=${transport} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: Number(data.toString().split(' ')[1]) };
}

/** The status of a handshake. */
async function knock(headers: Record<string, string>, transport?: string) {
  const { socket, status } = await open(headers, transport);
  socket.destroy();
  return status;
}

describe.each(['websocket', 'polling'])('a %s handshake', (transport) => {
  const ok = transport === 'websocket' ? 101 : 200;

  test('is refused to pages of other origins', async () => {
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', 'desk.example.com'])
      expect(await knock({ origin }, transport)).toBe(403);
  });

  test('is refused by a foreign name', async () => {
    expect(await knock({ host: 'evil.example', origin: 'http://evil.example' }, transport)).toBe(
      421,
    );
  });

  test('is open to our own pages and to programs', async () => {
    for (const origin of [app.url, 'https://desk.example.com'])
      expect(await knock({ origin }, transport)).toBe(ok);
    expect(await knock({}, transport)).toBe(ok);
  });
});

// Without an end of ours the library waits for 30 seconds more.
test('five hundred sockets that bring no token are not kept', { timeout: 30_000 }, async () => {
  const opened = await Promise.all(Array.from({ length: 500 }, () => open({})));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([101]));
  const { token } = await registerUser(app);
  expect(await app.socket(token)).toMatchObject({ connected: true });
  const kept = opened.filter(({ socket }) => !socket.closed);
  await Promise.all(kept.map(({ socket }) => once(socket.resume(), 'close')));
});

type Asked = { body?: string; length?: number; transport?: string };

/** One request of a polling session, answered or ended. */
async function poll(query: string, { body, length, transport = 'polling' }: Asked = {}) {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const sent = `content-length: ${length ?? body?.length ?? 0}\r\n`;
  const head = `${body === undefined ? 'GET' : 'POST'} /socket.io/?EIO=4&transport=${transport}${query} HTTP/1.1`;
  socket.write(`${head}\r\nhost: ${host}\r\nconnection: close\r\n${sent}\r\n${body ?? ''}`);
  return rawReplyOf(socket);
}

async function openPolling() {
  const { sid } = JSON.parse(/\{.*\}/.exec(await poll(''))?.[0] ?? '') as { sid: string };
  return `&sid=${sid}`;
}

describe('a polling session that brings no valid token ends after five seconds', () => {
  test.each([
    ['while nothing asks for it', async () => undefined],
    ['while it is polled', (sid: string) => poll(sid)],
    ['with a refusal that is never fetched', (sid: string) => poll(sid, { body: '40' })],
    ['while a body trickles in', (sid: string) => poll(sid, { body: '4', length: 1000 })],
  ])('%s', async (_, work) => {
    const sid = await openPolling();
    const startedAt = performance.now();
    void work(sid);
    // A wrong transport leaves a session that exists as it is.
    await eventually(async () =>
      expect(await poll(sid, { transport: 'websocket' })).toContain('Session ID unknown'),
    );
    expect(performance.now() - startedAt).toBeGreaterThan(4000);
    expect(performance.now() - startedAt).toBeLessThan(8000);
  });
});

test('a session has at most twenty open sockets', async () => {
  const { token } = await registerUser(app);
  for (let n = 0; n < 20; n += 1) await app.socket(token);
  await expect(app.socket(token)).rejects.toMatchObject({ data: { code: 'tooManyAttempts' } });
  expect(await app.socket((await registerUser(app)).token)).toMatchObject({ connected: true });
});
