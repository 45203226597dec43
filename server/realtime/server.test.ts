import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { socketOptions } from '@matterdesk/contract/socket.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { openDatabase } from '../db/connect.ts';
import { findEnded, type OpenSession } from '../db/sessions.ts';
import { termsOf } from '../features/accounts/rules.ts';
import { createLog } from '../log.ts';
import { startTestApp, type TestApp, suite } from '../testing/app.ts';
import { rawReplyOf, type TestSocket } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import {
  addTask,
  openCase,
  registerAdmin,
  registerUser,
  signIn,
  type SignedInPerson,
} from '../testing/factories.ts';
import { createSocketServer, guardSockets } from './server.ts';

let here: TestApp;
/** A second process of the same firm. */
let there: TestApp;
let admin: SignedInPerson;
const opened: Socket[] = [];

beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ database: here.database });
  admin = await registerAdmin(here);
});
afterEach(() => {
  for (const socket of opened.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** A reconnecting Socket.IO client. */
function openClient(app: { url: string }, query: Record<string, string>, transport = 'websocket') {
  const { timeout: _, ...options } = socketOptions;
  const socket = io(app.url, { ...options, query, transports: [transport], forceNew: true });
  opened.push(socket);
  return socket;
}

/** Events about a socket's end, in order. */
function farewellOf(socket: TestSocket | Socket): unknown[] {
  const received: unknown[] = [];
  const any = socket as Socket;
  any.on('session.ended', (payload) => received.push(payload));
  any.on('disconnect', (reason) => received.push(reason));
  return received;
}

describe('a socket', () => {
  test.each<Record<string, string>>([
    {},
    { token: '' },
    { token: 'nonsense' },
    { token: 'x'.repeat(5000) },
  ])('is refused without a valid token', async (query) => {
    const socket = openClient(here, query);
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    expect(error.message).toBe('Unauthorized token provided');
    // The refusal is final, so the client does not reconnect.
    expect(socket.active).toBe(false);
  });

  test('is refused after the end of its session', async () => {
    const { token } = await registerUser(here);
    await here.call(accountRoutes.logout, { token });
    await expect(there.socket(token)).rejects.toThrow('Unauthorized token provided');
  });

  test.each(['websocket', 'polling'])('works over %s', async (transport) => {
    const { token } = await registerUser(here);
    const socket = openClient(there, { token }, transport);
    await eventually(() => expect(socket.connected).toBe(true));
    expect(socket.io.engine.transport.name).toBe(transport);
    const received: unknown[] = [];
    socket.on('case.created', (one) => received.push(one));
    const one = await openCase(here, admin.token);
    await eventually(() => expect(received).toContainEqual(one));
    const farewell = farewellOf(socket);
    await here.call(accountRoutes.logout, { token });
    await eventually(() => expect(farewell).toHaveLength(2));
    expect(farewell).toEqual([{ reason: 'logout' }, 'io server disconnect']);
  });

  test('cannot send events to the server or to others', async () => {
    const { token } = await registerUser(here);
    const [loud, quiet] = [openClient(here, { token }), await here.socket(token)];
    const received = vi.fn<(name: string) => void>();
    quiet.onAny(received);
    await eventually(() => expect(loud.connected).toBe(true));
    loud.emit('case.created', { id: 'x' });
    loud.emit('session.ended', { reason: 'logout' });
    const { id } = await openCase(here, admin.token);
    await eventually(() =>
      expect(received.mock.calls.map(([name, one]: unknown[]) => [name, one])).toContainEqual([
        'case.created',
        expect.objectContaining({ id }),
      ]),
    );
    expect(
      received.mock.calls.every(([, one]: unknown[]) => (one as { id: string }).id !== 'x'),
    ).toBe(true);
  });

  test('leaves no token in the log', async () => {
    const { token } = await registerUser(here);
    const socket = openClient(here, { token }, 'polling');
    await eventually(() => expect(socket.connected).toBe(true));
    openClient(here, { token: 'a-wrong-token-to-look-for' });
    await expect(here.socket('another-wrong-token')).rejects.toThrow('Unauthorized');
    const log = JSON.stringify(here.logLines());
    for (const secret of [token, 'a-wrong-token-to-look-for', 'another-wrong-token'])
      expect(log).not.toContain(secret);
  });
});

describe('the end of a session', () => {
  test('by logout is sent to its own tabs in every process, which are then disconnected', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { email, token } = await signIn(here, admin.email);
      const other = await signIn(there, email);
      const tabs = [here, here, there, there].map((app) => app.socket(token));
      const farewells = (await Promise.all(tabs)).map(farewellOf);
      const stays = farewellOf(await there.socket(other.token));
      await here.call(accountRoutes.logout, { token });
      const ended = [{ reason: 'logout' }, 'io server disconnect'];
      await eventually(() => expect(farewells).toEqual([ended, ended, ended, ended]));
      expect(stays).toEqual([]);
    }
  });

  test('by deactivation reaches every tab of the user', async () => {
    const person = await registerUser(here);
    const other = await signIn(there, person.email);
    const sockets = [
      here.socket(person.token),
      there.socket(person.token),
      there.socket(other.token),
    ];
    const farewells = (await Promise.all(sockets)).map(farewellOf);
    const stays = farewellOf(await there.socket(admin.token));
    const params = { id: person.id };
    await here.call(accountRoutes.deactivateUser, { token: admin.token, params });
    const ended = [{ reason: 'deactivated' }, 'io server disconnect'];
    await eventually(() => expect(farewells).toEqual([ended, ended, ended]));
    expect(stays).toEqual([]);
    await expect(there.socket(other.token)).rejects.toThrow('Unauthorized token provided');
  });

  test.each(['logout', 'deactivated'] as const)(
    'by %s disconnects a socket that was still connecting',
    async (reason) => {
      const person = await registerUser(here);
      const { rows } = await here.pool.query<{ id: string }>(
        'select id from sessions where user_id = $1',
        [person.id],
      );
      const owner = { ...admin, id: person.id, sessionId: rows[0]?.id ?? '' };
      // The session ends between the token's check and the socket's arrival.
      const ownerOf = async () => {
        if (reason === 'logout') await here.call(accountRoutes.logout, { token: person.token });
        else
          await here.call(accountRoutes.deactivateUser, {
            token: admin.token,
            params: { id: person.id },
          });
        return owner;
      };
      const db = openDatabase(here.pool);
      const terms = termsOf({ idleMinutes: 60 });
      const http = createServer();
      const log = createLog('silent');
      const sockets = createSocketServer({ http, pool: here.pool, listening: here.pool, log });
      // A client that connects before is closed, since it may have missed events.
      const isListening = new Promise<void>((resolve) => sockets.onMissed(resolve));
      const ended = (open: OpenSession[]) => findEnded(db, open, terms);
      const guard = guardSockets(sockets.io, { ownerOf, ended }, log);
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      await isListening;
      const { port } = http.address() as AddressInfo;
      const socket = openClient({ url: `http://127.0.0.1:${port}` }, { token: person.token });
      const farewell = farewellOf(socket);
      await eventually(() => expect(farewell).toEqual([{ reason }, 'io server disconnect']));
      guard.stop();
      await sockets.close();
    },
  );

  test('by expiry is sent within a minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const clocked = await startTestApp({ database: here.database });
    const [idle, old, living] = [
      await registerUser(here),
      await registerUser(here),
      await registerUser(here),
    ];
    const sockets = [idle, old, living].map(({ token }) => clocked.socket(token));
    const farewells = (await Promise.all(sockets)).map(farewellOf);
    const age = (id: string, column: string, hours: number) =>
      here.pool.query(
        `update sessions set ${column} = now() - make_interval(hours => $2) where user_id = $1`,
        [id, hours],
      );
    await age(idle.id, 'last_seen_at', 13);
    await age(old.id, 'created_at', 24 * 31);
    await age(living.id, 'created_at', 24 * 29);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    const ended = [{ reason: 'expired' }, 'io server disconnect'];
    await eventually(() => expect(farewells).toEqual([ended, ended, []]));
    await clocked.close();
  });
});

