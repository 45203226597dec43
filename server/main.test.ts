import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { findRunningPostgres } from './db/embedded/connections.ts';
import { copyCluster } from './testing/database.ts';
import { eventually } from './testing/eventually.ts';
import { newPerson, openCase, registerAdmin } from './testing/factories.ts';
import { freePort, removeAll, startProcess, type ServerProcess } from './testing/process.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '..');

let base: string;
/** Shared by the tests, because creating a database takes the longest. */
let dataDir: string;
const started: ServerProcess[] = [];

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-main-'));
  dataDir = path.join(base, 'data');
  copyCluster(dataDir);
});
afterEach(async () => {
  for (const server of started.splice(0)) {
    server.disconnect();
    await server.kill();
  }
});
afterAll(() => removeAll(base));

async function start(env: Record<string, string> = {}, cwd?: string) {
  const variables = { PORT: String(await freePort()), DATA_DIR: dataDir, ...env };
  const server = startProcess({ env: variables, ...(cwd && { cwd }) });
  started.push(server);
  return server;
}

async function startReady(env: Record<string, string> = {}, cwd?: string) {
  const server = await start(env, cwd);
  await server.ready;
  return server;
}

/** The output of a process that refused to start. */
async function refusal(server: ServerProcess) {
  const { code } = await server.exited;
  const { stdout, stderr } = server.output();
  return { code, stdout, lines: stderr.split('\n').slice(0, -1) };
}

/** Less than the 72 seconds for which idle connections stay open. */
const SOONER_THAN_IDLE = 60_000;

/** The server ends without waiting for idle clients, and leaves no process behind. */
async function expectClean(server: ServerProcess, since: number) {
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await eventually(() => expect(server.left()).toEqual([]));
  expect(performance.now() - since).toBeLessThan(SOONER_THAN_IDLE);
  expect(server.output().stderr).toBe('');
}

describe('stopping', () => {
  /** A registration that waits in the database until it is released. */
  async function holdRegistration(server: ServerProcess) {
    const connections = findRunningPostgres(path.join(dataDir, 'postgres'));
    if (!connections) throw new Error('no database runs');
    const client = new pg.Client(connections.connection);
    await client.connect();
    await client.query(`select pg_advisory_lock(hashtext('matterdesk.admins'))`);
    const reply = server.call(accountRoutes.register, { body: newPerson() });
    await eventually(async () => {
      const { rows } = await client.query(`select from pg_locks where not granted`);
      expect(rows).toHaveLength(1);
    });
    return { reply, release: () => client.end() };
  }

  const isListening = (server: ServerProcess) =>
    server.request('/healthz').then(
      () => true,
      () => false,
    );

  test.each([
    ['SIGTERM', 'process'],
    ['SIGTERM', 'group'],
    ['SIGINT', 'process'],
    ['SIGINT', 'group'],
  ] as const)('by %s to the %s finishes requests in flight', async (signal, to) => {
    const server = await startReady();
    const { reply, release } = await holdRegistration(server);
    server.tree();
    const since = performance.now();
    server.signal(signal, to);
    await eventually(async () => expect(await isListening(server)).toBe(false));
    // A second signal changes nothing.
    server.signal(signal, to);
    await release();
    expect(await reply).toMatchObject({ status: 201, message: 'Account created' });
    await expectClean(server, since);
  });

  test('does not wait for idle clients, nor forever for an upload that does not end', async () => {
    const server = await startReady();
    const admin = await registerAdmin(server);
    const socket = await server.socket(admin.token);
    const farewell = new Promise((resolve) => socket.once('disconnect', resolve));
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    const get = () =>
      new Promise<number>((resolve, reject) => {
        const request = httpRequest(`${server.url}/healthz`, { agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        });
        request.once('error', reject).end();
      });
    await Promise.all(Array.from({ length: 5 }, get));
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
    silent.on('error', () => undefined);
    await new Promise<void>((resolve) => silent.once('connect', () => resolve()));
    const upload = httpRequest(`${server.url}/api/v1/cases/import`, {
      method: 'POST',
      headers: {
        'x-auth-token': admin.token,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
      },
    });
    const cut = new Promise<Error>((resolve) => upload.once('error', resolve));
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n');
    const drip = setInterval(() => upload.write('a,b,c\r\n'), 50);
    await openCase(server, admin.token);
    server.tree();
    const since = performance.now();
    server.signal('SIGTERM');
    await expectClean(server, since);
    clearInterval(drip);
    expect((await cut).message).toMatch(/socket hang up|ECONNRESET|EPIPE/);
    expect(await farewell).toBe('transport close');
    agent.destroy();
  });

  test('during a start leaves no process behind, and the next start succeeds', async () => {
    const own = path.join(base, 'interrupted');
    for (const step of ['Creating the database', 'Starting the database']) {
      const server = await start({ DATA_DIR: own });
      await eventually(() => expect(server.output().stdout).toContain(step));
      server.tree();
      const since = performance.now();
      server.signal('SIGTERM');
      await expectClean(server, since);
    }
    const server = await startReady({ DATA_DIR: own });
    expect(await server.request('/readyz')).toMatchObject({ status: 200 });
  });
});

describe('a second start on the same data', () => {
  test('is refused with one line, and does not disturb the first', async () => {
    const first = await startReady();
    const admin = await registerAdmin(first);
    const second = await start({ HOST: '127.0.0.2' });
    expect(await refusal(second)).toEqual({
      code: 1,
      stdout: '',
      lines: [`DATA_DIR ${dataDir} is already in use by another Matterdesk`],
    });
    expect(second.left()).toEqual([]);
    expect(await openCase(first, admin.token)).toMatchObject({ statusType: 'Active' });
    first.signal('SIGTERM');
    expect(await first.exited).toMatchObject({ code: 0 });
    await startReady();
  });
});

