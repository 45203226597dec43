import { sql, type Kysely } from 'kysely';

/** Authenticator apps and recovery codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // On the user's row, since every request reads it.
  await sql`alter table users add column second_factor text not null default 'none'
    check (second_factor in ('none', 'totp', 'passkey'))`.execute(db);
  await sql`
    create table totp_apps (
      user_id uuid primary key references users (id),
      -- Sealed with the secret key.
      secret bytea not null,
      -- Of the last accepted code, so that each one works once.
      last_step bigint not null default 0,
      confirmed_at timestamptz(3)
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id uuid not null references users (id),
      code_hash bytea not null,
      primary key (user_id, code_hash)
    )`.execute(db);
}
