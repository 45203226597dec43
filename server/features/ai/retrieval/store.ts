import { sql } from 'kysely';
import { transact } from '../../../db/connect.ts';
import { sendLater } from '../../../db/connection.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';

/** The place that a question searches: a file, a folder, or the whole case. */
export type Scope = {
  caseId: string;
  folder?: string | undefined;
  file_name?: string | undefined;
};

/** A trained file with its document. */
export type Source = { documentId: string; folder: string; name: string; version: number };

const QUERY_CANCELED = '57014';

/** Limits each statement of a transaction, even after the client disconnects. */
export function withTimeLimit<T>(
  db: Scoped,
  milliseconds: number,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  return transact(db, async (trx) => {
    const limit = sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`;
    await sendLater(trx, limit.compile(trx));
    return work(trx);
  });
}

export function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === QUERY_CANCELED;
}

/** The files of a scope that are not deleted, with their trainings. */
function inScope({ caseId, folder, file_name: name }: Scope) {
  const inFolder = folder === undefined ? sql`` : sql`and folders.name_key = ${fold(folder)}`;
  const named = name === undefined ? sql`` : sql`and files.name_key = ${fold(name)}`;
  return sql`files
    join folders on folders.id = files.folder_id
    left join trainings on trainings.file_id = files.id
    left join documents on documents.id = trainings.document_id
    where files.case_id = ${caseId} and files.deleted_at is null ${inFolder} ${named}`;
}

type TrainingSummary = {
  files: number;
  ready: number;
  working: number;
  failed: number;
  /** Length of the trained files' texts. */
  characters: number;
  error: string | null;
};

export async function readTrainingSummary(db: Scoped, scope: Scope): Promise<TrainingSummary> {
  const found = await sql<TrainingSummary>`
    select count(*)::int files,
      count(*) filter (where documents.status = 'ready')::int ready,
      count(*) filter (where documents.status in ('queued', 'working'))::int working,
      count(*) filter (where documents.status = 'failed')::int failed,
      coalesce(sum(documents.characters) filter (where documents.status = 'ready'), 0)::float8
        characters,
      max(documents.error) filter (where documents.status = 'failed') error
    from ${inScope(scope)}`.execute(db);
  const [row] = found.rows;
  if (!row) throw new Error('an aggregate has a row');
  return row;
}

/** The trained files of a scope, each document once. */
export async function listSources(
  db: Scoped,
  scope: Scope,
  documentIds?: readonly string[],
): Promise<Source[]> {
  const chosen = documentIds ? sql`and documents.id = any(${documentIds}::uuid[])` : sql``;
  const found = await sql<Source>`
    select distinct on (documents.id) documents.id "documentId", folders.name folder, files.name,
      files.version
    from ${inScope(scope)} and documents.status = 'ready' ${chosen}
    order by documents.id, files.created_at, files.id`.execute(db);
  return found.rows;
}

/** A page of a version of a file; nulls where that is not trained, or has no such page. */
export type QuotedPage = {
  fileId: string;
  version: number;
  documentId: string | null;
  start: number | null;
  text: string | null;
};

/**
 * @param at the newest version without a number
 * @returns undefined for an unknown file or version
 */
export async function findQuotedPage(
  db: Scoped,
  at: Required<Scope> & { version: number | undefined },
  page: number,
): Promise<QuotedPage | undefined> {
  const version = at.version ?? null;
  const found = await sql<QuotedPage>`
    with file as (
      select files.id, files.version newest, coalesce(${version}::int, files.version) version,
        trainings.document_id
      from ${inScope(at)})
    select file.id "fileId", file.version, documents.id "documentId", p.start_offset "start", p.text
    from file
      left join file_versions v on v.file_id = file.id and v.version = file.version
      left join documents on documents.status = 'ready'
        and documents.id = case when file.version = newest then file.document_id else v.document_id end
      left join document_pages p on p.document_id = documents.id and p.page = ${page}
    where file.version = newest or v.version is not null`.execute(db);
  return found.rows[0];
}

type PageRow = { documentId: string; page: number; start: number; text: string };
type Place = { documentId: string; page: number; start: number; end: number };

/** The pages of the given places, each once. */
export async function readPages(db: Scoped, places: readonly Place[]): Promise<PageRow[]> {
  const found = await sql<PageRow>`
    select distinct on (d.document_id, d.page) d.document_id "documentId", d.page,
      d.start_offset "start", d.text
    from unnest(${places.map((place) => place.documentId)}::uuid[],
      ${places.map((place) => place.page)}::int[],
      ${places.map((place) => place.end)}::int[]) as place(document_id, page, until)
    join document_pages d on d.document_id = place.document_id and d.page >= place.page
      and d.start_offset < place.until
    order by d.document_id, d.page`.execute(db);
  return found.rows;
}
