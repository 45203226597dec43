import { sql, type Kysely } from 'kysely';

/** Indexes for each filter of the record, newest first, and how far the check of its seals has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_log_by_time on audit_log (at desc, id desc)`.execute(db);
  for (const column of ['actor_id', 'action', 'entity', 'address'])
    await sql`
      create index ${sql.id(`audit_log_by_${column}`)}
        on audit_log (${sql.id(column)}, at desc, id desc) where ${sql.id(column)} is not null`.execute(
      db,
    );
  await sql`create index audit_seals_by_entry on audit_seals using gist (entries)`.execute(db);
  await sql`
    create table audit_checks (
      -- At most one row.
      id boolean primary key default true check (id),
      seal_id bigint not null,
      hash bytea not null,
      up_to bigint not null,
      broken text
    )`.execute(db);
}
