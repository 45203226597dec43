import { sql } from 'kysely';
import type { Transaction } from '../db/schema.ts';

/** Rows of a table that a transaction has read by scans and through indexes, with what its connection read in the last second. */
export async function rowsRead(trx: Transaction, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables
    where schemaname = 'base' and relname = ${table}`.execute(trx);
  return rows[0]?.n ?? 0;
}
