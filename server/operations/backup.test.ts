import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import { findRunningPostgres } from '../db/embedded/connections.ts';
import { newCase, newPerson } from '../testing/factories.ts';

const SERVER = path.resolve(import.meta.dirname, '../main.ts');
const WRITERS = 8;

let base: string;
/** A DATA_DIR with an admin, one case and a file, its server stopped; and a backup of it. */
let firm: string;
let backupOfFirm: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-backup-'));
  firm = path.join(base, 'firm');
  const server = await startServer(firm);
  await call(server, '/users/register', admin);
  await call(server, '/cases', newCase({ caseNo: 'ONLY-1' }), await signIn(server));
  await server.stop();
  fs.mkdirSync(path.join(firm, 'files/ab'), { recursive: true });
  fs.writeFileSync(path.join(firm, 'files/ab/Klage "Ö".pdf'), 'bytes');
  backupOfFirm = path.join(base, 'not yet there', 'backup of the firm');
  const { status, stderr } = run('backup', firm, [backupOfFirm]);
  if (status !== 0) throw new Error(stderr);
}, 60_000);

afterAll(async () => {
  for (const child of running) await ended(child, 'SIGKILL');
  // A server that was killed leaves its database for a moment.
  fs.rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

type Server = { url: string; stop: () => Promise<void> };

async function startServer(dataDir: string): Promise<Server> {
  const port = await freePort();
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port) };
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += String(text)));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return { url, stop: () => ended(child, 'SIGTERM') };
    if (child.exitCode !== null) throw new Error(`the server ended: ${complaint}`);
    await delay(20);
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  running.delete(child);
  if (child.exitCode !== null || !child.kill(signal)) return;
  await once(child, 'exit');
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

type Command = 'backup' | 'restore';

function start(command: Command, dataDir: string, args: string[]) {
  const script = path.join(import.meta.dirname, `${command}.ts`);
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  return spawn(process.execPath, [script, ...args], { env, stdio: 'ignore' });
}

function run(command: Command, dataDir: string, args: string[], own: NodeJS.ProcessEnv = {}) {
  const script = path.join(import.meta.dirname, `${command}.ts`);
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...own };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

