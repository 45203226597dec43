import { sql, type Kysely } from 'kysely';

/** Grants of the users' Google accounts, and the uploads of mails that are being written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table google_grants (
      user_id uuid primary key references users (id) on delete cascade,
      email text not null,
      email_key text not null,
      -- Sealed with the secret key.
      refresh_token bytea not null,
      -- Changes with every grant; the only part that a browser gets.
      fingerprint text not null,
      scopes text not null,
      -- Gmail's history up to the last announced mail; text, because Google guarantees no range.
      history_id text not null,
      poll_at timestamptz not null default clock_timestamp(),
      -- Consecutive failures to poll for new mail.
      failures int not null default 0,
      connected_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index google_grants_by_email on google_grants (email_key)`.execute(db);
  await sql`
    create table google_states (
      state_hash bytea primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      -- The PKCE verifier, sealed.
      verifier bytea not null,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index google_states_of_session on google_states (session_id)`.execute(db);
  await sql`
    create table mail_uploads (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      mime_type text not null,
      size bigint not null,
      blob_key text not null unique,
      -- Stored before the bytes are written, so that a crash leaves no unknown blob.
      is_whole boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index mail_uploads_by_age on mail_uploads (created_at)`.execute(db);
  // Cases are suggested for a mail by the addresses in them.
  for (const column of ['client_email', 'counsel_email', 'client_name', 'counsel_name'])
    await sql`create index ${sql.ref(`cases_by_${column}`)} on cases (lower(${sql.ref(column)}))`.execute(
      db,
    );
}
