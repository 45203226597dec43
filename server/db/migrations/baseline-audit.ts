import { sql, type RawBuilder } from 'kysely';

/** The audit log, the seals over it and over other histories, and how far the check of the seals has come. */
export const audit: RawBuilder<unknown>[] = [
  sql`
    create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$`,
  // Mails at Google have ids of another kind, and a failed sign-in may be about no account.
  sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      request_id text,
      actor_id uuid,
      entity text not null,
      entity_id text,
      case_id uuid,
      action text not null,
      before jsonb,
      after jsonb,
      address text,
      agent text
    )`,
  sql`create index audit_log_of_case on audit_log (case_id, id desc) where case_id is not null`,
  sql`create index audit_log_of_entity on audit_log (entity_id, id desc)`,
  sql`create index audit_log_by_time on audit_log (at desc, id desc)`,
  ...['actor_id', 'action', 'entity', 'address'].map(
    (column) => sql`
      create index ${sql.id(`audit_log_by_${column}`)}
        on audit_log (${sql.id(column)}, at desc, id desc) where ${sql.id(column)} is not null`,
  ),
  sql`
    create trigger audit_log_is_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change()`,
  sql`
    create table audit_seals (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      -- The ids of the entries below it. Concurrent transactions commit out of order, so ids have gaps.
      entries int8multirange not null,
      -- SHA-256 of each entry, in the order of their ids.
      digests bytea not null,
      previous bytea not null,
      hash bytea not null unique,
      -- The table that has the entries.
      source text not null default 'audit_log'
    )`,
  sql`create index audit_seals_by_time on audit_seals (source, at)`,
  sql`create index audit_seals_by_entry on audit_seals using gist (entries)`,
  sql`
    create trigger audit_seals_is_append_only before update or delete or truncate on audit_seals
      for each statement execute function refuse_change()`,
  sql`
    create table audit_checks (
      -- At most one row.
      id boolean primary key default true check (id),
      seal_id bigint not null,
      hash bytea not null,
      up_to jsonb not null,
      broken text,
      -- The table of the entry that did not fit.
      broken_in text
    )`,
];
