import { sql, type Insertable, type Selectable } from 'kysely';
import type { Passkey } from '@matterdesk/contract/second-factors.ts';
import type { PasskeysTable } from '../../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { hashToken } from '../../../db/seal.ts';

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
    .where('used_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${lifeMs / 1000})`)
    .execute();
}
