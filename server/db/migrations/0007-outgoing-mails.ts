import { sql, type Kysely } from 'kysely';

/** What became of each mail that was to be sent, so that none goes twice. Nothing of the mail itself is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outgoing_mails (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      -- 'postponed' never reached Google and may be tried again; 'unknown' may have been sent.
      state text not null check (state in ('sending', 'sent', 'refused', 'postponed', 'unknown')),
      refused_as text,
      refusal text,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index outgoing_mails_by_age on outgoing_mails (created_at)`.execute(db);
  // What an attachment is, its bytes say.
  await sql`alter table mail_uploads drop column mime_type`.execute(db);
}
