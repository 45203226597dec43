import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { type CaseRow, columns, details } from './store.ts';

/** Cases by a folded number or name that they alone have, the number first. */
export async function findNamed(db: Scoped, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; id: string }>`
    select a.key, coalesce(
      (select c.id::text from cases c where c.case_no_key = a.key),
      (select min(c.id::text) from cases c where lower(c.case_name) = a.key having count(*) = 1)) as id
    from unnest(${[...keys]}::text[]) as a (key)`.execute(db);
  return new Map(rows.flatMap(({ key, id }) => (id === null ? [] : [[key, id] as const])));
}

/** Cases by their folded numbers. */
export async function findNumbered(
  db: Scoped,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'case_no_key'])
    .where('case_no_key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, case_no_key: key }) => [key ?? '', id]));
}

export function lockCases(trx: Transaction, ids: readonly string[]): Promise<CaseRow[]> {
  return trx
    .selectFrom('cases')
    .select(columns)
    .select(details)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate('cases')
    .execute();
}
