import { sql, type Kysely } from 'kysely';

/** Passkeys, and the challenges that they answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id)`.execute(db);
  await sql`
    create table used_challenges (
      hash bytea primary key,
      used_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index used_challenges_by_time on used_challenges (used_at)`.execute(db);
}
