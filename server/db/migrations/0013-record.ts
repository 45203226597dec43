import { sql, type Kysely } from 'kysely';

/** Where entries of the audit log come from, and the seals over them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Mails at Google have ids of another kind, and a failed sign-in may be about no account.
  await sql`
    alter table audit_log
      add column address text,
      add column agent text,
      alter column entity_id type text,
      alter column entity_id drop not null`.execute(db);
  await sql`
    create table audit_seals (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      -- The ids of the entries below it. Concurrent transactions commit out of order, so ids have gaps.
      entries int8multirange not null,
      -- SHA-256 of each entry, in the order of their ids.
      digests bytea not null,
      previous bytea not null,
      hash bytea not null unique
    )`.execute(db);
  await sql`create index audit_seals_by_time on audit_seals (at)`.execute(db);
  await sql`
    create trigger audit_seals_is_append_only before update or delete or truncate on audit_seals
      for each statement execute function refuse_change()`.execute(db);
}
