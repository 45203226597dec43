import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { GrantRow } from '../store.ts';
import type { Walk } from './rules.ts';

/** Claims mailboxes whose next part is due, so that no other process reads them too. @param wait seconds until they are due again */
export function takeDue(
  db: Executor,
  { wait, limit }: { wait: number; limit: number },
): Promise<GrantRow[]> {
  const due = db
    .selectFrom('google_grants')
    .select('user_id')
    .where('walk_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('walk_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('google_grants')
    .set({ walk_at: sql<Date>`clock_timestamp() + make_interval(secs => ${wait})` })
    .where('user_id', 'in', due)
    .returningAll()
    .execute();
}

/** The rest of a walk is due in the next round. @returns false when the grant was replaced or deleted */
export async function noteWalk(
  trx: Transaction,
  { user_id: userId, fingerprint }: Pick<GrantRow, 'user_id' | 'fingerprint'>,
  walk: Walk,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('google_grants')
    .set({ ...walk, ...(walk.walk_started && { walk_at: sql<Date>`clock_timestamp()` }) })
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Begins the current walk again. */
export async function restartWalk(
  db: Executor,
  { user_id: userId, fingerprint }: Pick<GrantRow, 'user_id' | 'fingerprint'>,
): Promise<void> {
  await db
    .updateTable('google_grants')
    .set({ walk_cursor: null })
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .execute();
}

/** Those among these addresses that are users of the firm, folded. */
export async function listOwn(db: Executor, emails: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('email_key')
    .where('email_key', '=', sql<string>`any(${emails.map(fold)}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email_key));
}
