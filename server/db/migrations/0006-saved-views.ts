import { type Kysely, sql } from 'kysely';

/** Lists with their filters, as a user saved them. */
const statements = [
  sql`
    create table saved_views (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      page text not null,
      name text not null,
      query text not null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create unique index saved_views_of_user on saved_views (user_id, page, lower(name))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
