import { sql, type RawBuilder } from 'kysely';
import { Compiled, type Slots } from './compiled.ts';
import type { Executor } from './schema.ts';
import { hashToken, newToken } from './tokens.ts';

/** In milliseconds: how long a session lasts without requests, how long at most, and how often its use is recorded. */
export type SessionTerms = { idle: number; life: number; touch: number };

/** Where a session is opened. */
export type Place = { address: string; agent: string };

export async function openSession(db: Executor, userId: string, place?: Place) {
  const token = newToken();
  const { id } = await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: userId, ...place })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token, sessionId: id };
}

const past = (milliseconds: number | RawBuilder<number>) =>
  sql<Date>`clock_timestamp() - make_interval(secs => ${milliseconds}::float8 / 1000)`;

const finding = new Compiled((db, value: Slots<SessionTerms & { hash: Buffer }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select([
      'sessions.id as session_id',
      sql<boolean>`sessions.last_seen_at < ${past(value('touch'))}`.as('is_stale'),
    ])
    .where('sessions.token_hash', '=', value('hash'))
    .where('sessions.last_seen_at', '>', past(value('idle')))
    .where('sessions.created_at', '>', past(value('life')))
    .where('users.active', '=', true),
);

/** The valid session of a token with its active user, or undefined. */
export async function findSession(db: Executor, token: string, terms: SessionTerms) {
  const found = await finding.row(db, { ...terms, hash: hashToken(token) });
  if (found?.is_stale) await touchSession(db, found.session_id);
  return found;
}

async function touchSession(db: Executor, id: string) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** The given sessions that are still valid. */
export async function findActiveSessions(db: Executor, ids: string[], terms: SessionTerms) {
  if (ids.length === 0) return new Set<string>();
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', '=', sql<string>`any(${ids})`)
    .where('sessions.last_seen_at', '>', past(terms.idle))
    .where('sessions.created_at', '>', past(terms.life))
    .where('users.active', '=', true)
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function endSession(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}

export async function endSessionsOf(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

export async function endOtherSessions(db: Executor, userId: string, current: string) {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', current)
    .execute();
}

/** Deletes expired sessions. */
export async function purgeSessions(db: Executor, terms: SessionTerms): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([eb('last_seen_at', '<', past(terms.idle)), eb('created_at', '<', past(terms.life))]),
    )
    .execute();
}
