import { type Kysely, sql } from 'kysely';
import { viewOfCases, visible } from './baseline-walls.ts';

/**
 * The earlier contents of files. A file's row holds its newest content, and `uploaded_by` who uploaded that; who added the
 * file itself is in `added_by` once they differ. Each version counts in the storage of its uploader, and is in the trash
 * with its file.
 */
const statements = [
  sql`
    alter table base.files
      add column version int not null default 1,
      add column version_at timestamptz(3),
      add column added_by uuid references users (id)`,
  sql`
    create or replace view files as select t.* from base.files t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`,
  sql`
    create table base.file_versions (
      file_id uuid not null references base.files (id) on delete cascade,
      case_id uuid not null references base.cases (id),
      version int not null,
      size bigint not null,
      mime_type text not null,
      sha256 bytea not null,
      blob_key text not null unique,
      uploaded_by uuid not null references users (id),
      uploaded_at timestamptz(3) not null,
      -- Its text, so that citations of it can still be read.
      document_id uuid references documents (id) on delete set null,
      deleted_at timestamptz,
      primary key (file_id, version)
    )`,
  sql`create index file_versions_of_document on base.file_versions (document_id)
    where document_id is not null`,
  viewOfCases('file_versions'),
  sql`
    create function count_replaced_file() returns trigger language plpgsql as $$ begin
      insert into storage_use
        values (old.uploaded_by, -old.size, 0), (new.uploaded_by, new.size, 0);
      perform fold_storage_use();
      return null;
    end $$`,
  sql`
    create function move_file_versions() returns trigger language plpgsql as $$ begin
      update base.file_versions set deleted_at = new.deleted_at where file_id = new.id;
      return null;
    end $$`,
  sql`
    create trigger files_count_replaced after update of blob_key on base.files
      for each row when (old.blob_key <> new.blob_key) execute function count_replaced_file()`,
  sql`
    create trigger files_move_versions after update of deleted_at on base.files
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function move_file_versions()`,
  sql`
    create trigger file_versions_count_added after insert on base.file_versions
      referencing new table as added for each statement execute function count_added_files()`,
  sql`
    create trigger file_versions_count_removed after delete on base.file_versions
      referencing old table as removed for each statement execute function count_removed_files()`,
  sql`
    create trigger file_versions_count_moved after update of deleted_at on base.file_versions
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function count_moved_file()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
