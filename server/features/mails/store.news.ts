import { sql } from 'kysely';
import type { Executor } from '../../db/schema.ts';
import type { GrantRow } from './store.ts';

type Due = { userIds: string[]; interval: number; limit: number };

/**
 * Those whose mailbox is due to be looked into, taken so that no other process looks too.
 * @param due the interval in seconds until they are due again
 */
export function takeDue(db: Executor, { userIds, interval, limit }: Due): Promise<GrantRow[]> {
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
    .set({ poll_at: inSeconds(interval) })
    .where('user_id', 'in', due)
    .returningAll()
    .execute();
}

type Grant = Pick<GrantRow, 'user_id' | 'fingerprint'>;

/** @returns false when the grant was replaced meanwhile */
export async function noteNews(db: Executor, grant: Grant, historyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('google_grants')
    .set({ history_id: historyId, failures: 0 })
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @param wait seconds until the next look */
export async function noteFailure(db: Executor, grant: Grant, wait: number): Promise<void> {
  await db
    .updateTable('google_grants')
    .set((eb) => ({ failures: eb('failures', '+', 1), poll_at: inSeconds(wait) }))
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .execute();
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}
