// Entries of imports, many at once.

import { type Selectable, sql } from 'kysely';
import type { EntriesTable, StoredCall } from '../../db/schema-stream.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { insertMany } from '../../db/statements.ts';

/** Characters of a statement, so that none takes megabytes by the hundred. */
const MAX_STATEMENT_LENGTH = 4_000_000;

export type ImportedRow = Pick<
  Selectable<EntriesTable>,
  'id' | 'case_id' | 'kind' | 'text' | 'at' | 'author_id' | 'call' | 'mentions' | 'pinned_at'
>;
export type NewRow = ImportedRow & { search_text: string };
export type LockedRow = ImportedRow &
  Pick<Selectable<EntriesTable>, 'entered_at' | 'edited_at' | 'deleted_at'>;

export async function insertEntries(trx: Transaction, rows: readonly NewRow[]): Promise<void> {
  for (const portion of portionsOf(rows))
    await insertMany(
      trx,
      'entries',
      portion.map((row) => ({ ...row, files: [] })),
    );
}

function* portionsOf<Row extends { text: string }>(rows: readonly Row[]): Generator<Row[]> {
  let portion: Row[] = [];
  let length = 0;
  for (const row of rows) {
    if (length + row.text.length > MAX_STATEMENT_LENGTH && portion.length > 0) {
      yield portion;
      portion = [];
      length = 0;
    }
    portion.push(row);
    length += row.text.length;
  }
  if (portion.length > 0) yield portion;
}

/** In the order of their ids. */
export function lockEntries(trx: Transaction, ids: readonly string[]): Promise<LockedRow[]> {
  return trx
    .selectFrom('entries')
    .select(['id', 'case_id', 'kind', 'text', 'at', 'author_id', 'call', 'pinned_at'])
    .select(['mentions', 'entered_at', 'edited_at', 'deleted_at'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export type EntryUpdate = {
  id: string;
  kind: ImportedRow['kind'];
  text: string;
  search_text: string;
  at: Date;
  call: StoredCall | null;
  /** When the text was changed. */
  edited_at: Date | null;
  deleted_at: Date | null;
};

export async function updateEntries(trx: Transaction, rows: readonly EntryUpdate[]): Promise<void> {
  for (const portion of portionsOf(rows))
    await sql`
      update entries e set kind = t.kind, text = t.text, search_text = t.search_text, at = t.at, call = t.call,
        edited_at = t.edited_at, deleted_at = t.deleted_at,
        pinned_at = case when t.deleted_at is null then e.pinned_at end,
        updated_at = greatest(statement_timestamp(), e.updated_at + interval '1 millisecond')
      from json_to_recordset(${JSON.stringify(portion)}) as t (id uuid, kind text, text text, search_text text,
        at timestamptz, call jsonb, edited_at timestamptz, deleted_at timestamptz)
      where e.id = t.id`.execute(trx);
}

/** Keeps earlier texts. */
export async function insertVersions(
  trx: Transaction,
  versions: readonly { entry_id: string; text: string; at: Date; by_id: string }[],
): Promise<void> {
  for (const portion of portionsOf(versions)) await insertMany(trx, 'entry_versions', portion);
}

export async function deleteEntries(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`delete from entries where id = any(${ids}::uuid[])`.execute(trx);
}

/** `isEdited` has earlier texts, which no one can remove; `isUsed` is where a task, an event or a deadline comes from. */
export type EntryUse = { id: string; isEdited: boolean; isUsed: boolean };

export async function listUses(trx: Transaction, ids: readonly string[]): Promise<EntryUse[]> {
  const { rows } = await sql<EntryUse>`
    select asked.id, exists (select from entry_versions v where v.entry_id = asked.id) as "isEdited",
      exists (select from tasks t where t.entry_id = asked.id)
        or exists (select from events v
          where v.source ->> 'id' = asked.id::text and v.source ->> 'type' = 'entry')
        or exists (select from deadlines d
          where d.source ->> 'id' = asked.id::text and d.source ->> 'type' = 'entry') as "isUsed"
    from unnest(${ids}::uuid[]) asked (id)`.execute(trx);
  return rows;
}

/** Entries at these times of these matters, by the place of what was asked. */
export async function findAt(
  db: Scoped,
  asked: readonly { caseId: string; at: Date }[],
): Promise<{ place: number; id: string; text: string }[]> {
  const [cases, times] = [asked.map(({ caseId }) => caseId), asked.map(({ at }) => at)];
  const { rows } = await sql<{ place: number; id: string; text: string }>`
    select (asked.place - 1)::int as place, e.id, e.text
    from unnest(${cases}::uuid[], ${times}::timestamptz[]) with ordinality asked (case_id, at, place)
    join entries e on e.case_id = asked.case_id and e.at = asked.at
    where e.deleted_at is null order by asked.place, e.id`.execute(db);
  return rows;
}

/** Pinned entries of matters, of those that have any. */
export async function countPins(
  trx: Transaction,
  caseIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ case_id: string; n: number }>`
    select case_id, count(*)::int as n from entries
    where case_id = any(${caseIds}::uuid[]) and pinned_at is not null group by case_id`.execute(
    trx,
  );
  return new Map(rows.map(({ case_id: caseId, n }) => [caseId, n]));
}
