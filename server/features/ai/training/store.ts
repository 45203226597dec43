import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { toIndexText, type WaitingDocument } from './rules.ts';

type DocumentKey = { sha256: Buffer; kind: string; version: number };

export type ReadProgress = {
  progress: number;
  pages: number;
  isScanned: boolean;
  /** Appended to the earlier notes. */
  note: string;
};

/** Running jobs, once for each person who asked for their document. */
const active = sql`
  select job.id job, job.started_on since, trainings.requested_by person
  from jobs.job join trainings on trainings.document_id = (job.data->>'key')::uuid
  where job.name = 'train' and job.state = 'active'`;

type Exchange = { job: string; document: string; other: WaitingDocument };

/** Locks the document until the transaction ends, creating it when it is missing. */
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

/** @returns false when the file already had this document */
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

/** Resets a document to be read from its beginning, or from where its reading stopped. */
export async function requeueDocument(trx: Transaction, id: string): Promise<void> {
  const { numUpdatedRows: stopped } = await trx
    .updateTable('documents')
    .set({ status: 'queued', error: null, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('progress', '<', 1)
    .executeTakeFirst();
  if (stopped === 1n) return;
  await trx.deleteFrom('document_pages').where('document_id', '=', id).execute();
  await trx.deleteFrom('passages').where('document_id', '=', id).execute();
  await trx
    .updateTable('documents')
    .set({ status: 'queued', progress: 0, error: null, pages: null, characters: null })
    .set({ is_scanned: false, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export function findStatus(db: Scoped, fileId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('documents', 'documents.id', 'trainings.document_id')
    .select(['documents.status', 'documents.progress', 'documents.error'])
    .where('trainings.file_id', '=', fileId)
    .executeTakeFirst();
}

/** @returns undefined when the training has ended or the document is deleted */
export function beginWork(db: Scoped, id: string) {
  return db
    .updateTable('documents')
    .set({ status: 'working', updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'working'])
    .returning(['id', 'kind', 'pages', 'characters'])
    .executeTakeFirst();
}

/** The bytes of any file with this content, including a deleted one. */
export function findBytes(db: Scoped, documentId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select(['files.blob_key', 'files.size'])
    .where('trainings.document_id', '=', documentId)
    .orderBy(sql`files.deleted_at nulls first`)
    .limit(1)
    .executeTakeFirst();
}

export async function recordReading(
  trx: Transaction,
  id: string,
  reading: ReadProgress,
): Promise<void> {
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

/** Marks the text as complete, so that a resumed training does not read the file again. */
export async function finishReading(db: Scoped, id: string, characters: number): Promise<void> {
  await db.updateTable('documents').set({ characters }).where('id', '=', id).execute();
}

export async function isScanned(db: Scoped, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('is_scanned')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.is_scanned ?? false;
}

/** @param end `isKept` when the next training goes on with the pages that were read */
export async function finishWork(
  trx: Transaction,
  id: string,
  {
    isKept = false,
    ...end
  }: { status: 'ready'; isKept?: false } | { status: 'failed'; error: string; isKept?: boolean },
): Promise<void> {
  await trx
    .updateTable('documents')
    .set({ ...end, ...(!isKept && { progress: 1 }), updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** Deletes documents that no file has or had. */
export async function deleteOrphans(db: Scoped): Promise<void> {
  await sql`
    delete from documents where status in ('ready', 'failed')
      and not exists (select from trainings where trainings.document_id = documents.id)
      and not exists (select from file_versions v where v.document_id = documents.id)`.execute(db);
}

/** The smallest waiting document of each person, and of the job that is about to begin. */
export async function listWaiting(db: Scoped, job: string): Promise<WaitingDocument[]> {
  const { rows } = await sql<WaitingDocument>`
    with active as (${active}),
      running as (
        select person, count(distinct job)::int n from active where job <> ${job} group by person)
    select distinct on (trainings.requested_by)
      trainings.requested_by person, documents.id document, job.id job, coalesce(running.n, 0) running
    from jobs.job
      join documents on documents.id = (job.data->>'key')::uuid
      join trainings on trainings.document_id = documents.id
      join files on files.id = trainings.file_id
      left join running on running.person = trainings.requested_by
    where job.name = 'train' and (job.id = ${job} or (job.state = 'created' and job.start_after <= now()))
    order by trainings.requested_by, files.size, job.created_on`.execute(db);
  return rows;
}

/**
 * Whether this training must yield: someone waits with none running, and each person who asked for this one has an
 * older one running.
 */
export async function isToYield(db: Scoped, job: string): Promise<boolean> {
  const { rows } = await sql<{ yields: boolean }>`
    with active as materialized (${active})
    select exists (select from active where job = ${job})
      and not exists (
        select from active own where own.job = ${job} and not exists (
          select from active older
            where older.person = own.person and (older.since, older.job) < (own.since, own.job)))
      and exists (
        select from jobs.job join trainings on trainings.document_id = (job.data->>'key')::uuid
          where job.name = 'train' and job.state = 'created' and job.start_after <= now()
            and trainings.requested_by not in (select person from active)) yields`.execute(db);
  return rows[0]?.yields === true;
}

/**
 * Lets a job train the document of a waiting one, which gets the first one's document.
 * @returns false when the other began meanwhile
 */
export function exchangeDocuments(db: Scoped, { job, document, other }: Exchange) {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from jobs.job where name = 'train' and id = ${other.job} and state = 'created'
        and data->>'key' = ${other.document} for update skip locked`.execute(trx);
    if (rows.length === 0) return false;
    await sql`
      update jobs.job set data = jsonb_build_object('key',
        case when id = ${job} then ${other.document}::text else ${document}::text end)
      where name = 'train' and id in (${job}, ${other.job})`.execute(trx);
    return true;
  });
}

/** Whether the document still belongs to a file that is not deleted. */
export async function isWanted(db: Scoped, documentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select('files.id')
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

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