test('a move appears on other boards right away', async () => {
  const { id } = await openCase(here, admin.token);
  const task = await addTask(here, admin.token, { case: id, assignedTo: admin.id });
  const { token } = await registerUser(here);
  const params = { id: task.id };
  const times = { same: [] as number[], other: [] as number[] };
  const sockets = { same: await here.socket(token), other: await there.socket(token) };
  const types = ['adr', 'discovery'] as const;
  for (let round = 0; round < 60; round += 1) {
    const begun = performance.now();
    const received = (['same', 'other'] as const).map(
      (name) =>
        new Promise<void>((resolve) => {
          sockets[name].once('task.updated', () => {
            times[name].push(performance.now() - begun);
            resolve();
          });
        }),
    );
    const body = { type: types[round % 2] };
    await here.call(taskRoutes.changeTask, { token, params, body });
    await Promise.all(received);
  }
  const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[56]?.toFixed(1);
  console.info(
    `move to another socket, p95 of 60: ${p95(times.same)} ms in the same process, ${p95(times.other)} ms in another`,
  );
  expect(times.other).toHaveLength(60);
});

// Last, for its processes may close their connections once more while they come back.
test('a process that missed notifications disconnects its clients, so that they refetch', async () => {
  const { token } = await registerUser(here);
  // Both processes lose their listening connection, and each comes back in its own time.
  const sockets = [openClient(here, { token }), openClient(there, { token })];
  await eventually(() => expect(sockets.map(({ connected }) => connected)).toEqual([true, true]));
  const farewells = sockets.map(farewellOf);
  const returned = sockets.map(
    (socket) => new Promise((resolve) => socket.io.once('reconnect', resolve)),
  );
  await here.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`,
  );
  await Promise.all(returned);
  expect(farewells.map(([first]) => first)).toEqual(['transport close', 'transport close']);
  const received: unknown[][] = [[], []];
  for (const [at, socket] of sockets.entries())
    socket.on('case.created', (one) => received[at]?.push(one));
  // Changes during a disconnect are refetched, so only a case opened afterwards is certain to arrive.
  for (const cases of received)
    await eventually(async () => {
      const one = await openCase(here, admin.token);
      await vi.waitFor(() => expect(cases).toContainEqual(one));
    });
});

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
