import { sql, type Kysely } from 'kysely';

/** The text of a document, stored once per content for all files that share it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table documents (
      id uuid primary key default gen_random_uuid(),
      sha256 bytea not null,
      -- How the bytes are read: the same bytes as .txt and as .html are two documents.
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
    )`.execute(db);
  await sql`
    create table trainings (
      file_id uuid primary key references files (id) on delete cascade,
      document_id uuid not null references documents (id),
      requested_by uuid not null references users (id),
      requested_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index trainings_of_document on trainings (document_id)`.execute(db);
  await createTexts(db);
}

async function createTexts(db: Kysely<unknown>) {
  // Offsets are UTF-16 units from the beginning of the document; there are no gaps between pages.
  await sql`
    create table document_pages (
      document_id uuid not null references documents (id) on delete cascade,
      page int not null,
      start_offset int not null,
      text text not null,
      -- Headings, paragraphs and rows in formats that mark them: [{ at, level, location }].
      marks jsonb not null default '[]',
      primary key (document_id, page)
    )`.execute(db);
  await sql`
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
    )`.execute(db);
  await sql`create index passages_words on passages using gin (tsv)`.execute(db);
  await sql`
    create table embeddings (
      document_id uuid not null references documents (id) on delete cascade,
      model text not null,
      dimensions int not null,
      -- Concatenated normalized float32 vectors, in the order of the passages.
      vectors bytea not null,
      primary key (document_id, model)
    )`.execute(db);
  await sql`alter table embeddings alter column vectors set storage external`.execute(db);
}
