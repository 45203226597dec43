import { sql, type Selectable } from 'kysely';
import type { GoogleGrantsTable } from '../../db/schema-mails.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';

export type GrantRow = Selectable<GoogleGrantsTable>;
export type NewGrant = Pick<
  GrantRow,
  'user_id' | 'email' | 'refresh_token' | 'fingerprint' | 'scopes' | 'history_id'
>;

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

/** True when any user of this firm is connected to this account. */
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
  { user_id: userId, fingerprint }: Pick<GrantRow, 'user_id' | 'fingerprint'>,
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
    .where(isYoung)
    .returning('verifier')
    .executeTakeFirst();
  return taken?.verifier;
}

const isYoung = sql<boolean>`created_at > clock_timestamp() - make_interval(mins => ${STATE_MINUTES})`;

export async function purgeStates(db: Executor): Promise<void> {
  await db
    .deleteFrom('google_states')
    .where(sql<boolean>`not (${isYoung})`)
    .execute();
}
