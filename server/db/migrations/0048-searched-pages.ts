import { sql, type Kysely } from 'kysely';

/**
 * The extracted text of trained files can be searched for any part of a word. The database folds it like `fold` in
 * db/search, and makes white space blanks, so that a phrase is found across line ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function fold_page(t text) returns text
      language sql immutable strict parallel safe as $$
        select translate(
          normalize(
            replace(lower(upper(lower(normalize(t, NFC) collate "und-x-icu"))), 'ς', 'σ'), NFC),
          E'\\n\\r\\t\\f\\v\\u00a0', repeat(' ', 6)) $$`.execute(db);
  await sql`
    alter table document_pages
      add column search_text text generated always as (fold_page(text)) stored`.execute(db);
  await sql`
    create index document_pages_search on document_pages using gin (search_text gin_trgm_ops)`.execute(
    db,
  );
}
