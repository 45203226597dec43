// The firm's phone numbers, and the consents to text from them.

import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { PhoneNumbersTable, TextConsentsTable } from '../../db/schema-messages.ts';
import type { Executor, Transaction } from '../../db/schema.ts';

export type NumberRow = Selectable<PhoneNumbersTable>;

/** The user's number, owned or being bought. */
export function findNumberOf(db: Executor, userId: string): Promise<NumberRow | undefined> {
  return db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '!=', 'failed')
    .executeTakeFirst();
}

export function findPurchase(db: Executor, id: string): Promise<NumberRow | undefined> {
  return db.selectFrom('phone_numbers').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Id of the number's owner or buyer. */
export async function findOwner(db: Executor, phoneNumber: string): Promise<string | null> {
  const found = await db
    .selectFrom('phone_numbers')
    .select('user_id')
    .where('phone_number', '=', phoneNumber)
    .where('state', '!=', 'failed')
    .executeTakeFirst();
  return found?.user_id ?? null;
}

/** @returns undefined when the user has a number already, or it is taken */
export async function insertPurchase(
  trx: Transaction,
  userId: string,
  phoneNumber: string,
): Promise<string | undefined> {
  const inserted = await trx
    .insertInto('phone_numbers')
    .values({ user_id: userId, phone_number: phoneNumber, state: 'buying' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** @returns false when another process settled the purchase */
export async function settlePurchase(
  trx: Transaction,
  id: string,
  change: Updateable<PhoneNumbersTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('phone_numbers')
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'buying')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The carriers' last result for a number; a change makes its registration due again. */
export async function noteRegistration(
  trx: Transaction,
  phoneNumber: string,
  isRegistered: boolean,
): Promise<void> {
  await trx
    .updateTable('phone_numbers')
    .set({
      is_registered: isRegistered,
      registration_asked_at: null,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('phone_number', '=', phoneNumber)
    .where((eb) =>
      eb.or([eb('is_registered', 'is', null), eb('is_registered', '!=', isRegistered)]),
    )
    .execute();
}

/** +1 numbers whose registration was not requested for this many seconds. */
export function listUnreadRegistrations(db: Executor, seconds: number): Promise<NumberRow[]> {
  const old = sql<Date>`statement_timestamp() - make_interval(secs => ${seconds})`;
  return db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('state', '=', 'owned')
    .where('phone_number', 'like', '+1%')
    .where((eb) =>
      eb.or([eb('registration_asked_at', 'is', null), eb('registration_asked_at', '<=', old)]),
    )
    .execute();
}

export async function noteRegistrationRead(db: Executor, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('phone_numbers')
    .set({ registration_asked_at: sql<Date>`clock_timestamp()` })
    .where('id', 'in', ids)
    .execute();
}

export async function updateRegistration(
  db: Executor,
  id: string,
  { state, reason }: { state: NumberRow['registration']; reason: string | null },
): Promise<void> {
  await db
    .updateTable('phone_numbers')
    .set({ registration: state, registration_reason: reason })
    .where('id', '=', id)
    .execute();
}

/** Purchases without an outcome and at least this age. */
export function listPurchases(db: Executor, seconds: number): Promise<NumberRow[]> {
  return db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('state', '=', 'buying')
    .where('created_at', '<=', sql<Date>`statement_timestamp() - make_interval(secs => ${seconds})`)
    .execute();
}

/** Time of the first purchase of a number. */
export async function firstPurchase(db: Executor): Promise<Date | undefined> {
  const { first } = await db
    .selectFrom('phone_numbers')
    .select((eb) => eb.fn.min('created_at').as('first'))
    .where('state', '=', 'owned')
    .executeTakeFirstOrThrow();
  return first ?? undefined;
}

/** @returns false when this message's consent is stored already */
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

/** The keyword in effect: STOP until START, else the last one. */
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
