import { type Kysely, sql } from 'kysely';

/** The firm's address, and whether its first settings were asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table firm
      add column address text not null default '',
      add column set_up boolean not null default false`.execute(db);
  // A firm with a name has found its settings by itself.
  await sql`update firm set set_up = name <> ''`.execute(db);
}
