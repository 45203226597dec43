// Cells and headers of any table, as the database takes them.

import { normalized } from '@matterdesk/contract/normalization.ts';
import { unguardFormula } from '../../core/formulas.ts';
import { COLUMNS_MAX } from './records.ts';

/** Control characters, and overrides of the direction of writing, which deceive. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const PLAIN = /^[\n\t -~]*$/;
const HEADER_MAX = 300;

/** Without what a spreadsheet added. */
export function cleaned(text: string): string {
  // Most cells are short and plain.
  if (PLAIN.test(text)) return unguardFormula(text.trim());
  const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').toWellFormed();
  return unguardFormula(normalized(plain.replace(/^\uFEFF/, '')).trim());
}

/** Headers in a line each, no two of which are the same. */
export function headersOf(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.slice(0, COLUMNS_MAX).map((cell, index) => {
    const words = cleaned(cell.slice(0, HEADER_MAX)).replaceAll(/\s+/g, ' ');
    const wanted = words.slice(0, HEADER_MAX - 10) || `Column ${index + 1}`;
    let header = wanted;
    for (let n = 2; taken.has(header); n += 1) header = `${wanted} (${n})`;
    taken.add(header);
    return header;
  });
}
