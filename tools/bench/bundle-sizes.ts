import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { budgetsOf, type Manifest } from '../checks/bundle.ts';
import { CHECKOUT } from './product.ts';

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
