import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { MAX_CONNECTIONS_PER_CLIENT } from './connections.ts';

const PROCESSES = 20;
const MOST_OF_A_PROCESS = MAX_CONNECTIONS_PER_CLIENT / PROCESSES;
const apps: TestApp[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

async function start(env: Record<string, string> = {}) {
  const app = await startTestApp({ jobs: false, env });
  apps.push(app);
  return app;
}

/** Loopback has more than one address, and each is a client of its own. */
async function open(app: TestApp, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The status of a reply, or undefined when the connection ends without one. */
async function statusOf(socket: Socket, headers = '', path = '/healthz') {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
  const data = await Promise.race([once(socket, 'data'), once(socket, 'close')]).then(
    ([first]: unknown[]) => first,
    () => undefined,
  );
  return Buffer.isBuffer(data) ? Number(data.toString().split(' ')[1]) : undefined;
}

/** Connections that are answered once and stay open; in portions, as the system queues no more. */
async function hold(app: TestApp, count: number) {
  const held: Socket[] = [];
  while (held.length < count) {
    const more = Array.from({ length: Math.min(100, count - held.length) }, () => open(app));
    const opened = await Promise.all(more);
    const statuses = await Promise.all(opened.map((socket) => statusOf(socket)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    held.push(...opened);
  }
  return held;
}

test('one client has two thousand connections, which keep no one else out', async () => {
  const app = await start();
  const held = await hold(app, MAX_CONNECTIONS_PER_CLIENT);
  expect(await statusOf(await open(app))).toBeUndefined();
  expect(await statusOf(await open(app, '127.0.0.2'))).toBe(200);
  held[0]?.destroy();
  await eventually(async () => expect(await statusOf(await open(app))).toBe(200));
});

test('the processes of a machine share what one client may have', async () => {
  const app = await start({ PROCESSES: String(PROCESSES) });
  await hold(app, MOST_OF_A_PROCESS);
  expect(await statusOf(await open(app))).toBeUndefined();
});

describe('behind a proxy', () => {
  const UPGRADE = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  const namedBy = (client: string) => `X-Forwarded-For: ${client}\r\n`;
  // Few for a process, so that they are open before the first stranger's socket ends.
  const env = { TRUST_PROXY: '1', PROCESSES: String(PROCESSES) };

  async function openSocket(app: TestApp, client: string) {
    const headers = `${UPGRADE.join('\r\n')}\r\n${namedBy(client)}`;
    return statusOf(await open(app), headers, '/socket.io/?EIO=4&transport=websocket');
  }

  test('the connections are those of the clients that it names', async () => {
    const app = await start(env);
    const addresses = Array.from({ length: MOST_OF_A_PROCESS }, (_, n) => `2001:db8::${n + 1}`);
    const opened = await Promise.all(addresses.map((address) => openSocket(app, address)));
    expect(new Set(opened)).toEqual(new Set([101]));
    expect(await openSocket(app, '2001:db8::ffff')).toBe(429);
    expect(await statusOf(await open(app), namedBy('2001:db8::ffff'))).toBe(429);
    expect(await openSocket(app, '2001:db8:0:1::1')).toBe(101);
    expect(await statusOf(await open(app), namedBy('192.0.2.1'))).toBe(200);
  });

  test('its own connections have no limit', async () => {
    const most = 2 * MOST_OF_A_PROCESS;
    expect(await hold(await start(env), most)).toHaveLength(most);
  });
});
