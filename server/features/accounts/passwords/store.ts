import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { hashToken, newToken } from '../../../db/tokens.ts';

/** A new link; it ends the user's older ones. */
export async function insertLink(trx: Transaction, userId: string, lifeMs: number) {
  await deleteLinksOf(trx, userId);
  const token = newToken();
  const { expires_at } = await trx
    .insertInto('password_links')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${lifeMs / 1000})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** The user of a link that still works. */
export async function findLinkOwner(db: Executor, token: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('password_links')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return found?.user_id;
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
