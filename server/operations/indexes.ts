import { sql } from 'kysely';
import type { Transaction } from '../db/schema.ts';

const TABLES = ['cases', 'case_assignments', 'tasks', 'audit_log'];
/** What lies ahead of a case is read through it for each added task. */
const KEPT = ['tasks_of_board'];

/**
 * Loads many cases without the indexes of their tables, except those of keys and of what is read meanwhile, and rebuilds these afterwards, which
 * takes a fraction of the time. One transaction, so that a failed load leaves the indexes as they were.
 */
export async function withoutIndexes(
  trx: Transaction,
  load: () => Promise<void>,
  onRebuild: (name: string) => void,
): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string; definition: string }>`
    select schemaname as schema, indexname as name, indexdef as definition from pg_indexes
    where schemaname in (current_schema, 'base') and tablename = any(${TABLES})
      and not exists (select from pg_constraint where conname = indexname)
      and not indexname = any(${KEPT})
  `.execute(trx);
  for (const { schema, name } of rows) await sql`drop index ${sql.id(schema, name)}`.execute(trx);
  await load();
  await sql`set local maintenance_work_mem = '512MB'`.execute(trx);
  for (const { name, definition } of rows) {
    onRebuild(name);
    await sql.raw(definition).execute(trx);
  }
}
