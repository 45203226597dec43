import { sql, type Kysely } from 'kysely';

/** Which files a user made of which mails. The mail itself stays at Google. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table filed_mails (
      user_id uuid not null references users (id) on delete cascade,
      mail_id text not null,
      file_id uuid not null references base.files (id) on delete cascade,
      filed_at timestamptz(3) not null default clock_timestamp(),
      primary key (user_id, mail_id, file_id)
    )`.execute(db);
  await sql`create index filed_mails_by_file on filed_mails (file_id)`.execute(db);
}
