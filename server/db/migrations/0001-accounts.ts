// Each change of the schema, in order; a migration that has run never changes.

import { sql, type Kysely } from 'kysely';

/** Users, their sessions, counted sign-in attempts, and the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await createUsers(db);
  await createSessions(db);
  await createAuditLog(db);
  await sql`
    create table idempotency_keys (
      user_id uuid not null references users (id),
      key text not null,
      fingerprint text not null,
      outcome jsonb,
      created_at timestamptz not null default clock_timestamp(),
      primary key (user_id, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`.execute(db);
  // The Socket.IO adapter uses this table for payloads that do not fit a notification.
  await sql`
    create table socket_io_attachments (
      id bigserial unique,
      created_at timestamptz default now(),
      payload bytea
    )`.execute(db);
}

async function createUsers(db: Kysely<unknown>) {
  await sql`
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
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index users_by_name on users
    (last_name collate "und-x-icu", first_name collate "und-x-icu", id)`.execute(db);
  await sql`create index users_search on users using gin (search_text gin_trgm_ops)`.execute(db);
  await sql`create index users_active_admins on users (id) where role = 'admin' and active`.execute(
    db,
  );
}

async function createSessions(db: Kysely<unknown>) {
  await sql`
    create table sessions (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      user_id uuid not null references users (id),
      created_at timestamptz not null default clock_timestamp(),
      last_seen_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index sessions_of_user on sessions (user_id)`.execute(db);
  await sql`create index sessions_by_last_seen on sessions (last_seen_at)`.execute(db);
  await sql`
    create table attempts (
      id bigint generated always as identity primary key,
      key text not null,
      at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index attempts_by_key on attempts (key, at)`.execute(db);
  await sql`create index attempts_by_time on attempts (at)`.execute(db);
}

async function createAuditLog(db: Kysely<unknown>) {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      request_id text,
      actor_id uuid,
      entity text not null,
      entity_id uuid not null,
      case_id uuid,
      action text not null,
      before jsonb,
      after jsonb
    )`.execute(db);
  await sql`create index audit_log_of_case on audit_log (case_id, id desc) where case_id is not null`.execute(
    db,
  );
  await sql`create index audit_log_of_entity on audit_log (entity_id, id desc)`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  await sql`
    create trigger audit_log_is_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change()`.execute(db);
}
