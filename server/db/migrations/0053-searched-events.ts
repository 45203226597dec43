import { sql, type Kysely } from 'kysely';

/** Events are found by their text while someone types, in a year of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const pending = sql.raw('with (fastupdate = on, gin_pending_list_limit = 256)');
  await sql`create index events_search on base.events using gin (search_text gin_trgm_ops) ${pending}`.execute(
    db,
  );
}
