import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { hashToken, newToken } from '../../../db/seal.ts';

type NewLink = { userId: string; lifeMs: number; madeBy: string | null };

/** A new link; it ends the user's older ones. */
export async function insertLink(trx: Transaction, { userId, lifeMs, madeBy }: NewLink) {
  await deleteLinksOf(trx, userId);
  const token = newToken();
  const { expires_at } = await trx
    .insertInto('password_links')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      made_by: madeBy,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${lifeMs / 1000})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** The user and the maker of a link that still works. */
export function findLink(db: Executor, token: string) {
  return db
    .selectFrom('password_links')
    .select(['user_id', 'made_by'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}

export async function deleteLinksOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('password_links').where('user_id', '=', userId).execute();
}

export async function purgeLinks(db: Executor): Promise<void> {
  await db
    .deleteFrom('password_links')
    .where('expires_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
}