async function call<Body>(server: Server, url: string, body?: object, token = ''): Promise<Body> {
  const reply = await fetch(`${server.url}/api/v1${url}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-auth-token': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return ((await reply.json()) as { body: Body }).body;
}

const admin = newPerson({ role: 'admin' });

async function signIn(server: Server) {
  const { email, password } = admin;
  return (await call<{ token: string }>(server, '/users/login', { email, password })).token;
}

/** With its modes, which Node's own copying loses. */
function copyOf(directory: string, name: string) {
  const copy = path.join(base, name);
  expect(spawnSync('cp', ['--archive', directory, copy]).status).toBe(0);
  return copy;
}

async function caseNumbers(dataDir: string) {
  const server = await startServer(dataDir);
  const { cases } = await call<{ cases: Case[] }>(
    server,
    '/cases',
    undefined,
    await signIn(server),
  );
  await server.stop();
  return cases.map((one) => one.caseNo);
}

/** Opens cases as fast as it can; `acknowledged` holds the numbers of those that were answered. */
function writeAtFullSpeed(server: Server, token: string) {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  async function writer() {
    while (!stopping.signal.aborted) {
      const input = newCase();
      await call(server, '/cases', input, token);
      acknowledged.push(input.caseNo);
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  async function stop() {
    stopping.abort();
    await writers;
  }
  return { acknowledged, stop };
}

/** What PostgreSQL's own checker finds wrong with tables and indexes; it reads every page and its checksum. */
async function findDamage(dataDir: string): Promise<string[]> {
  const found = findRunningPostgres(path.join(dataDir, 'postgres'));
  const client = new pg.Client({ ...found?.superuser, database: 'app' });
  await client.connect();
  try {
    await client.query('create extension amcheck');
    await client.query(`
      select case am.amname when 'btree' then bt_index_check(c.oid, true)::text
        else gin_index_check(c.oid)::text end
      from pg_class c join pg_am am on am.oid = c.relam
      where c.relkind = 'i' and am.amname in ('btree', 'gin')`);
    const { rows } = await client.query<{ wrong: string }>(`
      select c.relname || ': ' || found.msg as wrong
      from pg_class c, verify_heapam(c.oid) found where c.relkind in ('r', 't', 'm')`);
    return rows.map((row) => row.wrong);
  } finally {
    await client.end();
  }
}

test('a backup taken under write load holds whatever was acknowledged before it began', async () => {
  const dataDir = path.join(base, 'busy');
  const server = await startServer(dataDir);
  await call(server, '/users/register', admin);
  const { acknowledged, stop } = writeAtFullSpeed(server, await signIn(server));
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(200);
  const before = [...acknowledged];
  const backup = path.join(base, 'busy-backup');
  const [code] = await once(start('backup', dataDir, [backup]), 'exit');
  expect(code).toBe(0);
  expect(acknowledged.length).toBeGreaterThan(before.length);
  await stop();
  await server.stop();

  const restored = path.join(base, 'busy-restored');
  expect(run('restore', restored, [backup])).toMatchObject({ status: 0, stderr: '' });
  const found = await caseNumbers(restored);
  expect(before.filter((number) => !found.includes(number))).toEqual([]);
  expect(new Set([...acknowledged, ...found]).size).toBe(new Set(acknowledged).size);
  const again = await startServer(restored);
  expect(await findDamage(restored)).toEqual([]);
  await again.stop();
  const key = (where: string) => fs.readFileSync(path.join(where, 'secret.key'), 'utf8');
  expect(key(restored)).toBe(key(dataDir));
}, 120_000);

test('a backup can be checked without us, and never goes where something is', () => {
  const check = ['--check', '--quiet', 'SHA256SUMS'];
  expect(spawnSync('sha256sum', check, { cwd: backupOfFirm }).status).toBe(0);
  const again = run('backup', firm, [backupOfFirm]);
  expect(again.stderr).toMatch(/^.* is there already: name a new directory\n$/);
  const inside = run('backup', firm, [path.join(firm, 'files/backup')]);
  expect(inside.stderr).toBe('A backup must not lie in DATA_DIR itself\n');
  expect(fs.readdirSync(path.dirname(backupOfFirm))).toEqual([path.basename(backupOfFirm)]);
});

test('restores over another firm, which is kept aside, and only when told to', async () => {
  const other = copyOf(firm, 'other');
  const key = path.join(other, 'secret.key');
  fs.writeFileSync(key, 'f'.repeat(64));
  const refused = run('restore', other, [backupOfFirm]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^DATA_DIR .* is not empty: with --replace[^\n]*\n$/);
  expect(fs.readFileSync(key, 'utf8')).toBe('f'.repeat(64));

  const { status, stdout } = run('restore', other, [backupOfFirm, '--replace']);
  expect(status).toBe(0);
  const aside = /lies in (.*): remove/.exec(stdout)?.[1] ?? '';
  expect(fs.readFileSync(path.join(aside, 'secret.key'), 'utf8')).toBe('f'.repeat(64));
  expect(fs.readdirSync(path.join(aside, 'postgres'))).toContain('PG_VERSION');
  expect(fs.readFileSync(path.join(other, 'files/ab/Klage "Ö".pdf'), 'utf8')).toBe('bytes');
  expect(await caseNumbers(other)).toEqual(['ONLY-1']);
}, 60_000);

test('refuses to restore into a directory that a server uses, and leaves it alone', async () => {
  const used = copyOf(firm, 'used');
  const server = await startServer(used);
  const before = fs.readdirSync(used).toSorted();
  const refused = run('restore', used, [backupOfFirm, '--replace']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^DATA_DIR .* is already in use by another Matterdesk\n$/);
  expect(fs.readdirSync(used).toSorted()).toEqual(before);
  expect(await signIn(server)).toBeTruthy();
  await server.stop();
}, 60_000);

test.each([
  ['a changed file', (data: string) => fs.appendFileSync(path.join(data, 'secret.key'), 'x')],
  ['a missing file', (data: string) => fs.rmSync(path.join(data, 'postgres/PG_VERSION'))],
  ['a strange file', (data: string) => fs.writeFileSync(path.join(data, 'strange'), '')],
])('refuses a backup with %s before anything changes', (name, damage) => {
  const backup = copyOf(backupOfFirm, `backup with ${name}`);
  damage(path.join(backup, 'data'));
  const names = () => fs.readdirSync(firm, { recursive: true, encoding: 'utf8' }).toSorted();
  const before = names();
  const refused = run('restore', firm, [backup, '--replace']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^The backup .* is damaged: data\/[\w/.]+ is not as it was[^\n]*\n$/,
  );
  expect(names()).toEqual(before);
});

test('says in one line what it takes and what it is not for', () => {
  const nobody = path.join(base, 'nobody');
  const managed = { DATABASE_URL: 'postgres://u:p@localhost/d', SECRET_KEY: 'a'.repeat(64) };
  const lines = [
    run('backup', nobody, []),
    run('backup', nobody, ['one', 'two']),
    run('backup', nobody, [path.join(base, 'empty-backup')]),
    run('backup', nobody, ['x'], managed),
    run('restore', nobody, []),
    run('restore', nobody, ['x', '--replaces']),
    run('restore', nobody, [base]),
    run('restore', nobody, ['x'], managed),
  ];
  for (const { status, stdout, stderr } of lines) {
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }
  expect(lines[3]?.stderr).toContain('backed up where it is managed');
  expect(fs.existsSync(nobody)).toBe(false);
});
