import { sql, type Selectable } from 'kysely';
import { HOUR_SECONDS } from '../../core/durations.ts';
import type { GoogleGrantsTable } from '../../db/schema-mails.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';

export type GrantRow = Selectable<GoogleGrantsTable>;
export type NewGrant = Pick<
  GrantRow,
  'user_id' | 'email' | 'refresh_token' | 'fingerprint' | 'scopes' | 'history_id'
>;

/** A grant, until it is replaced. */
type GrantKey = Pick<GrantRow, 'user_id' | 'fingerprint'>;

/** Lifetime of a Google sign-in in minutes. */
const STATE_MINUTES = 10;

export function findGrant(db: Executor, userId: string): Promise<GrantRow | undefined> {
  return db
    .selectFrom('google_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Locks the grant until the transaction ends. */
export function lockGrant(trx: Transaction, userId: string): Promise<GrantRow | undefined> {
  return trx
    .selectFrom('google_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether any user of this firm is connected to this account. */
export async function hasGrantOf(db: Executor, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('google_grants')
    .select('user_id')
    .where('email_key', '=', fold(email))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Inserts or replaces the user's grant. */
export async function putGrant(trx: Transaction, grant: NewGrant): Promise<void> {
  const watch = { watched_topic: null, watched_until: null };
  const walk = { walked_until: null, walk_started: null, walk_cursor: null, walk_left: 0 };
  const fresh = { ...grant, ...watch, ...walk, email_key: fold(grant.email), failures: 0 };
  const now = sql<Date>`clock_timestamp()`;
  await trx
    .insertInto('google_grants')
    .values(fresh)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...fresh, poll_at: now, walk_at: now, connected_at: now }),
    )
    .execute();
}

/** @returns false when it was deleted or replaced already */
export async function deleteGrant(
  trx: Transaction,
  { user_id: userId, fingerprint }: GrantKey,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('google_grants')
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

type NewState = { sessionId: string; hash: Buffer; verifier: Buffer };

export async function insertState(db: Executor, { sessionId, hash, verifier }: NewState) {
  await db
    .insertInto('google_states')
    .values({ state_hash: hash, session_id: sessionId, verifier })
    .execute();
}

/** Consumes a state; undefined when it is used, expired or another session's. */
export async function takeState(
  db: Executor,
  { sessionId, hash }: { sessionId: string; hash: Buffer },
): Promise<Buffer | undefined> {
  const taken = await db
    .deleteFrom('google_states')
    .where('state_hash', '=', hash)
    .where('session_id', '=', sessionId)
    .where(isUnexpired)
    .returning('verifier')
    .executeTakeFirst();
  return taken?.verifier;
}

const isUnexpired = sql<boolean>`created_at > statement_timestamp() - make_interval(mins => ${STATE_MINUTES})`;

export async function purgeStates(db: Executor): Promise<void> {
  await db
    .deleteFrom('google_states')
    .where(sql<boolean>`not (${isUnexpired})`)
    .execute();
}

type DueMailboxes = {
  userIds: string[];
  /** Seconds until they are due again. */
  interval: number;
  /** Seconds for mailboxes that Google watches for this topic. */
  watched: { topic: string | null; interval: number };
  limit: number;
};

/** Claims due mailboxes, so that no other process checks them too. */
export function claimMailboxes(
  db: Executor,
  { userIds, interval, watched, limit }: DueMailboxes,
): Promise<GrantRow[]> {
  const due = db
    .selectFrom('google_grants')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('poll_at', '<=', sql<Date>`statement_timestamp()`)
    .orderBy('poll_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('google_grants')
    .set({
      poll_at: sql<Date>`case
        when watched_topic = ${watched.topic} and watched_until > statement_timestamp()
        then ${inSeconds(watched.interval)} else ${inSeconds(interval)} end`,
    })
    .where('user_id', 'in', due)
    .returningAll()
    .execute();
}

/** @returns false when another process was faster, or the grant was replaced */
export async function noteHistory(
  db: Executor,
  grant: GrantKey & Pick<GrantRow, 'history_id'>,
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
export async function noteFailure(db: Executor, grant: GrantKey, wait: number): Promise<void> {
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
export async function claimUnwatched(trx: Transaction): Promise<string[]> {
  const taken = await trx
    .updateTable('google_grants')
    .set({ watch_at: inSeconds(HOUR_SECONDS) })
    .where('watch_at', '<=', sql<Date>`statement_timestamp()`)
    .returning('user_id')
    .execute();
  return taken.map((row) => row.user_id);
}

type MailboxWatch = { topic: string; until: Date };

export async function noteWatch(db: Executor, grant: GrantKey, { topic, until }: MailboxWatch) {
  await db
    .updateTable('google_grants')
    .set({ watched_topic: topic, watched_until: until, watch_at: inSeconds(24 * HOUR_SECONDS) })
    .where('user_id', '=', grant.user_id)
    .where('fingerprint', '=', grant.fingerprint)
    .execute();
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}

/** Claims mailboxes whose walk is due, so that no other process reads them. @param wait seconds until they are due again */
export function claimWalks(
  db: Executor,
  { wait, limit }: { wait: number; limit: number },
): Promise<GrantRow[]> {
  const due = db
    .selectFrom('google_grants')
    .select('user_id')
    .where('walk_at', '<=', sql<Date>`statement_timestamp()`)
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

/** The rest of a walk is due at once. @returns false when the grant was replaced or deleted */
export async function noteWalk(
  trx: Transaction,
  { user_id: userId, fingerprint }: GrantKey,
  walk: Pick<GrantRow, 'walked_until' | 'walk_started' | 'walk_cursor' | 'walk_left'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('google_grants')
    .set({ ...walk, ...(walk.walk_started && { walk_at: sql<Date>`clock_timestamp()` }) })
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Starts the current walk over. */
export async function restartWalk(
  db: Executor,
  { user_id: userId, fingerprint }: GrantKey,
): Promise<void> {
  await db
    .updateTable('google_grants')
    .set({ walk_cursor: null })
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .execute();
}

/** Addresses of the firm's own users, folded. */
export async function listColleagues(db: Executor, emails: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('email_key')
    .where('email_key', '=', sql<string>`any(${emails.map(fold)}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email_key));
}
