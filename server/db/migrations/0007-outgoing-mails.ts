import { sql, type Kysely } from 'kysely';

/** The outcome of each sent mail, so that none is sent twice. The mail itself is not stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outgoing_mails (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      -- 'postponed' never reached Google and may be retried; 'unknown' may or may not have been sent.
      state text not null check (state in ('sending', 'sent', 'refused', 'postponed', 'unknown')),
      refused_as text,
      refusal text,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index outgoing_mails_by_age on outgoing_mails (created_at)`.execute(db);
  // The type of an attachment is read from its bytes.
  await sql`alter table mail_uploads drop column mime_type`.execute(db);
}
