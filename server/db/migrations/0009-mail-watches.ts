import { sql, type Kysely } from 'kysely';

/** How long Google pushes news of a mailbox, and to which topic. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table google_grants
      add column watched_topic text,
      add column watched_until timestamptz,
      -- When to renew the watch.
      add column watch_at timestamptz not null default clock_timestamp()`.execute(db);
}
