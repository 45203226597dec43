import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import { readPidFile } from './db/embedded/predecessor.ts';
import { startTraffic, listen as listenTo, type Traffic, type Listener } from './testing/busy.ts';
import type { Reply } from './testing/client.ts';
import { copyCluster } from './testing/database.ts';
import { eventually } from './testing/eventually.ts';
import { openCase, PASSWORD, registerAdmin } from './testing/factories.ts';
import { startForeignPostgres } from './testing/foreign-postgres.ts';
import { freePort, removeAll, startProcess, type ServerProcess } from './testing/process.ts';

let base: string;
const started: ServerProcess[] = [];
const listeners: Listener[] = [];

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-restart-'));
  copyCluster(path.join(base, 'own'));
});
afterEach(async () => {
  for (const { socket } of listeners.splice(0)) socket.disconnect();
  for (const server of started.splice(0)) await server.kill();
});
afterAll(() => removeAll(base));

async function start(name: string, env: Record<string, string> = {}) {
  const place = { DATA_DIR: path.join(base, name), PORT: String(await freePort()) };
  const server = startProcess({ env: { LOG_LEVEL: 'warn', ...place, ...env } });
  started.push(server);
  await server.ready;
  return server;
}

function listen(server: ServerProcess, token: string): Listener {
  const listener = listenTo(server, token);
  listeners.push(listener);
  return listener;
}

/** Every call either succeeded or was told to retry. */
function expectOnlyUnavailable(replies: Reply<unknown>[]) {
  const refused = replies.filter(({ status }) => status !== 200 && status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, message, body, headers, text } of refused) {
    expect({ status, message, body }).toEqual({ ...errorCodes.unavailable, body: null });
    expect(JSON.parse(text)).toMatchObject({ statusCode: 503, code: 'unavailable', body: null });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  }
}

async function expectWritten(server: ServerProcess, token: string, { marker, written }: Traffic) {
  const { body } = await server.call(caseRoutes.listCases, { token });
  const found = body.cases
    .filter(({ judge }) => judge === marker)
    .map(({ caseNo }) => caseNo ?? '');
  expect(found.toSorted()).toEqual(written.toSorted());
}

const readiness = async (server: ServerProcess) => (await server.request('/readyz')).status;
const until = (server: ServerProcess, status: number) =>
  eventually(async () => expect(await readiness(server)).toBe(status));

/** Ids of the processes of the server's own database. */
function databaseOf(server: ServerProcess): number[] {
  const isPostgres = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n';
  return server.tree().filter(isPostgres);
}

test.each(['its postmaster', 'all its processes'] as const)(
  'recovers after its own database was killed: %s',
  async (which) => {
    const server = await start('own');
    const { token } = await registerAdmin(server);
    const first = listen(server, token);
    const busy = startTraffic([server], token);
    await eventually(() => expect(busy.written.length).toBeGreaterThan(10));
    const postmaster = readPidFile(path.join(base, 'own/postgres'))?.pid;
    const victims = databaseOf(server).filter(
      (pid) => which !== 'its postmaster' || pid === postmaster,
    );
    expect(victims).toContain(postmaster);
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    await until(server, 503);
    const second = listen(server, token);
    expect(await server.request('/healthz')).toMatchObject({ status: 200 });
    await until(server, 200);
    await busy.finish();
    expectOnlyUnavailable(busy.replies);
    await expectWritten(server, token, busy);
    // A disconnected socket misses events, so another case is opened for each attempt.
    await eventually(async () => {
      expect([first.socket.connected, second.socket.connected]).toEqual([true, true]);
      const { caseName } = await openCase(server, token);
      await vi.waitFor(() =>
        expect([first.received.at(-1), second.received.at(-1)]).toEqual([caseName, caseName]),
      );
    });
  },
);

test('the adapter keeps two processes in sync after a restart of their database', async () => {
  const database = await startForeignPostgres();
  const env = { DATABASE_URL: database.url, SECRET_KEY: '0123456789abcdef'.repeat(4) };
  const [one, two] = [await start('one', env), await start('two', env)];
  expect(one.output().stdout).toContain('set S3_* before a second process uses this database');
  const admin = await registerAdmin(one);
  const { token, email } = admin;
  const everyone = [listen(one, token), listen(two, token)];
  const busy = startTraffic([one, two], token);
  await eventually(() => expect(busy.written.length).toBeGreaterThan(10));
  await database.stop();
  await until(one, 503);
  await until(two, 503);
  for (const server of [one, two]) {
    const unavailable = { status: 503, message: errorCodes.unavailable.message, body: null };
    const credentials = { email, password: PASSWORD };
    expect(await server.call(accountRoutes.login, { body: credentials })).toMatchObject(
      unavailable,
    );
    expect(await server.call(accountRoutes.me, { token })).toMatchObject(unavailable);
    expect(await server.call(caseRoutes.listCases, { token })).toMatchObject(unavailable);
    expect(await server.call(caseRoutes.exportCases, { token })).toMatchObject(unavailable);
    expect(await server.request('/healthz')).toMatchObject({ status: 200 });
    everyone.push(listen(server, token));
  }
  await database.start();
  await until(one, 200);
  await until(two, 200);
  await busy.finish();
  expectOnlyUnavailable(busy.replies);
  await expectWritten(two, token, busy);
  for (const server of [one, two])
    await eventually(async () => {
      expect(everyone.every(({ socket }) => socket.connected)).toBe(true);
      const { caseName } = await openCase(server, token);
      await vi.waitFor(() =>
        expect(everyone.every(({ received }) => received.includes(caseName))).toBe(true),
      );
    });
  for (const server of [one, two]) {
    server.signal('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  }
  await database.drop();
});