test.each(['1', '2'])(
  'the server serves on after a stop signal until DRAIN_SECONDS have passed, and refuses readiness: PROCESSES=%s',
  async (count) => {
    const draining = await startReady({ DRAIN_SECONDS: '300', PROCESSES: count });
    draining.signal('SIGTERM');
    await expect.poll(async () => (await draining.request('/readyz')).status).toBe(404);
    expect((await draining.request('/readyz')).text).toBe('{"status":"stopping"}');
    expect(await draining.request('/healthz')).toMatchObject({ status: 200 });
    await registerAdmin(draining);
    await draining.kill();
    const brief = await startReady({ DRAIN_SECONDS: '1', PROCESSES: count });
    brief.signal('SIGTERM');
    expect(await brief.exited).toMatchObject({ code: 0 });
  },
);

describe('a start is refused with one line, before the server listens, for', () => {
  const key = 'a'.repeat(64);
  const database = 'postgres://user:secret@127.0.0.1:1/name';
  test.each<[Record<string, string>, string]>([
    [{ PORT: 'x' }, 'PORT takes a whole number from 1 to 65535'],
    [{ AI_URL: 'here' }, 'AI_URL takes an address'],
    [{ DATABASE_URL: database }, 'SECRET_KEY is required with DATABASE_URL'],
    [{ DATABASE_URL: database, SECRET_KEY: key }, 'DATABASE_URL cannot be used: connect ECONNREF'],
    [{ DATA_DIR: '/proc/nowhere' }, 'DATA_DIR /proc/nowhere cannot be used: '],
    [{ DATA_DIR: '/etc/hostname' }, 'DATA_DIR /etc/hostname cannot be used: '],
  ])('%j', async (env, line) => {
    const said = await refusal(await start(env));
    expect(said).toMatchObject({ code: 1, lines: [expect.stringContaining(line)] });
    expect(said.stdout + said.lines[0]).not.toMatch(/secret|Matterdesk is ready/);
  });

  test('an invalid key file', async () => {
    const own = path.join(base, 'bad-key');
    mkdirSync(own);
    writeFileSync(path.join(own, 'secret.key'), 'nonsense\n');
    const { code, lines } = await refusal(await start({ DATA_DIR: own }));
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [`${own}/secret.key must hold 64 hexadecimal digits`],
    });
  });

  test.each(['1', '2'])(
    'a port in use, however far its jobs are: PROCESSES=%s',
    async (processes) => {
      const other = createServer();
      const port = String(await freePort());
      await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
      for (let n = 0; n < 5; n += 1) {
        const taken = await start({ PORT: port, PROCESSES: processes });
        const { code, stdout, lines } = await refusal(taken);
        expect({ code, lines }).toEqual({
          code: 1,
          lines: [`PORT ${port} on HOST 127.0.0.1 cannot be used (EADDRINUSE)`],
        });
        expect(stdout).not.toMatch(/^\{|queue\.ts|Matterdesk is ready/m);
        expect(taken.left()).toEqual([]);
      }
      other.close();
    },
  );

  test('a foreign host', async () => {
    const port = String(await freePort());
    const foreign = await start({ PORT: port, HOST: '192.0.2.1' });
    expect(await refusal(foreign)).toMatchObject({
      code: 1,
      lines: [`PORT ${port} on HOST 192.0.2.1 cannot be used (EADDRNOTAVAIL)`],
    });
    expect(foreign.left()).toEqual([]);
  });
});

describe('DATA_DIR', () => {
  test('is relative to the checkout', async () => {
    const relative = `node_modules/.cache/matterdesk-${process.pid}`;
    const server = await startReady({ DATA_DIR: relative }, os.tmpdir());
    const place = path.join(CHECKOUT, relative);
    await expect.poll(() => server.output().stdout).toContain(`Data lives in ${place}\n`);
    const confined = /read in confined processes: (bubblewrap|namespaces|user|permissions only)/;
    await expect.poll(() => server.output().stdout).toMatch(confined);
    expect(statSync(path.join(place, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    await server.kill();
    removeAll(place);
  });

  test('may contain spaces, quotes and any Unicode, and be longer than a socket path allows', async () => {
    const odd = path.join(base, `ünï côdé 'q' "d" $HOME \\ %s 👩🏽‍⚖️ ${'long '.repeat(30)}`.trim());
    copyCluster(odd);
    const server = await startReady({ DATA_DIR: odd });
    const admin = await registerAdmin(server);
    const opened = await openCase(server, admin.token);
    server.signal('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0 });
    const again = await startReady({ DATA_DIR: odd });
    const headers = { 'x-auth-token': admin.token };
    expect(await again.request(`/api/v1/cases/${opened.id}`, { headers })).toMatchObject({
      status: 200,
      body: { case: opened },
    });
  });
});

test('the server treats an empty variable as unset', async () => {
  const empty = Object.fromEntries(
    ['HOST', 'PUBLIC_URL', 'TRUST_PROXY', 'DATABASE_URL', 'SECRET_KEY', 'REGISTRATION'].map(
      (name) => [name, ''],
    ),
  );
  const server = await startReady({ ...empty, LOG_LEVEL: '', MAX_UPLOAD_MB: '', S3_ENDPOINT: '' });
  expect(server.output().stdout).toContain(`Matterdesk is ready at http://localhost:`);
  expect(await server.call(accountRoutes.register, { body: newPerson() })).toMatchObject({
    status: 201,
  });
});
