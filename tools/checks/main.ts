import { resolve } from 'node:path';
import { checkClocks } from './clocks.ts';
import { checkExpressions } from './expressions.ts';
import { checkSizes, measure, type Spread } from './sizes.ts';
import { readDocuments, readTree } from './source-file.ts';
import { checkStructure } from './structure.ts';
import { checkWalls } from './walls.ts';
import { checkDocumentWords, checkWords } from './words.ts';

const root = resolve(import.meta.dirname, '../..');
const files = readTree(root);
const findings = [
  ...checkStructure(files),
  ...checkWalls(files),
  ...checkSizes(files),
  ...checkWords(files),
  ...checkDocumentWords(readDocuments(root)),
  ...checkExpressions(files),
  ...checkClocks(files),
];

for (const { path, message } of findings) console.error(`${path}: ${message}`);
const { files: fileSpread, functions } = measure(files);
console.log(`${describe('files', fileSpread)}; ${describe('functions', functions)}`);
process.exitCode = findings.length === 0 ? 0 : 1;

function describe(what: string, { count, median, p90 }: Spread): string {
  return `${count} ${what}: ${median} lines at the median, ${p90} at the 90th percentile`;
}
