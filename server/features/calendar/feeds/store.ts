import { sql } from 'kysely';
import type { FeedRow } from '../../../db/schema-calendar.ts';
import type { Executor, Scoped, Transaction } from '../../../db/schema.ts';
import { hashToken, newToken } from '../../../db/secrets.ts';
import { lockName } from '../../../db/statements.ts';
import type { EventDetails } from './rules.ts';

type NewFeedRow = Pick<FeedRow, 'user_id' | 'name' | 'people' | 'kinds' | 'case_id' | 'detail'>;

/** Seconds until another reading is recorded. */
const NOTE_EVERY_SECONDS = 60;
/** Characters of notes that a feed carries. */
const MAX_NOTES_LENGTH = 2000;

/** Selects feeds with the names of their matters that the scope sees. */
function feeds(db: Scoped) {
  return db
    .selectFrom('calendar_feeds')
    .leftJoin('cases', 'cases.id', 'calendar_feeds.case_id')
    .selectAll('calendar_feeds')
    .select('cases.case_name');
}

export function listFeeds(db: Scoped, userId: string): Promise<FeedRow[]> {
  return feeds(db)
    .where('user_id', '=', userId)
    .orderBy('calendar_feeds.created_at', 'desc')
    .orderBy('calendar_feeds.id')
    .execute();
}

export function findFeed(db: Scoped, id: string): Promise<FeedRow | undefined> {
  return feeds(db).where('calendar_feeds.id', '=', id).executeTakeFirst();
}

/** @returns the token, which is not stored */
export async function insertFeed(trx: Transaction, feed: NewFeedRow) {
  const token = newToken();
  const { id } = await trx
    .insertInto('calendar_feeds')
    .values({ ...feed, token_hash: hashToken(token) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** @returns false for an unknown feed, or another user's */
export async function deleteFeed(
  trx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('calendar_feeds')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** @param since deletes only newer feeds */
export async function deleteFeedsOf(trx: Transaction, userId: string, since?: Date): Promise<void> {
  await trx
    .deleteFrom('calendar_feeds')
    .where('user_id', '=', userId)
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date()))
    .execute();
}

/** The feed that a token opens, with its active owner. */
export function openFeed(db: Executor, token: string) {
  return db
    .selectFrom('calendar_feeds')
    .innerJoin('users', 'users.id', 'calendar_feeds.user_id')
    .selectAll('calendar_feeds')
    .where('token_hash', '=', hashToken(token))
    .where('users.active', '=', true)
    .executeTakeFirst();
}

export async function noteReading(db: Executor, id: string): Promise<void> {
  await sql`update calendar_feeds set read_at = clock_timestamp()
    where id = ${id} and (read_at is null or read_at < statement_timestamp() - make_interval(secs => ${NOTE_EVERY_SECONDS}))`.execute(
    db,
  );
}

/** Details of events, without private time of others. */
export async function findEventDetails(
  db: Scoped,
  { ids, reader }: { ids: string[]; reader: string },
): Promise<Map<string, EventDetails>> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'sequence', 'updated_at', 'location', 'link'])
    .select(sql<string>`left(notes, ${MAX_NOTES_LENGTH})`.as('notes'))
    .where('id', '=', sql<string>`any(${ids})`)
    .where(
      sql<boolean>`(not is_private or organizer_id = ${reader} or ${reader}::uuid = any(people))`,
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Numbers of visible cases, by id. */
export async function findNumbers(db: Scoped, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'case_no'])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(rows.flatMap((row) => (row.case_no === null ? [] : [[row.id, row.case_no]])));
}

/** Serializes new feeds of one user. */
export function lockOwner(trx: Transaction, userId: string): Promise<void> {
  return lockName(trx, `matterdesk.feeds${userId}`);
}

export async function countFeeds(db: Executor, userId: string): Promise<number> {
  const { counted } = await db
    .selectFrom('calendar_feeds')
    .select(sql<number>`count(*)::int`.as('counted'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return counted;
}
