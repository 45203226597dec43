import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { treeOf } from '@matterdesk/server/testing/process.ts';
import { budgetsOf, type Manifest } from '../checks/bundle.ts';
import type { BareDatabase } from './bare-database.ts';
import { CHECKOUT } from './firm.ts';

const INTERVAL_MS = 200;

/** MB (10^6 bytes) of a process and its descendants, counting shared memory once (PSS). */
export function treeMemory(pid: number): number {
  return treeOf([pid]).reduce((sum, member) => sum + processMemory(member), 0);
}

/** The same, and apart from it what processes share: the database's cache, which fills with whatever is read. */
export function treeParts(pid: number): { all: number; own: number } {
  const parts = treeOf([pid]).map(partsOf);
  const sum = (part: 'all' | 'shared') => parts.reduce((sum, each) => sum + each[part], 0);
  return { all: sum('all'), own: sum('all') - sum('shared') };
}

/** Clock ticks of a second, by which Linux counts processor time. */
const TICKS = 100;
/** Places of the numbers after a process's name that are its time in programs and in the system. */
const [USER, SYSTEM] = [11, 12];

/** Seconds of processor time that the database below a process took so far, and those of the other processes below it. */
export function processorTimes(pid: number): { server: number; database: number } {
  const times = { server: 0, database: 0 };
  for (const member of treeOf([pid])) {
    const [, name, rest = ''] = /^\d+ \((.*)\) (.*)/.exec(read(`/proc/${member}/stat`)) ?? [];
    const numbers = rest.split(' ');
    const seconds = (Number(numbers[USER] ?? 0) + Number(numbers[SYSTEM] ?? 0)) / TICKS;
    times[name === 'postgres' ? 'database' : 'server'] += seconds;
  }
  return times;
}

/** MB of a process alone. */
export function processMemory(pid: number): number {
  return partsOf(pid).all;
}

function partsOf(pid: number): { all: number; shared: number } {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const megabytes = (pattern: RegExp) => (Number(pattern.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
  return { all: megabytes(/^Pss:\s*(\d+)/m), shared: megabytes(/^Pss_Shmem:\s*(\d+)/m) };
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // The process just ended.
    return '';
  }
}

/** Peak MB of a process during `work`. */
export async function peakMemory<T>(pid: number, work: () => Promise<T>) {
  const before = processMemory(pid);
  let most = before;
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      most = Math.max(most, processMemory(pid));
      await delay(INTERVAL_MS);
    }
  })();
  try {
    return { result: await work(), before, most };
  } finally {
    ended.abort();
    await watching;
  }
}

/** MB on disk, with the largest indexes by name. */
export type Sizes = {
  database: number;
  indexes: number;
  largest: { name: string; size: number }[];
};

const LARGEST = 6;

export async function measureSizes(database: BareDatabase): Promise<Sizes> {
  const [whole] = await database.read<{ size: number }>(
    'select pg_database_size(current_database())::float8 / 1e6 as size',
  );
  const indexes = await database.read<{ name: string; size: number }>(
    `select indexrelname as name, pg_relation_size(indexrelid)::float8 / 1e6 as size
     from pg_stat_user_indexes order by 2 desc`,
  );
  return {
    database: whole?.size ?? 0,
    indexes: indexes.reduce((sum, { size }) => sum + size, 0),
    largest: indexes.slice(0, LARGEST),
  };
}

/** Scripts and styles of a page as sent, in Brotli, in kB (1000 bytes); `most` is the budget. */
export type BundleSize = { name: string; size: number; most: number };

const BUILD = path.join(CHECKOUT, 'client/dist');

/** Builds a stale client and measures what each page loads. */
export async function weighBundles(): Promise<BundleSize[]> {
  const prepare =
    "import('./tools/launch/setup.mjs').then((m) => m.prepareOrExit({ build: true }))";
  await promisify(execFile)(process.execPath, ['-e', prepare], { cwd: CHECKOUT });
  const text = fs.readFileSync(path.join(BUILD, '.vite/manifest.json'), 'utf8');
  return budgetsOf(JSON.parse(text) as Manifest).map(({ name, files, limit }) => ({
    name: name.replace(/^.*\/(\w+)\.tsx/, '$1'),
    size: files.reduce((sum, file) => sum + compressed(file), 0) / 1000,
    most: parseInt(limit, 10),
  }));
}

function compressed(file: string): number {
  const packed = path.join(BUILD, `${file}.br`);
  return fs.statSync(fs.existsSync(packed) ? packed : path.join(BUILD, file)).size;
}
