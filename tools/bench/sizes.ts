import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { budgetsOf, type Manifest } from '../checks/bundle.ts';
import type { BareDatabase } from './bare-database.ts';
import { CHECKOUT } from './firm.ts';

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
