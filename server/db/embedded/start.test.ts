import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAll } from '../../testing/process.ts';
import { locateBinaries } from './cluster.ts';
import { findRunningPostgres, type Connection } from './connections.ts';
import { startEmbeddedPostgres } from './start.ts';

let base: string;

beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-start-'));
});

afterAll(() => removeAll(base));

function place(name: string) {
  const parent = path.join(base, name);
  fs.mkdirSync(parent, { recursive: true });
  return path.join(parent, 'postgres');
}

function start(directory: string, steps: string[] = []) {
  return startEmbeddedPostgres({
    directory,
    log: () => undefined,
    onProgress: (step) => steps.push(step),
  });
}

async function ask(connection: Connection, sql: string) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test.each([
  ['a plain name', 'plain'],
  [
    'blanks, commas, quotes, letters of the world, and more of them than a socket path has',
    `a, "b" 'c' \\d $e/Übergröße 日本 🗂️/${'long/'.repeat(30)}${'d'.repeat(200)}`,
  ],
])(
  'the embedded database starts twice on the same data below a directory with %s',
  async (_, name) => {
    const directory = place(name);
    const steps: string[] = [];
    const first = await start(directory, steps);
    await ask(first.connection, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start(directory, steps);
    expect(await ask(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    const found = findRunningPostgres(directory);
    expect(found?.superuser).toEqual(second.superuser);
    await second.stop();
    await second.stop();
    expect(findRunningPostgres(directory)).toBeUndefined();
    expect(steps).toEqual([
      'Creating the database',
      'Starting the database',
      'Starting the database',
    ]);
  },
);

test('the embedded database gives the application its own database without privileges over the server', async () => {
  const postgres = await start(place('roles'));
  const whoAmI = `select current_user::text as role, current_database()::text as database,
    (select rolsuper from pg_roles where rolname = current_user) as super`;
  expect(await ask(postgres.connection, whoAmI)).toEqual([
    { role: 'app', database: 'app', super: false },
  ]);
  expect(await ask(postgres.superuser, whoAmI)).toEqual([
    { role: 'postgres', database: 'postgres', super: true },
  ]);
  await expect(ask({ ...postgres.connection, password: 'wrong' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
  await postgres.stop();
});

test('the embedded database cleans up after an interrupted first start', async () => {
  const directory = place('interrupted');
  const draft = `${directory}.init-99999999-0badc0de`;
  fs.mkdirSync(draft);
  fs.writeFileSync(path.join(draft, 'PG_VERSION'), '18');
  fs.writeFileSync(`${draft}.pw`, 'secret');
  const postgres = await start(directory);
  await postgres.stop();
  expect(fs.readdirSync(path.dirname(directory))).toEqual(['postgres']);
});

test('the embedded database reports another major version in one sentence', async () => {
  const directory = place('older');
  fs.mkdirSync(directory);
  fs.writeFileSync(path.join(directory, 'PG_VERSION'), '17\n');
  await expect(start(directory)).rejects.toThrow(
    `${directory} was made by PostgreSQL 17 (its PG_VERSION), but this is PostgreSQL ${locateBinaries().major}`,
  );
});

test('the embedded database leaves other directories and files alone', async () => {
  const directory = place('foreign');
  fs.mkdirSync(directory);
  fs.writeFileSync(path.join(directory, 'letter.txt'), 'Dear Sirs');
  await expect(start(directory)).rejects.toThrow('it has no PG_VERSION');
  expect(fs.readdirSync(directory)).toEqual(['letter.txt']);
  const file = place('file');
  fs.writeFileSync(file, '');
  await expect(start(file)).rejects.toThrow(`${file} is a file`);
});

test('the embedded database reports PostgreSQL’s own start failure in one line', async () => {
  const directory = place('settings');
  const starting = startEmbeddedPostgres({
    directory,
    log: () => undefined,
    settings: { shared_buffers: 'plenty' },
  });
  await expect(starting).rejects.toThrow(
    /^PostgreSQL does not work in [^\n]+shared_buffers[^\n]+$/,
  );
});

test('the embedded database gives the superuser a password of its own, also in a cluster that was made without', async () => {
  const directory = place('separate');
  const secret = path.join(directory, 'postgres.secret');
  const first = await start(directory);
  expect(first.superuser.password).not.toBe(first.connection.password);
  const shared = { ...first.superuser, password: first.connection.password };
  await expect(ask(shared, 'select 1')).rejects.toThrow('password authentication failed');
  // As it was made before.
  await ask(first.superuser, `alter role postgres password '${first.connection.password}'`);
  await first.stop();
  fs.rmSync(secret);

  const second = await start(directory);
  expect(await ask(second.superuser, 'select 42 answer')).toEqual([{ answer: 42 }]);
  await expect(ask(shared, 'select 1')).rejects.toThrow('password authentication failed');
  expect(fs.statSync(secret).mode & 0o777).toBe(0o600);
  await second.stop();
  // As a crash leaves it between the two steps.
  fs.renameSync(secret, `${secret}.new`);

  const third = await start(directory);
  expect(third.superuser).toEqual(second.superuser);
  expect(await ask(third.superuser, 'select 42 answer')).toEqual([{ answer: 42 }]);
  await third.stop();
});
