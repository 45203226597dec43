import { type Kysely, sql } from 'kysely';

/** Without it, the database looks for a user's name by id in the index of names, which it reads whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index users_named on users (id) include (first_name, last_name, active)`.execute(
    db,
  );
}
