import type { Import, ImportProblem } from '@matterdesk/contract/imports.ts';
import { paths } from '../../core/paths.ts';
import { counted, formatCount } from '../../core/words.ts';
import { formatDay } from '../../ui/days.ts';

/** Problems that read the same, but for their rows. */
export type ProblemGroup = Omit<ImportProblem, 'row'> & { rows: number[]; count: number };

/** In the order of the first of each. */
export function groupsOf(problems: readonly ImportProblem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const { row, ...problem } of problems) {
    const { outcome, file, column, message, item } = problem;
    const key = JSON.stringify([outcome, file, column, message, item?.id]);
    const group = groups.get(key) ?? { ...problem, rows: [], count: 0 };
    groups.set(key, group);
    group.count += 1;
    if (row !== null) group.rows.push(row);
  }
  return [...groups.values()];
}

/** 'matters.csv, row 611, Open Date', or 'Petrov v. Cascade Builders, SOL' for a record here. */
export function placeInWords({ item, file, column, rows }: ProblemGroup): string {
  const where = item ? [item.name] : [file, rowsInWords(rows)];
  return [...where, column].filter(Boolean).join(', ');
}

function rowsInWords(rows: readonly number[]): string {
  const [first = 0, second = 0] = rows;
  if (rows.length === 0) return '';
  if (rows.length === 1) return `row ${formatCount(first)}`;
  if (rows.length === 2) return `rows ${formatCount(first)} and ${formatCount(second)}`;
  return counted(rows.length, 'row');
}

const ROWS_SHOWN = 200;

/** 'Rows 12, 15, 18 …' */
export function allRowsInWords(rows: readonly number[]): string {
  const shown = rows.slice(0, ROWS_SHOWN).map((row) => formatCount(row));
  const rest = rows.length - shown.length;
  const more = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  return `Rows ${shown.join(', ')}${more}`;
}

/** The page of a record with its name; null for a kind without pages. */
export function pageOf({ kind, id }: Pick<Import['left'][number], 'kind' | 'id'>) {
  if (kind === 'matters') return { to: paths.caseDetails(id), label: 'Open matter' };
  if (kind === 'contacts') return { to: paths.contact(id), label: 'Open contact' };
  return null;
}

const BOTH = /^Here “(.*)”, in the file “(.*)”$/su;

/** A value that is here, and the one that the files have; null for a problem without the two. */
export function bothOf({ outcome, message }: Pick<ImportProblem, 'outcome' | 'message'>) {
  const [, here, there] = (outcome === 'conflicting' && BOTH.exec(message)) || [];
  if (here === undefined || there === undefined) return null;
  return { here: valueInWords(here), there: valueInWords(there) };
}

/** 'Jul 12, 2027' for a day, 'nothing' for none. */
function valueInWords(value: string): string {
  if (value === '') return 'nothing';
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDay(value) : value;
}

/** Problems of each outcome; the first 500 are only a part of them. */
export function problemCounts({ counts }: Pick<Import, 'counts'>) {
  const total = { refused: 0, conflicting: 0 };
  for (const { refused, conflicting } of Object.values(counts)) {
    total.refused += refused;
    total.conflicting += conflicting;
  }
  return total;
}
