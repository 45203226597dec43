import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { toIndexText } from './rules.ts';

export type ReadSoFar = { page: number; end: number };

/** The last stored page, and the offset of the next. */
export async function findLastPage(db: Scoped, documentId: string): Promise<ReadSoFar> {
  const last = await db
    .selectFrom('document_pages')
    .select(['page', 'start_offset', 'text'])
    .where('document_id', '=', documentId)
    .orderBy('page', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last
    ? { page: last.page, end: last.start_offset + last.text.length }
    : { page: 0, end: 0 };
}

export async function deletePages(db: Scoped, documentId: string): Promise<void> {
  await db.deleteFrom('document_pages').where('document_id', '=', documentId).execute();
}

export type PageRow = { page: number; start_offset: number; text: string; marks: string };

/** Ignores pages that another process has stored: their text is the same. */
export async function insertPages(trx: Transaction, documentId: string, rows: PageRow[]) {
  await trx
    .insertInto('document_pages')
    .values(rows.map((row) => ({ ...row, document_id: documentId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether all pages are empty or whitespace. */
export async function isBlank(db: Scoped, documentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('document_pages')
    .select('page')
    .where('document_id', '=', documentId)
    .where(sql<boolean>`text ~ '\\S'`)
    .limit(1)
    .executeTakeFirst();
  return found === undefined;
}

const PAGES_AT_ONCE = 50;

export async function* eachPage(db: Scoped, documentId: string) {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('document_pages')
      .select(['page', 'text', 'marks'])
      .where('document_id', '=', documentId)
      .where('page', '>', after)
      .orderBy('page')
      .limit(PAGES_AT_ONCE)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGES_AT_ONCE) return;
    after = last.page;
  }
}

export async function deletePassages(db: Scoped, documentId: string): Promise<void> {
  await db.deleteFrom('passages').where('document_id', '=', documentId).execute();
}

export type PassageText = {
  ordinal: number;
  page: number;
  start: number;
  end: number;
  heading: string;
  location: string | null;
  text: string;
};

/** Indexes the words of the heading path with every passage below it. */
export async function insertPassages(db: Scoped, documentId: string, rows: PassageText[]) {
  await sql`
    insert into passages
      (document_id, ordinal, page, start_offset, end_offset, heading, location, tsv)
    select ${documentId}, ordinal, page, s, e, heading, location,
      setweight(to_tsvector('english', heading), 'A') || to_tsvector('english', body)
    from unnest(
      ${rows.map((row) => row.ordinal)}::int[], ${rows.map((row) => row.page)}::int[],
      ${rows.map((row) => row.start)}::int[], ${rows.map((row) => row.end)}::int[],
      ${rows.map((row) => row.heading)}::text[], ${rows.map((row) => row.location)}::text[],
      ${rows.map((row) => toIndexText(row.text))}::text[]
    ) as row (ordinal, page, s, e, heading, location, body)
    on conflict do nothing`.execute(db);
}
