import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { hashToken, newToken } from '../../../db/seal.ts';
import { BROWSER_LIFE } from './rules.ts';

const expired = sql<Date>`clock_timestamp() - make_interval(secs => ${BROWSER_LIFE / 1000})`;

/** @returns what names the browser together with the user of this address, if the user signed in there before */
export async function findKnownBrowser(
  db: Executor,
  token: string,
  email: string,
): Promise<string | undefined> {
  const hash = hashToken(token);
  const found = await db
    .selectFrom('known_browsers')
    .innerJoin('users', 'users.id', 'known_browsers.user_id')
    .select('users.id')
    .where('token_hash', '=', hash)
    .where('email_key', '=', fold(email))
    .where('seen_at', '>', expired)
    .executeTakeFirst();
  return found && `${hash.toString('hex')}:${found.id}`;
}

/**
 * Knows the browser from now on, under a new token: no one else can have planted it.
 * @param before the token that the browser had, for whichever users
 */
export async function knowBrowser(trx: Transaction, userId: string, before?: string) {
  const token = newToken();
  const hash = hashToken(token);
  if (before !== undefined)
    await trx
      .updateTable('known_browsers')
      .set({ token_hash: hash })
      .where('token_hash', '=', hashToken(before))
      .execute();
  await trx
    .insertInto('known_browsers')
    .values({ token_hash: hash, user_id: userId })
    .onConflict((conflict) =>
      conflict
        .columns(['token_hash', 'user_id'])
        .doUpdateSet({ seen_at: sql<Date>`clock_timestamp()` }),
    )
    .execute();
  return token;
}

export async function forgetBrowsersOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

/** Failures at an account, from wherever. */
export async function forgetFailures(trx: Transaction, account: string): Promise<void> {
  await trx
    .deleteFrom('attempts')
    .where((eb) =>
      eb.or([
        eb('key', '=', account),
        eb(sql`starts_with(key, ${`${account} from `})`, 'is', sql`true`),
      ]),
    )
    .execute();
}

export async function purgeBrowsers(db: Executor): Promise<void> {
  await db.deleteFrom('known_browsers').where('seen_at', '<', expired).execute();
}
