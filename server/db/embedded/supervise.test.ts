import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { removeAll } from '../../testing/process.ts';
import { readPidFile } from './predecessor.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts';

let base: string;
let directory: string;

beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-supervise-'));
  directory = path.join(base, 'postgres');
});

afterAll(() => removeAll(base));

function start() {
  return startEmbeddedPostgres({ directory, log: () => undefined });
}

function poolOf({ connection }: EmbeddedPostgres) {
  const pool = new pg.Pool(connection);
  pool.on('error', () => undefined);
  return pool;
}

function postmasterPid() {
  const pid = readPidFile(directory)?.pid;
  if (!pid) throw new Error('no PostgreSQL runs');
  return pid;
}

test('restarts a killed process on the same socket', async () => {
  const postgres = await start();
  const pool = poolOf(postgres);
  await pool.query('create table kept as select 1 as a');
  // A running statement would hold the old shared memory for a minute.
  const busy = pool.query('select count(*) from generate_series(1, 1e10)').catch(() => 'cut off');
  await eventually(async () => {
    const { rows } = await pool.query("select from pg_stat_activity where query like '%1e10%'");
    expect(rows.length).toBeGreaterThan(1);
  });
  process.kill(postmasterPid(), 'SIGKILL');
  expect(await busy).toBe('cut off');
  await eventually(() => pool.query('insert into kept values (2)'));
  expect((await pool.query('select count(*)::int as n from kept')).rows).toEqual([{ n: 2 }]);
  await pool.end();
  await postgres.stop();
});

test('the supervisor stops for good even during a restart', async () => {
  const lines: string[] = [];
  const postgres = await startEmbeddedPostgres({ directory, log: (line) => lines.push(line) });
  process.kill(postmasterPid(), 'SIGKILL');
  await eventually(() => expect(lines.at(-1)).toContain('restarting it'));
  await postgres.stop();
  expect(lines.filter((line) => line.includes('ready to accept'))).toHaveLength(1);
  const again = await start();
  await again.stop();
});

test('the supervisor stops a hung PostgreSQL without losing acknowledged writes', async () => {
  const postgres = await start();
  const pool = poolOf(postgres);
  await pool.query('create table stuck as select 1 as a');
  await pool.end();
  process.kill(postmasterPid(), 'SIGSTOP');
  await postgres.stop();
  const again = await start();
  const after = poolOf(again);
  expect((await after.query('select * from stuck')).rows).toEqual([{ a: 1 }]);
  await after.end();
  await again.stop();
});

test('the supervisor starts right away after its owner was killed, with every acknowledged write', async () => {
  const module = path.join(import.meta.dirname, 'start.ts');
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const { default: pg } = await import('pg');
    const { connection } = await startEmbeddedPostgres({
      directory: ${JSON.stringify(directory)}, log: () => undefined });
    const pool = new pg.Pool(connection);
    await pool.query('create table acknowledged (n int)');
    for (let n = 1; ; n += 1) {
      await pool.query('insert into acknowledged values ($1)', [n]);
      process.stdout.write(n + '\\n');
    }`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  });
  const exited = once(owner, 'exit');
  let output = '';
  owner.stdout.on('data', (data) => (output += String(data)));
  await eventually(() => expect(output.split('\n').length).toBeGreaterThan(50));
  owner.kill('SIGKILL');
  await exited;
  const acknowledged = Number(output.split('\n').at(-2));
  const postgres = await start();
  const pool = poolOf(postgres);
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from acknowledged');
  expect(rows[0]?.n).toBeGreaterThanOrEqual(acknowledged);
  await pool.end();
  await postgres.stop();
});

test('the supervisor creates a complete database after a first start that was killed midway', async () => {
  const parent = fs.mkdtempSync(path.join(base, 'first-'));
  const place = path.join(parent, 'postgres');
  const module = path.join(import.meta.dirname, 'start.ts');
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    await startEmbeddedPostgres({ directory: ${JSON.stringify(place)}, log: () => undefined });`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true });
  const exited = once(owner, 'exit');
  await eventually(() => {
    const drafts = fs.readdirSync(parent).filter((name) => name.includes('.init-'));
    expect(drafts.some((name) => fs.existsSync(path.join(parent, name, 'PG_VERSION')))).toBe(true);
  });
  process.kill(-Number(owner.pid), 'SIGKILL');
  await exited;
  expect(fs.existsSync(place)).toBe(false);
  const postgres = await startEmbeddedPostgres({ directory: place, log: () => undefined });
  const pool = poolOf(postgres);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await postgres.stop();
  expect(fs.readdirSync(parent)).toEqual(['postgres']);
});

test('the supervisor is not deceived by files of a PostgreSQL whose process id was reused', async () => {
  const { connection, stop } = await start();
  await stop();
  const unrelated = spawn('sleep', ['60']);
  const row = [unrelated.pid, directory, 1, connection.port, connection.host, '', '', 'ready', ''];
  fs.writeFileSync(path.join(directory, 'postmaster.pid'), row.join('\n'));
  fs.mkdirSync(connection.host, { mode: 0o700 });
  const lock = path.join(connection.host, `.s.PGSQL.${connection.port}.lock`);
  fs.writeFileSync(lock, row.slice(0, 5).join('\n'));
  const postgres = await start();
  const pool = poolOf(postgres);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await postgres.stop();
  expect(unrelated.kill()).toBe(true);
});
