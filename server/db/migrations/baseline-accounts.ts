import { sql, type RawBuilder } from 'kysely';

/** Users with their sessions, links, second factors and passkeys; the firm; and what every request needs. */
export const accounts: RawBuilder<unknown>[] = [
  sql`create extension if not exists pg_trgm`,
  // On the user's row, since every request reads it: second_factor, and who made the link that set the password.
  sql`
    create table users (
      id uuid primary key default gen_random_uuid(),
      first_name text not null,
      last_name text not null,
      email text not null,
      email_key text not null unique,
      password_hash text not null,
      role text not null check (role in ('user', 'admin')),
      phone_number text not null,
      active boolean not null,
      approved boolean not null,
      permissions jsonb not null default '{}',
      search_text text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      second_factor text not null default 'none'
              check (second_factor in ('none', 'totp', 'passkey')),
      password_by uuid references users (id),
      password_by_at timestamptz(3)
    )`,
  sql`create index users_by_name on users
    (last_name collate "und-x-icu", first_name collate "und-x-icu", id)`,
  sql`create index users_search on users using gin (search_text gin_trgm_ops)`,
  sql`create index users_active_admins on users (id) where role = 'admin' and active`,
  sql`
    create table sessions (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      user_id uuid not null references users (id),
      created_at timestamptz not null default clock_timestamp(),
      last_seen_at timestamptz not null default clock_timestamp(),
      address text,
      agent text
    )`,
  sql`create index sessions_of_user on sessions (user_id)`,
  sql`create index sessions_by_last_seen on sessions (last_seen_at)`,
  sql`
    create table attempts (
      id bigint generated always as identity primary key,
      key text not null,
      at timestamptz not null default clock_timestamp()
    )`,
  sql`create index attempts_by_key on attempts (key, at)`,
  sql`create index attempts_by_time on attempts (at)`,
  sql`
    create table known_browsers (
      token_hash bytea not null,
      user_id uuid not null references users (id),
      seen_at timestamptz not null default clock_timestamp(),
      primary key (token_hash, user_id)
    )`,
  sql`create index known_browsers_of_user on known_browsers (user_id)`,
  sql`create index known_browsers_by_time on known_browsers (seen_at)`,
  sql`
    create table password_links (
      token_hash bytea primary key,
      user_id uuid not null references users (id),
      expires_at timestamptz(3) not null,
      made_by uuid references users (id)
    )`,
  sql`create index password_links_of_user on password_links (user_id)`,
  sql`
    create table invitations (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      email text not null,
      email_key text not null,
      role text not null check (role in ('user', 'admin')),
      permissions jsonb not null,
      invited_by uuid not null references users (id),
      created_at timestamptz(3) not null default clock_timestamp(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3)
    )`,
  // A second invitation replaces the first.
  sql`create unique index invitations_open on invitations (email_key) where used_at is null`,
  sql`
    create table totp_apps (
      user_id uuid primary key references users (id),
      -- Sealed with the secret key.
      secret bytea not null,
      -- Step of the last accepted code, so that each code works once.
      last_step bigint not null default 0,
      confirmed_at timestamptz(3)
    )`,
  sql`
    create table recovery_codes (
      user_id uuid not null references users (id),
      code_hash bytea not null,
      primary key (user_id, code_hash)
    )`,
  sql`
    create table passkeys (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      used_at timestamptz(3)
    )`,
  sql`create index passkeys_of_user on passkeys (user_id)`,
  sql`
    create table used_challenges (
      hash bytea primary key,
      used_at timestamptz not null default clock_timestamp()
    )`,
  sql`create index used_challenges_by_time on used_challenges (used_at)`,
  // The settings of the firm, in a single row.
  sql`
    create table firm (
      is_only boolean primary key default true check (is_only),
      name text not null default '',
      -- Null until an admin chooses; the server's own until then.
      time_zone text,
      morning text not null default '07:30' check (morning ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      dual_control boolean not null default true,
      second_factor text not null default 'optional'
        check (second_factor in ('optional', 'admins', 'everyone')),
      idle_minutes int not null default 720 check (idle_minutes between 5 and 1440),
      train_uploads boolean not null default false
    )`,
  sql`insert into firm default values`,
  sql`
    create table idempotency_keys (
      user_id uuid not null references users (id),
      key text not null,
      fingerprint text not null,
      outcome jsonb,
      created_at timestamptz not null default clock_timestamp(),
      primary key (user_id, key)
    )`,
  sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`,
  // The Socket.IO adapter uses this table for payloads that do not fit a notification.
  sql`
    create table socket_io_attachments (
      id bigserial unique,
      created_at timestamptz default now(),
      payload bytea
    )`,
];
