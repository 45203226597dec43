import { sql } from 'kysely';
import {
  type ImportKind,
  type ImportProfile,
  importProfiles,
} from '@matterdesk/contract/imports.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { insertMany } from '../../db/statements.ts';

export type KnownRecord = {
  external_id: string;
  id: string;
  row_hash: string;
  fields: Record<string, string>;
};

type RecordSource = { source: ImportProfile; kind: ImportKind };

/** Records that an import knows, by their ids there. */
export async function findKnown(
  db: Executor,
  { source, kind }: RecordSource,
  keys: readonly string[],
): Promise<Map<string, KnownRecord>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('import_ids')
    .select(['external_id', 'id', 'row_hash', 'fields'])
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('external_id', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.external_id, row]));
}

/** Ids here by folded names; a name of several records is left out. */
export async function findNamed(
  db: Executor,
  { source, kind }: RecordSource,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  // A search of the index for each name: with all of them as one array, each row would be compared with all. `offset 0`
  // keeps source and kind out of it: without statistics, or with those of a smaller table, other indexes would be read
  // from end to end for each name.
  const { rows } = await sql<{ name: string; id: string }>`
    select n.name, min(i.id::text) as id from unnest(${[...names]}::text[]) as n (name)
    cross join lateral (
      select i.id, i.source, i.kind from import_ids i
      where i.names @> array[n.name] and i.names <> '{}' offset 0
    ) i
    where i.source = ${source} and i.kind = ${kind}
    group by n.name having count(distinct i.id) = 1`.execute(db);
  return new Map(rows.map(({ name, id }) => [name, id]));
}

export type NewRecord = {
  external_id: string;
  id: string;
  name: string;
  names: string[];
  row_hash: string;
  fields: Record<string, string>;
  import_id: string;
  is_made: boolean;
};

export async function insertRecords(
  trx: Transaction,
  source: RecordSource,
  records: readonly NewRecord[],
): Promise<void> {
  await insertMany(
    trx,
    'import_ids',
    records.map((record) => ({ ...source, ...record })),
  );
}

export async function updateRecords(
  trx: Transaction,
  { source, kind }: RecordSource,
  records: readonly (KnownRecord & { name: string; names: string[] })[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    update import_ids i set row_hash = g.row_hash, fields = g.fields, name = g.name, names = g.names
    from json_to_recordset(${JSON.stringify(records)})
      as g (external_id text, row_hash text, fields jsonb, name text, names text[])
    where i.source = ${source} and i.kind = ${kind} and i.external_id = g.external_id`.execute(trx);
}

/** Records that an import made, in the order of their ids. */
export function listMade(
  db: Executor,
  { importId, kind }: { importId: string; kind: ImportKind },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('import_ids')
    .select(['id', sql<string>`min(name)`.as('name')])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('is_made', '=', true)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .groupBy('id')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Forgets records that were removed. */
export async function deleteRecords(
  trx: Transaction,
  kind: ImportKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .deleteFrom('import_ids')
    .where('kind', '=', kind)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
}

/** Marks the transaction as an import's, whose names are compared later. */
export async function markImport(trx: Transaction): Promise<void> {
  await sql`select set_config('matterdesk.import', '1', true)`.execute(trx);
}

/** Those of these ids that records of a source have. */
export async function findImported(
  db: Executor,
  { source, kind }: RecordSource,
  recordIds: readonly string[],
): Promise<Set<string>> {
  if (recordIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('import_ids')
    .select('id')
    .where('kind', '=', kind)
    .where('source', '=', source)
    .where('id', '=', sql<string>`any(${[...recordIds]}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Our ids by their ids in other systems. */
export async function findOfAnySource(
  db: Executor,
  kind: ImportKind,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('import_ids')
    .select(['external_id', 'id'])
    .where('kind', '=', kind)
    .where('source', 'in', importProfiles)
    .where('external_id', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute();
  return new Map(rows.map(({ external_id: key, id }) => [key, id]));
}

/** Forgets records that an import found here. */
export async function deleteFound(trx: Transaction, importId: string): Promise<void> {
  await trx
    .deleteFrom('import_ids')
    .where('import_id', '=', importId)
    .where('is_made', '=', false)
    .execute();
}
