import { sql, type RawBuilder } from 'kysely';

/**
 * Grants of the users' Google accounts, mails that are written and sent, and which files a user made of which mails. The
 * mails themselves stay at Google.
 */
export const mails: RawBuilder<unknown>[] = [
  sql`
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
      connected_at timestamptz(3) not null default clock_timestamp(),
      -- Topic and end of Google's watch on the mailbox.
      watched_topic text,
      watched_until timestamptz,
      -- When to renew the watch.
      watch_at timestamptz not null default clock_timestamp(),
      -- A walk reads the names of correspondents, from the newest mail back to the start of the walk before, at first over
      -- the newest 5,000. When its next part is due:
      walk_at timestamptz(3) not null default clock_timestamp(),
      -- Mails that arrived before it were read by walks before; null before the end of the first one.
      walked_until timestamptz(3),
      -- When the current walk started; null between two walks.
      walk_started timestamptz(3),
      -- Gmail's token of the walk's next page.
      walk_cursor text,
      -- Mails that the walk reads at most.
      walk_left int not null default 0
    )`,
  sql`create index google_grants_by_email on google_grants (email_key)`,
  sql`create index google_grants_by_walk on google_grants (walk_at)`,
  sql`
    create table google_states (
      state_hash bytea primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      -- The PKCE verifier, sealed.
      verifier bytea not null,
      created_at timestamptz not null default clock_timestamp()
    )`,
  sql`create index google_states_of_session on google_states (session_id)`,
  // The type of an attachment is read from its bytes.
  sql`
    create table mail_uploads (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      size bigint not null,
      blob_key text not null unique,
      -- Stored before the bytes are written, so that a crash leaves no unknown blob.
      is_whole boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index mail_uploads_by_age on mail_uploads (created_at)`,
  sql`create index mail_uploads_unfinished on mail_uploads (size) where not is_whole`,
  // They count from their beginning, with the bytes that they may bring.
  sql`
    create function count_mail_upload() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then insert into storage_use values (old.user_id, -old.size, 0); end if;
      if tg_op <> 'DELETE' then insert into storage_use values (new.user_id, new.size, 0); end if;
      perform fold_storage_use();
      return null;
    end $$`,
  sql`
    create trigger mail_uploads_count after insert or delete or update of size on mail_uploads
      for each row execute function count_mail_upload()`,
  // The outcome of each sent mail, so that none is sent twice.
  sql`
    create table outgoing_mails (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      -- 'postponed' never reached Google and may be retried; 'unknown' may or may not have been sent.
      state text not null check (state in ('sending', 'sent', 'refused', 'postponed', 'unknown')),
      refused_as text,
      refusal text,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index outgoing_mails_by_age on outgoing_mails (created_at)`,
  sql`
    create table filed_mails (
      user_id uuid not null references users (id) on delete cascade,
      mail_id text not null,
      file_id uuid not null references base.files (id) on delete cascade,
      filed_at timestamptz(3) not null default clock_timestamp(),
      primary key (user_id, mail_id, file_id)
    )`,
  sql`create index filed_mails_by_file on filed_mails (file_id)`,
];
