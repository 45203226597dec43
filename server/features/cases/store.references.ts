import { sql } from 'kysely';
import type { Scoped } from '../../db/schema.ts';

/** Those of some ids that are cases in scope. */
export async function listKnown(db: Scoped, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
