import { sql, type Kysely } from 'kysely';

/** Until when Google tells us by itself of what is new in a mailbox, and to which topic. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table google_grants
      add column watched_topic text,
      add column watched_until timestamptz,
      -- When Google is to be asked again.
      add column watch_at timestamptz not null default clock_timestamp()`.execute(db);
}
