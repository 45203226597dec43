import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { SignedIn } from '@matterdesk/contract/accounts.ts';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import { freePort, SERVER_FLAGS } from '@matterdesk/server/testing/process.ts';
import { DOMAIN } from '../seed/people.ts';
import { BareDatabase } from './bare-database.ts';
import { HttpClient } from './http-client.ts';

/** The product over seeded data, and its database without it. */
export type Firm = { product: Product; database: BareDatabase };

/** Lends a copy of seeded data. */
export async function withData<Result>(
  size: FirmSize,
  onSeed: () => void,
  work: (dataDir: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = await prepareData(size, onSeed);
  try {
    return await work(dataDir);
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs the product meanwhile. */
export async function withFirm<Result>(
  dataDir: string,
  work: (firm: Firm) => Promise<Result>,
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const product = await startProduct(dataDir, env);
  try {
    const database = new BareDatabase(dataDir);
    try {
      return await work({ product, database });
    } finally {
      await database.close();
    }
  } finally {
    await product.stop();
  }
}

export const CHECKOUT = path.resolve(import.meta.dirname, '../..');

export type Product = {
  port: number;
  pid: number;
  /** Milliseconds from the start until /readyz succeeds. */
  startedIn: number;
  stop: () => Promise<void>;
};

const START_TIMEOUT_MS = 60_000;

/** Starts the real server in its own process. */
export async function startProduct(
  dataDir: string,
  more: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<Product> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [...SERVER_FLAGS, ...flags, path.join(CHECKOUT, 'server/main.ts')],
    {
      cwd: CHECKOUT,
      env: { ...ownEnvironment(), DATA_DIR: dataDir, PORT: String(port), ...more },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await becomesReady(child, port, begun + START_TIMEOUT_MS);
  return {
    port,
    pid: child.pid ?? 0,
    startedIn: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Like `npm start`, but with a 1 GB file limit; keeps the compile cache between starts. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE = path.join(CHECKOUT, '.cache/compile') } = process.env;
  return { PATH, NODE_COMPILE_CACHE, MAX_UPLOAD_MB: '2048' };
}

async function becomesReady(child: ChildProcess, port: number, deadline: number): Promise<void> {
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('The server ended instead of starting');
    if (performance.now() > deadline) throw new Error('The server did not become ready');
    await delay(5);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

const run = promisify(execFile);

/** Shared by everyone in the seeded firm, which only this machine reaches. */
export const PASSWORD = 'the password of the bench';

export type FirmSize = { cases: number; users: number; tasks: number };

/** Inputs that determine the seeded data. */
const SOURCES = [
  'tools/seed',
  'server/db/migrations',
  'server/features/cases',
  'server/features/contacts',
  'server/features/conflicts/names',
  'server/features/deadlines',
];
/** Backfills of seeded cases, done before measuring: none of it is daily work. */
const FIRST_ROUNDS = ['contacts', 'limitations', 'names'];

/** A seeded DATA_DIR. Seeding takes minutes, so the result is cached among temporary files until its inputs change. */
async function prepareData(size: FirmSize, onSeed: () => void): Promise<string> {
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

/** Signs the seeded firm's admin in at so many browsers. @returns their tokens */
export async function signInAdmins(port: number, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push((await signInAdmin(port)).token);
  return tokens;
}

/** Signs the seeded firm's admin in. */
export async function signInAdmin(port: number): Promise<SignedIn> {
  const client = new HttpClient(port, 1);
  try {
    const json = { email: `ama.owusu@${DOMAIN}`, password: PASSWORD };
    return await client.askJson<SignedIn>({ method: 'POST', path: '/api/v1/users/login', json });
  } finally {
    client.close();
  }
}
