import { type Kysely, sql } from 'kysely';

/** Indexes that find cases by the beginning of their name or number, and by words of the name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The searched text opens with the folded name. Bytewise order, so that a range finds what begins with a text.
  await sql`
    create index cases_name_begins on base.cases
      (status_type, (split_part(search_text, E'\n', 1) collate "C"))`.execute(db);
  await sql`
    create index cases_number_begins on base.cases
      (status_type, (case_no_key collate "C"))`.execute(db);
  await sql`
    create index cases_name_words on base.cases
      using gin (split_part(search_text, E'\n', 1) gin_trgm_ops)
      with (fastupdate = on, gin_pending_list_limit = 256)`.execute(db);
}
