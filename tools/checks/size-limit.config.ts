import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { budgetsOf, type Manifest } from './bundle.ts';

const build = resolve(import.meta.dirname, '../../client/dist');
const manifest = JSON.parse(readFileSync(`${build}/.vite/manifest.json`, 'utf8')) as Manifest;

export default budgetsOf(manifest)
  .filter(({ scripts }) => scripts.length > 0)
  .map(({ name, scripts, limit }) => ({
    name,
    limit,
    gzip: true,
    path: scripts.map((script) => `../../client/dist/${script}`),
  }));
