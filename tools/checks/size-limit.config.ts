import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { budgetsOf, type Manifest } from './bundle.ts';

const build = resolve(import.meta.dirname, '../../client/dist');
const manifest = JSON.parse(readFileSync(`${build}/.vite/manifest.json`, 'utf8')) as Manifest;

export default budgetsOf(manifest)
  .filter(({ files }) => files.length > 0)
  .map(({ name, files, limit }) => ({
    name,
    limit,
    brotli: true,
    path: files.map((file) => `../../client/dist/${file}`),
  }));
