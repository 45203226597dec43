import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { GrantRow } from '../store.ts';

/** Seconds. */
const HOUR = 3600;

type Due = {
  userIds: string[];
  /** Seconds until they are due again. */
  interval: number;
  /** Seconds for mailboxes that Google watches for this topic. */
  watched: { topic: string | null; interval: number };
  limit: number;
};

/** Claims due mailboxes, so that no other process checks them too. */
export function takeDue(
  db: Executor,
  { userIds, interval, watched, limit }: Due,
): Promise<GrantRow[]> {
  const due = db
    .selectFrom('google_grants')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('poll_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('poll_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('google_grants')
    .set({
      poll_at: sql<Date>`case
        when watched_topic = ${watched.topic} and watched_until > clock_timestamp()
        then ${inSeconds(watched.interval)} else ${inSeconds(interval)} end`,
    })
    .where('user_id', 'in', due)
    .returningAll()
    .execute();
}

type Grant = Pick<GrantRow, 'user_id' | 'fingerprint'>;

/** @returns false when another process was faster, or the grant was replaced */
export async function noteNews(
  db: Executor,
  grant: Grant & Pick<GrantRow, 'history_id'>,
  historyId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('google_grants')
    .set({ history_id: historyId, failures: 0 })
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .where('history_id', '=', grant.history_id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @param wait seconds until the next check */
export async function noteFailure(db: Executor, grant: Grant, wait: number): Promise<void> {
  await db
    .updateTable('google_grants')
    .set((eb) => ({ failures: eb('failures', '+', 1), poll_at: inSeconds(wait) }))
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .execute();
}

/** Grants of all users connected to this account. */
export function listGrantsOf(db: Executor, email: string): Promise<GrantRow[]> {
  return db.selectFrom('google_grants').selectAll().where('email_key', '=', fold(email)).execute();
}

/** Skips mailboxes that back off after failures. */
export async function makeDue(db: Executor, userIds: string[]): Promise<void> {
  await db
    .updateTable('google_grants')
    .set({ poll_at: inSeconds(0) })
    .where('user_id', 'in', userIds)
    .where('failures', '=', 0)
    .execute();
}

/** Claims mailboxes whose watch is due; the claim expires after an hour without success. */
export async function takeUnwatched(trx: Transaction): Promise<string[]> {
  const taken = await trx
    .updateTable('google_grants')
    .set({ watch_at: inSeconds(HOUR) })
    .where('watch_at', '<=', sql<Date>`clock_timestamp()`)
    .returning('user_id')
    .execute();
  return taken.map((row) => row.user_id);
}

type Watch = { topic: string; until: Date };

export async function noteWatch(db: Executor, grant: Grant, { topic, until }: Watch) {
  await db
    .updateTable('google_grants')
    .set({ watched_topic: topic, watched_until: until, watch_at: inSeconds(24 * HOUR) })
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .execute();
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}
