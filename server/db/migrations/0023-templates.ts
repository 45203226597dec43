import { type Kysely, sql } from 'kysely';
import { viewOfCases } from './baseline-walls.ts';

/** Templates of letters with their versions, and what was made from them for matters. */
const statements = [
  sql`
    create table templates (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      -- Types of case; empty for every type.
      types text[] not null default '{}',
      active boolean not null default true,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index templates_by_name on templates (lower(name), id)`,
  sql`
    create table template_versions (
      template_id uuid not null references templates (id),
      n integer not null check (n > 0),
      -- Null for what came with the product.
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      sha256 bytea not null,
      -- The Word file: small, and never searched, so that it needs no place among the blobs.
      bytes bytea not null,
      fields text[] not null,
      questions text[] not null,
      uses_lists boolean not null,
      problems jsonb not null,
      primary key (template_id, n)
    )`,
  // Already compressed.
  sql`alter table template_versions alter column bytes set storage external`,
  sql`
    create table base.letters (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      template_id uuid not null,
      version integer not null,
      file_id uuid references base.files (id) on delete set null,
      pdf_file_id uuid references base.files (id) on delete set null,
      contact_id uuid references base.contacts (id) on delete set null,
      by_id uuid not null references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      -- What it was filled with.
      data_sha256 bytea not null,
      missing jsonb not null,
      foreign key (template_id, version) references template_versions (template_id, n)
    )`,
  sql`create index letters_of_case on base.letters (case_id, at desc, id desc)`,
  sql`create index letters_of_file on base.letters (file_id) where file_id is not null`,
  sql`create index letters_of_pdf on base.letters (pdf_file_id) where pdf_file_id is not null`,
  sql`create index letters_of_contact on base.letters (contact_id) where contact_id is not null`,
  viewOfCases('letters'),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
