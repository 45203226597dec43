// Consent: STOP and START replies.

import { sql, type Insertable } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import type { TextConsentsTable } from '../../../db/schema-messages.ts';

/** @returns false when the ledger already has this message */
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

type Word = { keyword: TextConsentsTable['keyword']; at: Date };

/** The last STOP or START between two numbers, and the last HELP, by the times of the texts. */
async function lastWords(db: Executor, own: string, other: string): Promise<Word[]> {
  const at = sql<Date>`coalesce(t.sent_at, c.at)`;
  return db
    .selectFrom('text_consents as c')
    .leftJoin('text_messages as t', 't.sid', 'c.sid')
    .distinctOn(sql`c.keyword = 'HELP'`)
    .select(['c.keyword', at.as('at')])
    .where('c.own_number', '=', own)
    .where('c.other_number', '=', other)
    .orderBy(sql`c.keyword = 'HELP'`)
    .orderBy(at, 'desc')
    .orderBy('c.id', 'desc')
    .execute();
}

/** The word that counts: STOP until START, else the last one. */
export async function findConsent(
  db: Executor,
  own: string,
  other: string,
): Promise<Word | undefined> {
  const words = await lastWords(db, own, other);
  return (
    words.find(({ keyword }) => keyword === 'STOP') ??
    words.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]
  );
}

export async function isStopped(db: Executor, own: string, other: string): Promise<boolean> {
  return (await findConsent(db, own, other))?.keyword === 'STOP';
}
