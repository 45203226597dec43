import { sql, type Kysely } from 'kysely';

/** The folders of a case, their files, and the blobs that are being stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table folders (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references cases (id),
      name text not null,
      name_key text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      unique (case_id, name_key)
    )`.execute(db);
  await sql`
    create table files (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references cases (id),
      folder_id uuid not null references folders (id),
      name text not null,
      name_key text not null,
      size bigint not null,
      mime_type text not null,
      sha256 bytea not null,
      blob_key text not null unique,
      uploaded_by uuid not null references users (id),
      deleted_at timestamptz,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create unique index files_by_name on files (folder_id, name_key)
    where deleted_at is null`.execute(db);
  await sql`create index files_newest on files (case_id, created_at desc, id desc)
    where deleted_at is null`.execute(db);
  await sql`create index files_deleted on files (deleted_at) where deleted_at is not null`.execute(
    db,
  );
  await sql`create index files_deleted_by_name on files (folder_id, name_key, deleted_at)
    where deleted_at is not null`.execute(db);
  // Blobs that are stored before their row; after a crash they are orphans.
  await sql`
    create table pending_blobs (
      blob_key text primary key,
      owner text not null,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index pending_blobs_of_owner on pending_blobs (owner, created_at)`.execute(db);
}
