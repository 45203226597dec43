import fs from 'node:fs';
import path from 'node:path';
import { toLast, type Last } from './last-measurement.ts';
import type { Measurement } from './measurements.ts';
import { CHECKOUT } from './product.ts';

const DOCUMENT = path.join(CHECKOUT, 'docs/performance.md');
/** The same measurements as data, by number of cases. */
const DATA = path.join(CHECKOUT, 'docs/performance.json');

export function readLast(cases: number): Last | undefined {
  return readAll()[cases];
}

function readAll(): Record<string, Last> {
  if (!fs.existsSync(DATA)) return {};
  return JSON.parse(fs.readFileSync(DATA, 'utf8')) as Record<string, Last>;
}

/** Makes this run the last measurement of its number of cases, and its tables those of the document. */
export function accept(cases: number, measurements: Measurement[], tables: string): void {
  const all = { ...readAll(), [cases]: toLast(measurements) };
  fs.writeFileSync(DATA, `${JSON.stringify(all, null, 2)}\n`);
  fs.writeFileSync(DOCUMENT, withTables(fs.readFileSync(DOCUMENT, 'utf8'), cases, tables));
}

/** Replaces what is between the marks of that number of cases. */
export function withTables(document: string, cases: number, tables: string): string {
  const [begin, end] = [`<!-- bench ${cases} -->`, `<!-- end of bench ${cases} -->`];
  const [before, rest] = document.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`docs/performance.md has no place for ${cases} cases: ${begin} and ${end}`);
  return `${before}${begin}\n\n${tables}\n\n${end}${after}`;
}
