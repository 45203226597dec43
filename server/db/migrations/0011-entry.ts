import { sql, type Kysely } from 'kysely';

/** Where sessions are, browsers that signed in before, links that set a password, and invitations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column address text, add column agent text`.execute(db);
  await sql`
    create table known_browsers (
      token_hash bytea not null,
      user_id uuid not null references users (id),
      seen_at timestamptz not null default clock_timestamp(),
      primary key (token_hash, user_id)
    )`.execute(db);
  await sql`create index known_browsers_of_user on known_browsers (user_id)`.execute(db);
  await sql`create index known_browsers_by_time on known_browsers (seen_at)`.execute(db);
  await sql`
    create table password_links (
      token_hash bytea primary key,
      user_id uuid not null references users (id),
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index password_links_of_user on password_links (user_id)`.execute(db);
  await sql`
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
    )`.execute(db);
  // A second invitation replaces the first.
  await sql`create unique index invitations_open on invitations (email_key) where used_at is null`.execute(
    db,
  );
}
