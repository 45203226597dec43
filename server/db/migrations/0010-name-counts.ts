import { type Kysely, sql } from 'kysely';

/** The newest name that the counts of words include. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table name_counts (newest bigint not null)`.execute(db);
  await sql`insert into name_counts values (0)`.execute(db);
}
