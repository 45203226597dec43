// Records that rows name by their ids or their names there: those of the imports, then those that are here; and the
// matters and the people of rows.

import type { ImportKind, ImportProfile } from '@matterdesk/contract/imports.ts';
import { type ActorContext, asActor } from '../../context.ts';
import type { Executor } from '../../db/schema.ts';
import { nameKey } from '../../db/search.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import { findCasesNamed } from '../cases/service.imports.ts';
import { listHidden } from '../cases/service.references.ts';
import { findContactsNamed } from '../contacts/service.imports.ts';
import { bylineOf } from './rules.cells.ts';
import * as rules from './rules.ts';
import type { References, RefusedRow, Run } from './service.kinds.ts';
import * as store from './store.ids.ts';

const NO_MATTER = 'No such matter in the export';

export type RememberedRecord = { id: string; rowHash: string };
export type KnownRecord = { id: string; rowHash: string; fields: Record<string, string> | null };

/** Records of one source; of a run that writes nothing, those that it would add are kept in memory. */
export class Records implements References {
  readonly #context: ActorContext;
  readonly #source: ImportProfile;
  readonly #added = new Map<ImportKind, Map<string, RememberedRecord>>();
  readonly #names = new Map<ImportKind, Map<string, string | null>>();

  constructor(context: ActorContext, source: ImportProfile) {
    this.#context = context;
    this.#source = source;
  }

  get source(): ImportProfile {
    return this.#source;
  }

  /** Keeps a record that a run would add. */
  remember(
    kind: ImportKind,
    key: string,
    one: RememberedRecord & { names: readonly string[] },
  ): void {
    const { id, rowHash, names } = one;
    const added = this.#added.get(kind) ?? new Map<string, RememberedRecord>();
    this.#added.set(kind, added.set(key, { id, rowHash }));
    const named = this.#names.get(kind) ?? new Map<string, string | null>();
    this.#names.set(kind, named);
    for (const name of names)
      named.set(name, named.has(name) && named.get(name) !== id ? null : id);
  }

  /** @param db the transaction under way, which has added some of them */
  async known(
    db: Executor,
    kind: ImportKind,
    keys: readonly string[],
  ): Promise<Map<string, KnownRecord>> {
    const found = await store.findKnown(db, { source: this.#source, kind }, keys);
    const known = new Map<string, KnownRecord>();
    for (const key of keys) {
      const row = found.get(key);
      const added = this.#added.get(kind)?.get(key);
      if (row) known.set(key, { id: row.id, rowHash: row.row_hash, fields: row.fields });
      else if (added) known.set(key, { ...added, fields: null });
    }
    return known;
  }

  async byId(kind: ImportKind, ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids)].filter((id) => id !== '');
    const known = await this.known(this.#context.db, kind, wanted);
    const found = new Map([...known].map(([key, { id }]) => [key, id]));
    const others = wanted.filter((id) => !found.has(id));
    if (others.length > 0)
      for (const [name, id] of await this.byName(kind, others)) found.set(name, id);
    return found;
  }

  async byName(kind: ImportKind, names: readonly string[]): Promise<Map<string, string>> {
    const byKey = Map.groupBy(new Set(names), nameKey);
    const wanted = [...byKey.keys()].filter((key) => key !== '');
    const found = await store.findNamed(this.#context.db, { source: this.#source, kind }, wanted);
    const added = this.#names.get(kind);
    const ambiguous = new Set<string>();
    for (const key of wanted) {
      const own = added?.get(key);
      if (own === null || (own !== undefined && (found.get(key) ?? own) !== own))
        ambiguous.add(key);
      else if (own !== undefined) found.set(key, own);
    }
    const others = wanted.filter((key) => !found.has(key) && !ambiguous.has(key));
    for (const [key, id] of await this.#here(kind, others)) found.set(key, id);
    const given = [...byKey].flatMap(([key, each]) => each.map((name) => ({ key, name })));
    return new Map(
      given.flatMap(({ key, name }) => {
        const id = ambiguous.has(key) ? undefined : found.get(key);
        return id === undefined ? [] : [[name, id] as const];
      }),
    );
  }

  /** Records that no import made. */
  async #here(kind: ImportKind, keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    if (kind === 'matters') return findCasesNamed(asActor(this.#context), keys);
    if (kind === 'contacts') return findContactsNamed(asActor(this.#context), keys);
    if (kind !== 'people') return new Map();
    const find = rules.peopleFinder(await listEveryone(this.#context));
    return new Map(keys.flatMap((key) => (find(key) ? [[key, find(key)?.id ?? ''] as const] : [])));
  }
}

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
  return rules.isPlaceholder(name) ? [] : [name];
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
  const words = new Set(rows.flatMap(({ cells }) => rules.peopleIn(cells[field] ?? '')));
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
  const [word] = rules.peopleIn(cells['author'] ?? '');
  const known = find(word);
  if (known !== undefined) return { authorId: known, byline: null };
  const byline = word === undefined ? null : bylineOf(cells['author'] ?? '', system);
  return { authorId: context.actor.id, byline };
}
