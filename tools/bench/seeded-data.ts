import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import { CHECKOUT, startProduct } from './product.ts';

const run = promisify(execFile);

/** Of everyone in the seeded firm, which only this machine reaches. */
export const PASSWORD = 'the password of the bench';

export type FirmSize = { cases: number; users: number; tasks: number };

/** Inputs that determine the seeded data. */
const SOURCES = [
  'tools/seed',
  'server/db/migrations',
  'server/features/cases',
  'server/features/contacts',
  'server/features/conflicts/names',
  'server/features/deadlines/limitations',
];
/** What brings seeded cases over beside the running server: none of it is daily work. */
const FIRST_ROUNDS = ['contacts', 'limitations', 'names'];

/** A seeded DATA_DIR. Seeding takes minutes, so the result is cached among temporary files until its inputs change. */
export async function prepareData(size: FirmSize, onSeed: () => void): Promise<string> {
  const kept = path.join(os.tmpdir(), `matterdesk-bench-${keyOf(size)}`);
  if (!fs.existsSync(kept)) {
    onSeed();
    await seed(kept, size);
  }
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-bench-run-'));
  // --archive keeps the owner, which may be PostgreSQL's user.
  await run('cp', ['--archive', '--reflink=auto', `${kept}/.`, copy]);
  return copy;
}

async function seed(kept: string, { cases, users, tasks }: FirmSize): Promise<void> {
  const draft = `${kept}.${process.pid}`;
  const script = path.join(CHECKOUT, 'tools/seed/main.ts');
  const counts = ['--cases', cases, '--users', users, '--tasks', tasks].map(String);
  const env = { PATH: process.env['PATH'], DATA_DIR: draft };
  await run(process.execPath, [script, ...counts, '--password', PASSWORD], { env, maxBuffer: 1e7 });
  await settle(draft);
  fs.renameSync(draft, kept);
}

async function settle(dataDir: string): Promise<void> {
  const product = await startProduct(dataDir);
  const found = findRunningPostgres(path.join(dataDir, 'postgres'));
  const client = new pg.Client(found?.connection);
  await client.connect();
  const done = new Set<string>();
  while (FIRST_ROUNDS.some((name) => !done.has(name))) {
    const { rows } = await client.query<{ name: string }>(
      "select distinct name from jobs.job where state = 'completed'",
    );
    for (const { name } of rows) done.add(name);
    await delay(1000);
  }
  await client.query('vacuum analyze');
  await client.end();
  await product.stop();
}

function keyOf({ cases, users, tasks }: FirmSize): string {
  const hash = createHash('sha256').update(JSON.stringify({ cases, users, tasks }));
  for (const folder of SOURCES.map((name) => path.join(CHECKOUT, name)))
    for (const name of fs.readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file)))
      hash.update(fs.readFileSync(path.join(folder, name)));
  // Seeded dates are relative to today, so the cache expires after a month.
  hash.update(new Date().toISOString().slice(0, 7));
  return hash.digest('hex').slice(0, 16);
}
