import { sql, type RawBuilder } from 'kysely';
import { viewOfCases } from './baseline-walls.ts';

const filesIn = sql`coalesce(sum(size) filter (where deleted_at is null), 0)`;
const trashIn = sql`coalesce(sum(size) filter (where deleted_at is not null), 0)`;

/** The folders and files of cases, the stored bytes of each user, and the text of trained documents. */
export const files: RawBuilder<unknown>[] = [
  sql`
    create table base.folders (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      name text not null,
      name_key text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      unique (case_id, name_key)
    )`,
  sql`
    create table base.files (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      folder_id uuid not null references base.folders (id),
      name text not null,
      name_key text not null,
      size bigint not null,
      mime_type text not null,
      sha256 bytea not null,
      blob_key text not null unique,
      uploaded_by uuid not null references users (id),
      deleted_at timestamptz,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create unique index files_by_name on base.files (folder_id, name_key)
    where deleted_at is null`,
  sql`create index files_newest on base.files (case_id, created_at desc, id desc)
    where deleted_at is null`,
  sql`create index files_deleted on base.files (deleted_at) where deleted_at is not null`,
  sql`create index files_deleted_by_name on base.files (folder_id, name_key, deleted_at)
    where deleted_at is not null`,
  viewOfCases('folders'),
  viewOfCases('files'),
  // Blobs that are stored before their row; after a crash they are orphans.
  sql`
    create table pending_blobs (
      blob_key text primary key,
      owner text not null,
      created_at timestamptz not null default clock_timestamp(),
      reserved bigint not null default 0
    )`,
  sql`create index pending_blobs_of_owner on pending_blobs (owner, created_at)`,
  sql`create index pending_blobs_reserved on pending_blobs (reserved) where reserved > 0`,
  ...storageUse(),
  // The text of a document, stored once per content for all files that share it.
  sql`
    create table documents (
      id uuid primary key default gen_random_uuid(),
      sha256 bytea not null,
      -- Reader of the bytes: the same bytes as .txt and as .html are two documents.
      kind text not null,
      -- Version of the extraction and the index; a newer version trains again.
      version int not null,
      status text not null check (status in ('queued', 'working', 'ready', 'failed')),
      progress real not null default 0,
      pages int,
      characters int,
      is_scanned boolean not null default false,
      error text,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      unique (sha256, kind, version)
    )`,
  sql`
    create table trainings (
      file_id uuid primary key references base.files (id) on delete cascade,
      document_id uuid not null references documents (id),
      requested_by uuid not null references users (id),
      requested_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index trainings_of_document on trainings (document_id)`,
  sql`
    create function fold_page(t text) returns text
      language sql immutable strict parallel safe as $$
        select translate(
          normalize(
            replace(lower(upper(lower(normalize(t, NFC) collate "und-x-icu"))), 'ς', 'σ'), NFC),
          E'\\n\\r\\t\\f\\v\\u00a0', repeat(' ', 6)) $$`,
  // Offsets are UTF-16 units from the beginning of the document; there are no gaps between pages.
  sql`
    create table document_pages (
      document_id uuid not null references documents (id) on delete cascade,
      page int not null,
      start_offset int not null,
      text text not null,
      -- Headings, paragraphs and rows in formats that mark them: [{ at, level, location }].
      marks jsonb not null default '[]',
      search_text text generated always as (fold_page(text)) stored,
      primary key (document_id, page)
    )`,
  sql`
    create index document_pages_search on document_pages using gin (search_text gin_trgm_ops)`,
  sql`
    create table passages (
      id bigint generated always as identity primary key,
      document_id uuid not null references documents (id) on delete cascade,
      ordinal int not null,
      page int not null,
      start_offset int not null,
      end_offset int not null,
      -- 'Article 5 › Limitation of liability'; empty without one.
      heading text not null,
      -- The location in formats without pages: 'Sheet 2, row 14'.
      location text,
      tsv tsvector not null,
      unique (document_id, ordinal)
    )`,
  sql`create index passages_words on passages using gin (tsv)`,
  sql`
    create table embeddings (
      document_id uuid not null references documents (id) on delete cascade,
      model text not null,
      dimensions int not null,
      -- Concatenated normalized float32 vectors, in the order of the passages.
      vectors bytea not null,
      primary key (document_id, model)
    )`,
  sql`alter table embeddings alter column vectors set storage external`,
];

/**
 * Stored bytes of each user, kept by the transaction that changes them, as the counts of cases are: each statement
 * adds a row, and now and then one replaces the rows that it sees with their sums. A text to no one's number has no user.
 */
function storageUse(): RawBuilder<unknown>[] {
  return [
    sql`
    create table storage_use (
      user_id uuid,
      files bigint not null,
      -- Deleted files that can be restored.
      trash bigint not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
    sql`
    create function fold_storage_use() returns void language plpgsql as $$ begin
      if random() > 0.02 then return; end if;
      with folded as (
        delete from storage_use
        where ctid = any (array(select ctid from storage_use for update skip locked))
        returning *)
      insert into storage_use
        select user_id, sum(files), sum(trash) from folded group by user_id;
    end $$`,
    sql`
    create function count_added_files() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select uploaded_by, ${filesIn}, ${trashIn} from added group by uploaded_by;
      perform fold_storage_use();
      return null;
    end $$`,
    sql`
    create function count_removed_files() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select uploaded_by, -${filesIn}, -${trashIn} from removed group by uploaded_by;
      return null;
    end $$`,
    sql`
    create function count_moved_file() returns trigger language plpgsql as $$
      declare bytes bigint := case when new.deleted_at is null then new.size else -new.size end;
      begin
        insert into storage_use values (new.uploaded_by, bytes, -bytes);
        perform fold_storage_use();
        return null;
      end $$`,
    sql`
    create trigger files_count_added after insert on base.files referencing new table as added
      for each statement execute function count_added_files()`,
    sql`
    create trigger files_count_removed after delete on base.files referencing old table as removed
      for each statement execute function count_removed_files()`,
    sql`
    create trigger files_count_moved after update of deleted_at on base.files
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function count_moved_file()`,
  ];
}
