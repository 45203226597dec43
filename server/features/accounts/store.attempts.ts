import { sql } from 'kysely';
import type { Executor, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { hashToken, newToken } from '../../db/secrets.ts';
import { BROWSER_LIFE_MS, type Limit, type AttemptHistory } from './rules.attempts.ts';

const browserCutoff = sql<Date>`statement_timestamp() - make_interval(secs => ${BROWSER_LIFE_MS / 1000})`;

/**
 * Records an attempt before it runs, so that parallel attempts cannot pass together.
 * @returns its id, for removing it, or the seconds until the next one is admitted
 */
export async function recordAttempt(
  db: Executor,
  limit: Limit,
): Promise<{ id: string } | { wait: number }> {
  const { id } = await db
    .insertInto('attempts')
    .values({ key: limit.key })
    .returning('id')
    .executeTakeFirstOrThrow();
  const wait = limit.waitAfter(await readPast(db, limit, id));
  if (wait <= 0) return { id };
  await forgetAttempt(db, id);
  return { wait };
}

async function readPast(
  db: Executor,
  { key, windowMs }: Limit,
  own?: string,
): Promise<AttemptHistory> {
  const seconds = windowMs / 1000;
  const past = await db
    .selectFrom('attempts')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`extract(epoch from statement_timestamp() - max(at))::float8`.as('sinceLast'),
      sql<number>`extract(epoch from min(at) - statement_timestamp())::float8 + ${seconds}`.as(
        'untilFewer',
      ),
    ])
    .where('key', '=', key)
    .$if(own !== undefined, (query) => query.where('id', '!=', own ?? ''))
    .where('at', '>', sql<Date>`statement_timestamp() - make_interval(secs => ${seconds})`)
    .executeTakeFirstOrThrow();
  return past;
}

/** Attempts of a key within its window. */
export async function countAttempts(db: Executor, limit: Limit): Promise<number> {
  return (await readPast(db, limit)).count;
}

export async function forgetAttempt(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('attempts').where('id', '=', id).execute();
}

export async function forgetAttempts(db: Executor, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute();
}

export async function purgeAttempts(db: Executor, windowMs: number): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('at', '<', sql<Date>`statement_timestamp() - make_interval(secs => ${windowMs / 1000})`)
    .execute();
}

/** @returns a name for the browser and the user of this address together, if the user signed in there before */
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
    .where('seen_at', '>', browserCutoff)
    .executeTakeFirst();
  return found && `${hash.toString('hex')}:${found.id}`;
}

/**
 * Remembers the browser under a new token, which no one else can have planted.
 * @param before the token that the browser had, for whichever users
 */
export async function rememberBrowser(trx: Transaction, userId: string, before?: string) {
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

/** Failures at an account, from all networks. */
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
  await db.deleteFrom('known_browsers').where('seen_at', '<', browserCutoff).execute();
}
