import { sql, type Insertable } from 'kysely';
import type { Executor, Transaction } from '../../db/schema.ts';
import type { TextConsentsTable } from '../../db/schema-messages.ts';

/** @returns false when this message's word is in the ledger already */
export async function addConsent(
  trx: Transaction,
  row: Insertable<TextConsentsTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('text_consents')
    .values(row)
    .onConflict((conflict) => conflict.column('sid').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether the last word between two numbers was STOP, by the time of the texts themselves. */
export async function isStopped(db: Executor, own: string, other: string): Promise<boolean> {
  const last = await db
    .selectFrom('text_consents as c')
    .leftJoin('text_messages as t', 't.sid', 'c.sid')
    .select('c.keyword')
    .where('c.own_number', '=', own)
    .where('c.other_number', '=', other)
    .where('c.keyword', 'in', ['STOP', 'START'])
    .orderBy(sql`coalesce(t.sent_at, c.at)`, 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.keyword === 'STOP';
}
