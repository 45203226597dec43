// Matters and people that rows of an import name.

import type { SourceRow } from '../../integrations/exports/row.ts';
import { listHidden } from '../cases/service.references.ts';
import { bylineOf } from './rules.texts.ts';
import { isPlaceholder, peopleIn } from './rules.ts';
import type { RefusedRow, Run } from './service.kinds.ts';

const NO_MATTER = 'No such matter in the export';

/** Ids of the matters that rows name by id, by number or by name; without those that are not found, or not seen. */
export async function findMatters(
  { references, context, isDry }: Run,
  rows: readonly SourceRow[],
): Promise<Map<SourceRow, string>> {
  const byId = await references.byId('matters', rows.flatMap(matterIn));
  const byName = await references.byName('matters', rows.flatMap(nameIn));
  const found = new Map<SourceRow, string>();
  for (const row of rows) {
    const [matter] = matterIn(row).flatMap((id) => byId.get(id) ?? []);
    const [named] = nameIn(row).flatMap((name) => byName.get(name) ?? []);
    const id = matter ?? named;
    if (id !== undefined) found.set(row, id);
  }
  const hidden = await listHidden(context, [...new Set(found.values())], { isPlanned: isDry });
  for (const [row, id] of found) if (hidden.has(id)) found.delete(row);
  return found;
}

function matterIn({ cells }: SourceRow): string[] {
  return named(cells['matter']);
}

function nameIn({ cells }: SourceRow): string[] {
  return named(cells['matterName']);
}

function named(cell = ''): string[] {
  const name = cell.trim();
  return isPlaceholder(name) ? [] : [name];
}

/** Whether a row names a matter at all. */
export function namesMatter(row: SourceRow): boolean {
  return matterIn(row).length + nameIn(row).length > 0;
}

export function withoutMatter(row: SourceRow): RefusedRow {
  const field =
    row.cells['matter'] === undefined && row.cells['matterName'] ? 'matterName' : 'matter';
  return { row, field, message: NO_MATTER };
}

/** Finds the user of a word: by the table of people, else by id or name. */
export type FindPerson = (word: string | undefined) => string | undefined;

/** @param field of the rows, whose cells may list several people */
export async function findPeople(
  { references, tables }: Run,
  rows: readonly SourceRow[],
  field: string,
): Promise<FindPerson> {
  const words = new Set(rows.flatMap(({ cells }) => peopleIn(cells[field] ?? '')));
  const table = new Map(
    Object.entries(tables.people ?? {}).flatMap(([word, id]) => (id ? [[word, id] as const] : [])),
  );
  const others = await references.byId(
    'people',
    [...words].filter((word) => !table.has(word)),
  );
  return (word = '') => table.get(word.trim()) ?? others.get(word.trim());
}

/** The author of something, and the line that names an author without an account. */
export function authorOf(
  { context, system }: Run,
  { cells }: SourceRow,
  find: FindPerson,
): { authorId: string; byline: string | null } {
  const [word] = peopleIn(cells['author'] ?? '');
  const known = find(word);
  if (known !== undefined) return { authorId: known, byline: null };
  const byline = word === undefined ? null : bylineOf(cells['author'] ?? '', system);
  return { authorId: context.actor.id, byline };
}
