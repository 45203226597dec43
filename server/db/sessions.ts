import { sql, type RawBuilder } from 'kysely';
import type { SessionEnded } from '@matterdesk/contract/events.ts';
import type { Executor } from './schema.ts';
import { hashToken, newToken } from './secrets.ts';
import { CompiledStatement, type Slots } from './statements.ts';

/** In milliseconds: how long a session lasts without requests, how long at most, and how often its use is recorded. */
export type SessionTerms = { idle: number; life: number; touch: number };

/** Client that opens a session. */
export type SessionClient = { address: string; agent: string };

export async function openSession(db: Executor, userId: string, place?: SessionClient) {
  const token = newToken();
  const { id } = await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: userId, ...place })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token, sessionId: id };
}

const past = (milliseconds: number | RawBuilder<number>) =>
  sql<Date>`statement_timestamp() - make_interval(secs => ${milliseconds}::float8 / 1000)`;

const finding = new CompiledStatement((db, value: Slots<SessionTerms & { hashes: Buffer[] }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select([
      'sessions.id as session_id',
      'sessions.token_hash',
      sql<boolean>`sessions.last_seen_at < ${past(value('touch'))}`.as('is_stale'),
    ])
    .where('sessions.token_hash', '=', sql<Buffer>`any(${value('hashes')}::bytea[])`)
    .where('sessions.last_seen_at', '>', past(value('idle')))
    .where('sessions.created_at', '>', past(value('life')))
    .where('users.active', '=', true),
);

/** Valid sessions by token, each with its active user. */
export async function findSessions(db: Executor, tokens: string[], terms: SessionTerms) {
  const hashes = tokens.map(hashToken);
  const rows = await finding.rows(db, { ...terms, hashes });
  const stale = rows.filter((row) => row.is_stale).map((row) => row.session_id);
  if (stale.length > 0) await touchSessions(db, stale);
  const byHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  return new Map(
    tokens.flatMap((token, index) => {
      const row = byHash.get(hashes[index]?.toString('hex') ?? '');
      return row ? [[token, row] as const] : [];
    }),
  );
}

async function touchSessions(db: Executor, ids: string[]) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
}

export type OpenSession = { sessionId: string; userId: string };

/** Reasons by id, for those of the given sessions that have ended. */
export async function findEnded(
  db: Executor,
  open: OpenSession[],
  terms: SessionTerms,
): Promise<Map<string, SessionEnded['reason']>> {
  if (open.length === 0) return new Map();
  const ids = open.map(({ sessionId }) => sessionId);
  const people = open.map(({ userId }) => userId);
  const { rows } = await sql<{ id: string; reason: SessionEnded['reason'] }>`
    select o.id, case when u.active is not true then 'deactivated' when s.id is null then 'logout'
      else 'expired' end as reason
    from unnest(${ids}::uuid[], ${people}::uuid[]) as o (id, user_id)
    left join users u on u.id = o.user_id
    left join sessions s on s.id = o.id
    where (u.active and s.last_seen_at > ${past(terms.idle)}
      and s.created_at > ${past(terms.life)}) is not true`.execute(db);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
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
