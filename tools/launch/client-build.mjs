import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PINNED_NODE, ROOT } from './requirements.mjs';
import { runStep } from './step.mjs';

const BUILD = path.join(ROOT, 'client/dist');
const STAMP = '.matterdesk-build';
const SOURCES = ['client', 'contract', 'package-lock.json', 'tsconfig.base.json'];
const NO_SOURCE = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

export function isClientBuilt() {
  const stamp = path.join(BUILD, STAMP);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashOfSources();
}

/** Builds next to the old client and swaps, so that a partial build is never served. */
export async function buildClient() {
  const next = path.join(ROOT, '.cache/client-next');
  const previous = path.join(ROOT, '.cache/client-previous');
  const hash = hashOfSources();
  fs.rmSync(next, { recursive: true, force: true });
  fs.rmSync(previous, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(next), { recursive: true });
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  await runStep('Building the client', {
    file: PINNED_NODE,
    args: [vite, 'build', '--outDir', next, '--emptyOutDir'],
    cwd: path.join(ROOT, 'client'),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  fs.writeFileSync(path.join(next, STAMP), hash);
  if (fs.existsSync(BUILD)) fs.renameSync(BUILD, previous);
  fs.renameSync(next, BUILD);
  fs.rmSync(previous, { recursive: true, force: true });
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow)) {
    const content = fs.readFileSync(path.join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(place) {
  if (NO_SOURCE.test(place)) return [];
  const full = path.join(ROOT, place);
  if (!fs.statSync(full).isDirectory()) return [place];
  return fs
    .readdirSync(full)
    .toSorted()
    .flatMap((name) => filesBelow(`${place}/${name}`));
}
