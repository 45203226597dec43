import { type Insertable, type Selectable, sql } from 'kysely';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { Passkey } from '@matterdesk/contract/second-factors.ts';
import type { PasskeysTable } from '../../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { hashToken } from '../../../db/secrets.ts';

type SecondFactor = CurrentUser['secondFactor'];

/** Replaces a secret that no code has confirmed. @returns false when the app is on already */
export async function insertTotp(trx: Transaction, userId: string, secret: Buffer) {
  const inserted = await trx
    .insertInto('totp_apps')
    .values({ user_id: userId, secret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret })
        .where('totp_apps.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The encrypted secret of an app that is on, or of one that waits for its first code. */
export async function findTotp(db: Executor, userId: string, is: 'on' | 'pending') {
  const found = await db
    .selectFrom('totp_apps')
    .select('secret')
    .where('user_id', '=', userId)
    .where('confirmed_at', is === 'on' ? 'is not' : 'is', null)
    .executeTakeFirst();
  return found?.secret;
}

/** @returns false when a code of this step, or of a later one, was accepted before */
export async function useStep(db: Executor, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', sql<string>`${step}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false when it waits no longer, or its secret is another one by now */
export async function confirmTotp(
  trx: Transaction,
  userId: string,
  { secret, step }: { secret: Buffer; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_apps')
    .set({ confirmed_at: sql<Date>`clock_timestamp()`, last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTotp(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('totp_apps').where('user_id', '=', userId).execute();
}

/** Deletes all earlier codes, even when there are no new ones. */
export async function replaceCodes(trx: Transaction, userId: string, hashes: Buffer[]) {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

/** @returns whether the user had this code, which is used up now */
export async function useCode(db: Executor, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Follows a change of the user's app or passkeys. @returns what the user has now */
export async function updateSecondFactor(trx: Transaction, userId: string): Promise<SecondFactor> {
  const { second_factor } = await trx
    .updateTable('users')
    .set({
      second_factor: sql<SecondFactor>`case
        when exists (select from totp_apps where user_id = ${userId} and confirmed_at is not null) then 'totp'
        when exists (select from passkeys where user_id = ${userId}) then 'passkey'
        else 'none' end`,
    })
    .where('id', '=', userId)
    .returning('second_factor')
    .executeTakeFirstOrThrow();
  return second_factor;
}

export type PasskeyRow = Selectable<PasskeysTable>;

export function toPasskey({ id, name, created_at, used_at }: PasskeyRow): Passkey {
  return { id, name, createdAt: created_at.toISOString(), usedAt: used_at?.toISOString() ?? null };
}

export function listPasskeys(db: Executor, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** @returns undefined when someone has it already */
export function insertPasskey(
  trx: Transaction,
  passkey: Insertable<PasskeysTable>,
): Promise<PasskeyRow | undefined> {
  return trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findPasskey(db: Executor, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export async function markUsed(db: Executor, id: string, counter: number): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ counter, used_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** @returns the name of what the user had under this id */
export async function deletePasskey(trx: Transaction, userId: string, id: string) {
  const deleted = await trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}

export async function deletePasskeysOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

/** @returns how many were added since then, and are removed */
export async function deletePasskeysSince(
  trx: Transaction,
  userId: string,
  since: Date,
): Promise<bigint> {
  const { numDeletedRows } = await trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  return numDeletedRows;
}

/** @returns false when it was answered before */
export async function useChallenge(db: Executor, challenge: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('used_challenges')
    .values({ hash: hashToken(challenge) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function purgeChallenges(db: Executor, lifeMs: number): Promise<void> {
  await db
    .deleteFrom('used_challenges')
    .where(
      'used_at',
      '<',
      sql<Date>`statement_timestamp() - make_interval(secs => ${lifeMs / 1000})`,
    )
    .execute();
}
