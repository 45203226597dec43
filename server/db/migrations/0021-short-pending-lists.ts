import { type Kysely, sql } from 'kysely';

const indexes = ['entries_numbers', 'parties_numbers', 'contacts_numbers'];

/** New rows wait in a short list, as in the other indexes of words: a search reads the list whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of indexes)
    await sql`alter index ${sql.id('base', index)}
      set (fastupdate = on, gin_pending_list_limit = 256)`.execute(db);
}
