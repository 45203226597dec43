import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { toIndexText } from './rules.ts';

export type DocumentKey = { sha256: Buffer; kind: string; version: number };

/** Held until the transaction ends. @returns whether it is new */
export async function claimDocument(
  trx: Transaction,
  { sha256, kind, version, error }: DocumentKey & { error: string | null },
) {
  const status = error === null ? ('queued' as const) : ('failed' as const);
  const made = await trx
    .insertInto('documents')
    .values({ sha256, kind, version, status, error, pages: null, characters: null })
    .onConflict((conflict) => conflict.columns(['sha256', 'kind', 'version']).doNothing())
    .returning(['id', 'status'])
    .executeTakeFirst();
  if (made) return { ...made, isNew: true };
  const found = await trx
    .selectFrom('documents')
    .select(['id', 'status'])
    .where('sha256', '=', sha256)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { ...found, isNew: false };
}

/** @returns false when the file had this document before */
export async function linkTraining(
  trx: Transaction,
  row: { file_id: string; document_id: string; requested_by: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: changed } = await trx
    .insertInto('trainings')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('file_id')
        .doUpdateSet({ document_id: row.document_id, requested_by: row.requested_by })
        .where('trainings.document_id', '!=', row.document_id),
    )
    .executeTakeFirst();
  return changed === 1n;
}

/** As if nothing had been read of it yet. */
export async function requeueDocument(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('document_pages').where('document_id', '=', id).execute();
  await trx.deleteFrom('passages').where('document_id', '=', id).execute();
  await trx
    .updateTable('documents')
    .set({ status: 'queued', progress: 0, error: null, pages: null, characters: null })
    .set({ is_scanned: false, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export function findStanding(db: Executor, fileId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('documents', 'documents.id', 'trainings.document_id')
    .select(['documents.status', 'documents.progress', 'documents.error'])
    .where('trainings.file_id', '=', fileId)
    .executeTakeFirst();
}

/** @returns undefined when there is nothing left to do for it */
export function beginWork(db: Executor, id: string) {
  return db
    .updateTable('documents')
    .set({ status: 'working', updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'working'])
    .returning(['id', 'kind', 'pages', 'characters'])
    .executeTakeFirst();
}

/** Any file with this content will do, also one that was deleted meanwhile. */
export function findBytes(db: Executor, documentId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select(['files.blob_key', 'files.size'])
    .where('trainings.document_id', '=', documentId)
    .orderBy(sql`files.deleted_at nulls first`)
    .limit(1)
    .executeTakeFirst();
}

export type ReadSoFar = { page: number; end: number };

/** The last page that is there, and where the next one begins. */
export async function findLastPage(db: Executor, documentId: string): Promise<ReadSoFar> {
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

export async function deletePages(db: Executor, documentId: string): Promise<void> {
  await db.deleteFrom('document_pages').where('document_id', '=', documentId).execute();
}

export type PageRow = { page: number; start_offset: number; text: string; marks: string };

/** Another process may have been quicker: a page is the same whoever reads it. */
export async function insertPages(trx: Transaction, documentId: string, rows: PageRow[]) {
  await trx
    .insertInto('document_pages')
    .values(rows.map((row) => ({ ...row, document_id: documentId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type Reading = {
  progress: number;
  pages: number;
  isScanned: boolean;
  /** Added to what was noted before. */
  note: string;
};

export async function noteReading(trx: Transaction, id: string, reading: Reading): Promise<void> {
  const { progress, pages, isScanned, note } = reading;
  await trx
    .updateTable('documents')
    .set({
      progress,
      pages,
      is_scanned: sql<boolean>`is_scanned or ${isScanned}`,
      error: sql<string | null>`nullif(left(concat_ws(' ', error, nullif(${note}, '')), 2000), '')`,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'working')
    .execute();
}

/** From here on a resumed training does not read the file again. */
export async function finishReading(db: Executor, id: string, characters: number): Promise<void> {
  await db.updateTable('documents').set({ characters }).where('id', '=', id).execute();
}

/** True when no page holds a single sign. */
export async function isBlank(db: Executor, documentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('document_pages')
    .select('page')
    .where('document_id', '=', documentId)
    .where(sql<boolean>`text ~ '\\S'`)
    .limit(1)
    .executeTakeFirst();
  return found === undefined;
}

export async function isScanned(db: Executor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('is_scanned')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.is_scanned ?? false;
}

const PAGES_AT_ONCE = 50;

export async function* eachPage(db: Executor, documentId: string) {
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

export async function deletePassages(db: Executor, documentId: string): Promise<void> {
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

/** The words of the heading path count for every passage below it. */
export async function insertPassages(db: Executor, documentId: string, rows: PassageText[]) {
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

export async function finishWork(
  trx: Transaction,
  id: string,
  end: { status: 'ready' } | { status: 'failed'; error: string },
): Promise<void> {
  await trx
    .updateTable('documents')
    .set({ ...end, progress: 1, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** Documents whose last file is gone for good. */
export async function deleteOrphans(db: Executor): Promise<void> {
  await sql`
    delete from documents where status in ('ready', 'failed')
      and not exists (select from trainings where trainings.document_id = documents.id)`.execute(
    db,
  );
}
