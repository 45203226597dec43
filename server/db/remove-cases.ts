// Removes matters for good, as the product itself never does but for an import that is undone.

import { sql } from 'kysely';
import type { Transaction } from './schema.ts';

/** Tables whose rows are removed with their matter; any other reference keeps it. */
const own = ['case_assignments', 'stream_counts', 'parties'];

/**
 * Removes visible matters with the people, the limitation and the counts that belong to them.
 * @throws a foreign key violation while anything else refers to one
 */
export async function removeCases(trx: Transaction, ids: readonly string[]): Promise<void> {
  const visible = sql`(select c.id from cases c where c.id = any(${[...ids]}::uuid[]))`;
  for (const table of own)
    await sql`delete from ${sql.id('base', table)} t where t.case_id in ${visible}`.execute(trx);
  await sql`
    delete from base.folders f where f.case_id in ${visible}
      and not exists (select from base.files x where x.folder_id = f.id)`.execute(trx);
  await sql`delete from base.cases c where c.id in ${visible}`.execute(trx);
}
