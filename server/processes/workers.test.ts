import { Agent, request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import { eventually } from '../testing/eventually.ts';
import { openCase, registerAdmin } from '../testing/factories.ts';
import { connectTo, newPlace, startProcess, type ServerProcess } from '../testing/process.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
const started: ServerProcess[] = [];

beforeAll(async () => {
  place = await newPlace();
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});
afterAll(() => place.remove());

function start() {
  const server = startProcess({ env: { ...place.env, PROCESSES: '2', LOG_LEVEL: 'info' } });
  started.push(server);
  return server;
}

async function startReady() {
  const server = start();
  await server.ready;
  return server;
}

type Line = { process?: number; requestId?: string; msg: string };

function logOf(server: ServerProcess): Line[] {
  const lines = server.output().stdout.split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

/** The numbers of the processes that served some requests, undefined until the log has them. */
function servedBy(server: ServerProcess, requestIds: string[]): (number | undefined)[] {
  const numbers = new Map(logOf(server).map((line) => [line.requestId, line.process]));
  return requestIds.map((id) => numbers.get(id));
}

/** Numbers of the processes that serve a few requests, each on a connection of its own. */
async function reached(server: ServerProcess): Promise<Set<number | undefined>> {
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1)
    ids.push((await get(server, { path: '/healthz' })).requestId);
  return eventually(() => {
    const numbers = servedBy(server, ids);
    expect(numbers).not.toContain(undefined);
    return new Set(numbers);
  });
}

type Ask = { path: string; agent?: Agent | false; token?: string };

function get(server: ServerProcess, { path: asked, agent = false, token = '' }: Ask) {
  const headers = { 'x-auth-token': token };
  return new Promise<{ status: number; requestId: string }>((resolve, reject) => {
    const request = httpRequest(server.url + asked, { agent, headers }, (reply) => {
      const requestId = String(reply.headers['x-request-id']);
      reply.once('error', reject);
      reply.resume().once('end', () => resolve({ status: reply.statusCode ?? 0, requestId }));
    });
    request.once('error', reject).end();
  });
}

/** Sends the signal to the first process, or to the group. */
async function expectStopped(server: ServerProcess, to: 'process' | 'group') {
  const { token } = await registerAdmin(server);
  await server.socket(token);
  server.tree();
  server.signal('SIGTERM', to);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await eventually(() => expect(server.left()).toEqual([]));
  expect(server.output().stderr).toBe('');
  server.disconnect();
}

describe('two processes', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = start();
    // It lives until the last of these tests stops it.
    started.pop();
    await server.ready;
  });
  afterAll(() => server.kill());

  test('serve one port, one realtime world, and the sum of their metrics', async () => {
    const admin = await registerAdmin(server);
    expect(await reached(server)).toEqual(new Set([1, 2]));
    const sockets = [];
    // Connections go to the processes in turn.
    for (let count = 0; count < 4; count += 1) sockets.push(await server.socket(admin.token));
    const received = sockets.map((socket) => {
      const names: string[] = [];
      socket.on('case.created', ({ caseName }: Case) => names.push(caseName));
      return names;
    });
    const opened = [await openCase(server, admin.token), await openCase(server, admin.token)];
    const names = opened.map(({ caseName }) => caseName);
    await eventually(() => {
      for (const list of received) expect(list).toEqual(names);
    });
    const requests = logOf(server).filter(({ msg }) => msg === 'request').length;
    const { text } = await server.request('/metrics');
    const counts = [...text.matchAll(/^http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
    const sum = counts.reduce((total, [, count]) => total + Number(count), 0);
    expect(sum).toBeGreaterThanOrEqual(requests);
  });

  test('wait once for each round', async () => {
    const client = await connectTo(place);
    const waiting = () =>
      client.query<{ name: string; count: string }>(
        `select name, count(*) from jobs.job where state in ('created', 'retry', 'active')
         group by name order by name`,
      );
    await eventually(async () => {
      const { rows } = await waiting();
      expect(rows.length).toBeGreaterThan(3);
      for (const { count } of rows) expect(Number(count)).toBe(1);
      // Each process cleans up the files written under its own number.
      expect(rows.filter(({ name }) => name.startsWith('files-'))).toHaveLength(2);
    });
    await client.end();
  });

  test('stop by a signal to the first', () => expectStopped(server, 'process'));
});

