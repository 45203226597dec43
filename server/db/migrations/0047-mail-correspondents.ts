import { sql, type Kysely } from 'kysely';

/**
 * How far a mailbox was read for the names of correspondents, which conflict checks search. A walk goes from the newest
 * mail back to the start of the walk before, at first over the newest 5,000.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table google_grants
      -- When the next part is due.
      add column walk_at timestamptz(3) not null default clock_timestamp(),
      -- Mails that arrived before it were read by walks before; null before the end of the first one.
      add column walked_until timestamptz(3),
      -- When the current walk started; null between two walks.
      add column walk_started timestamptz(3),
      -- Gmail's token of the walk's next page.
      add column walk_cursor text,
      -- Mails that the walk reads at most.
      add column walk_left int not null default 0`.execute(db);
  await sql`create index google_grants_by_walk on google_grants (walk_at)`.execute(db);
}
