import { type Kysely, sql } from 'kysely';

/** Exports of other systems that are imported, and the record here of each of theirs. */
const statements = [
  sql`
    create table imports (
      id uuid primary key default gen_random_uuid(),
      profile text not null,
      by_id uuid not null references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      state text not null default 'read'
        check (state in ('read', 'mapped', 'checked', 'running', 'done', 'undone', 'failed')),
      -- The work that runs, or ran last.
      work text check (work in ('check', 'import', 'undo', 'tryUndo')),
      -- Of the run: work for an earlier one stops.
      run_id uuid,
      run_at timestamptz(3),
      -- The first run that wrote anything.
      begun_at timestamptz(3),
      done_at timestamptz(3),
      -- A folder below IMPORT_DIR; null for uploads.
      dir text,
      mapping jsonb not null,
      tables jsonb not null,
      -- Order of day and month in the files.
      dates text not null,
      counts jsonb not null default '{}',
      -- Rows by kind, as a whole run found them.
      totals jsonb not null default '{}',
      problem_count int not null default 0,
      -- The kind, the file and the row that were done last.
      place jsonb,
      error text
    )`,
  sql`create index imports_by_time on imports (at desc, id)`,
  // One runs at a time.
  sql`create unique index imports_running on imports ((true)) where state = 'running'`,
  sql`
    create table import_uploads (
      import_id uuid not null references imports (id) on delete cascade,
      n int not null,
      path text not null,
      size bigint not null,
      sha256 bytea not null,
      blob_key text not null,
      primary key (import_id, n)
    )`,
  sql`
    create table import_files (
      import_id uuid not null references imports (id) on delete cascade,
      n int not null,
      path text not null,
      size bigint not null,
      kind text,
      headers text[] not null,
      primary key (import_id, n)
    )`,
  sql`
    create table import_problems (
      import_id uuid not null references imports (id) on delete cascade,
      n int not null,
      file text not null,
      row_number int,
      column_name text,
      message text not null,
      kind text not null,
      outcome text not null check (outcome in ('conflicting', 'refused')),
      item_id text,
      item_name text,
      primary key (import_id, n)
    )`,
  // Records of other systems with their ids there and here.
  sql`
    create table import_ids (
      source text not null,
      kind text not null,
      external_id text not null,
      id uuid not null,
      name text not null,
      -- Folded names and numbers by which others name it.
      names text[] not null default '{}',
      -- Empty while it differs from what is here.
      row_hash text not null,
      -- A hash of each value as an import wrote it.
      fields jsonb not null,
      -- The import that brought it, and whether that made the record, or found it here.
      import_id uuid not null references imports (id),
      is_made boolean not null,
      primary key (source, kind, external_id)
    )`,
  sql`create index import_ids_by_name on import_ids using gin (names) with (fastupdate = off)
    where names <> '{}'`,
  sql`create index import_ids_of_record on import_ids (id, kind)`,
  sql`create index import_ids_made on import_ids (import_id, kind, id)`,
  sql`
    create table import_left (
      import_id uuid not null references imports (id) on delete cascade,
      kind text not null,
      id uuid not null,
      name text not null,
      reason text not null,
      primary key (import_id, kind, id)
    )`,
  // Folders and notes of other systems name cases by their names.
  sql`create index cases_named on base.cases (lower(case_name))`,
  // Names of an import are compared when it is done, and what they match is said at once.
  sql`
    alter table base.names
      add column is_held boolean not null default (coalesce(current_setting('matterdesk.import', true), '') = '1')`,
  sql`drop index base.names_unchecked`,
  sql`create index names_unchecked on base.names (is_held, id) where not is_checked`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
