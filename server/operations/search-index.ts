import { sql } from 'kysely';
import type { Transaction } from '../db/schema.ts';

const INDEX = 'cases_search';

/**
 * Loads many rows without the index that searches them, and builds it anew afterwards, which takes a
 * fraction of growing it row by row. All in one transaction: a load that dies leaves the index as it was.
 */
export async function withoutSearchIndex(
  trx: Transaction,
  load: () => Promise<void>,
  onRebuild: () => void,
): Promise<void> {
  const found = await sql<{ definition: string }>`
    select pg_get_indexdef(${INDEX}::regclass) as definition`.execute(trx);
  await sql`drop index ${sql.id(INDEX)}`.execute(trx);
  await load();
  onRebuild();
  await sql`set local maintenance_work_mem = '512MB'`.execute(trx);
  await sql.raw(found.rows[0]?.definition ?? '').execute(trx);
}
