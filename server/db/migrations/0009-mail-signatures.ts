import { type Kysely, sql } from 'kysely';

/** The text below a user's mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_signatures (
      user_id uuid primary key references users (id),
      text text not null
    )`.execute(db);
}
