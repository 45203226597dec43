import { sql } from 'kysely';
import type { Transaction } from '../db/schema.ts';

/**
 * Loads many cases without their search indexes and rebuilds these afterwards, which takes a fraction
 * of the time. One transaction, so that a failed load leaves the indexes
 * as they were.
 */
export async function withoutSearchIndexes(
  trx: Transaction,
  load: () => Promise<void>,
  onRebuild?: () => void,
): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema and tablename = 'cases' and indexdef like '% USING gin %'
  `.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(trx);
  await load();
  onRebuild?.();
  await sql`set local maintenance_work_mem = '512MB'`.execute(trx);
  for (const { definition } of rows) await sql.raw(definition).execute(trx);
}