test('two processes stop by a signal to the group', async () => {
  await expectStopped(await startReady(), 'group');
});

test('a process that is killed under load is replaced, and no request of another fails', async () => {
  const server = await startReady();
  const { token } = await registerAdmin(server);
  const stopping = new AbortController();
  const clients = Array.from({ length: 8 }, () => ({
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    ids: [] as string[],
    failures: [] as string[],
    after: 0,
  }));
  const load = clients.map(async (client) => {
    while (!stopping.signal.aborted) {
      const asked = { path: '/api/v1/cases?limit=5', agent: client.agent, token };
      try {
        const { status, requestId } = await get(server, asked);
        expect(status).toBe(200);
        if (client.failures.length === 0) client.ids.push(requestId);
        client.after += 1;
      } catch (error) {
        client.failures.push(String(error));
      }
    }
  });
  await eventually(() => {
    for (const { ids } of clients) expect(ids.length).toBeGreaterThan(5);
  });
  const [victim = 0, other] = server.workers();
  process.kill(victim, 'SIGKILL');
  await eventually(() => {
    const now = server.workers();
    expect(now).toHaveLength(2);
    expect(now).toContain(other);
    expect(now).not.toContain(victim);
  });
  await eventually(async () => expect(await reached(server)).toEqual(new Set([1, 2])));
  for (const client of clients) client.after = 0;
  await eventually(() => {
    for (const { after } of clients) expect(after).toBeGreaterThan(5);
  });
  stopping.abort();
  await Promise.all(load);
  const ended = logOf(server).filter(({ msg }) => msg === 'process ended');
  expect(ended).toMatchObject([{ process: 1, signal: 'SIGKILL' }]);
  // A client keeps its connection until it fails; the last lines of a killed process are lost with it.
  const survivors = await eventually(() => {
    const numbers = clients.map(({ ids }) =>
      servedBy(server, ids).find((number) => number !== undefined),
    );
    const isUnknown = clients.map(
      ({ failures }, index) => failures.length === 0 && numbers[index] === undefined,
    );
    expect(isUnknown).not.toContain(true);
    return clients.filter((_client, index) => numbers[index] === 2);
  });
  expect(survivors.length).toBeGreaterThan(0);
  expect(survivors.map(({ failures }) => failures)).toEqual(survivors.map(() => []));
  for (const { agent } of clients) agent.destroy();
});

test('no client waits for an answer of a process that was killed before it took the connection', async () => {
  const server = await startReady();
  const [victim = 0] = server.workers();
  process.kill(victim, 'SIGSTOP');
  const asked = Array.from({ length: 4 }, () => get(server, { path: '/healthz' }));
  let settled = 0;
  for (const one of asked) void one.catch(() => undefined).then(() => (settled += 1));
  // The other process serves all but the one that waits to be taken.
  await eventually(() => expect(settled).toBe(3));
  process.kill(victim, 'SIGKILL');
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    ...Array<string>(3).fill('fulfilled'),
    'rejected',
  ]);
});

test('the server ends everything when the first process is killed, and the next start succeeds', async () => {
  const server = await startReady();
  server.tree();
  process.kill(server.pid, 'SIGKILL');
  await eventually(() => expect(server.left()).toEqual([]));
  const next = await startReady();
  expect(await next.request('/readyz')).toMatchObject({ status: 200 });
  const second = start();
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.output().stderr).toBe(
    `DATA_DIR ${place.dataDir} is already in use by another Matterdesk\n`,
  );
});
