import { type Insertable, sql } from 'kysely';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Executor, FilesTable, Scoped, Transaction } from '../../db/schema.ts';
import { bigramQuery, likePattern, everyWord, fold } from '../../db/search.ts';
import type { FileAddress } from './rules.ts';

export type FileRow = Awaited<ReturnType<typeof listFiles>>[number];

type NewFileRow = Omit<Insertable<FilesTable>, 'name_key'>;

export type VersionRow = {
  version: number;
  uploaded_at: Date;
  /** A bigint is read as text. */
  size: string;
  mime_type: string;
  sha256: Buffer;
  blob_key: string;
  uploaded_by: string;
  is_trained: boolean;
  first_name: string;
  last_name: string;
};

type Pending = { blob_key: string; owner: string; reserved?: number };

type Leftovers = { owner: string; except: string[]; limit: number };

type ExpiredTotals = { files: number; bytes: number };

type FoundRow = {
  id: string;
  folder: string;
  name: string;
  /** Text around a word of the search, longer than an excerpt; null when only the name matches. */
  around: string | null;
};

type Query = { caseId: string; search: string; after: string | undefined; limit: number };

/** Code points before and in all of the text around a word. */
const BEFORE = 200;
const AROUND = 600;

type UntrainedQuery = { caseId: string; folder?: string | undefined; limit: number };

export async function hasCase(db: Scoped, caseId: string): Promise<boolean> {
  const found = await db
    .selectFrom('cases')
    .select('id')
    .where('id', '=', caseId)
    .executeTakeFirst();
  return found !== undefined;
}

/** @returns undefined when the name is taken */
export async function insertFolder(db: Scoped, caseId: string, name: string) {
  return db
    .insertInto('folders')
    .values({ case_id: caseId, name, name_key: fold(name) })
    .onConflict((conflict) => conflict.columns(['case_id', 'name_key']).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst();
}

/** Locked until the transaction ends, so that two files never take the same name. */
export function lockFolder(trx: Transaction, caseId: string, name: string) {
  return trx
    .selectFrom('folders')
    .select(['id', 'name'])
    .where('case_id', '=', caseId)
    .where('name_key', '=', fold(name))
    .forUpdate()
    .executeTakeFirst();
}

export function listFolders(db: Scoped, caseId: string) {
  return db
    .selectFrom('folders')
    .select(['id', 'name'])
    .where('case_id', '=', caseId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Files with their place and training progress, in one query. */
export function withPlace(db: Scoped) {
  return db
    .selectFrom('files')
    .innerJoin('folders', 'folders.id', 'files.folder_id')
    .innerJoin('users', (join) =>
      // A file belongs to the user who added it, also when someone else uploaded its newest version.
      join.on(sql<boolean>`users.id = coalesce(files.added_by, files.uploaded_by)`),
    )
    .leftJoin('trainings', 'trainings.file_id', 'files.id')
    .leftJoin('documents', 'documents.id', 'trainings.document_id')
    .select(['files.id', 'files.case_id', 'files.folder_id', 'files.name', 'files.size'])
    .select(['files.mime_type', 'files.sha256', 'files.blob_key', 'files.created_at'])
    .select(['files.version', 'users.id as added_by', 'users.first_name', 'users.last_name'])
    .select('folders.name as folder')
    .select(['documents.status', 'documents.progress', 'documents.error', 'documents.pages']);
}

export function listFiles(db: Scoped, caseId: string, limit: number) {
  return (
    withPlace(db)
      .where('files.case_id', '=', caseId)
      .where('files.deleted_at', 'is', null)
      .orderBy('files.created_at')
      // Files of one upload share their time.
      .orderBy('files.name_key')
      .orderBy('files.id')
      .limit(limit)
      .execute()
  );
}

export function findFile(db: Scoped, { caseId, folder, name }: FileAddress) {
  return withPlace(db)
    .where('files.case_id', '=', caseId)
    .where('folders.case_id', '=', caseId)
    .where('folders.name_key', '=', fold(folder))
    .where('files.name_key', '=', fold(name))
    .where('files.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The file that was at this address last, before it was renamed or moved. */
export function findMovedFile(db: Scoped, { caseId, folder, name }: FileAddress) {
  return withPlace(db)
    .where('files.case_id', '=', caseId)
    .where('files.former', '@>', sql<string[]>`array[${formerKey(folder, name)}]`)
    .where(sql<boolean>`files.former <> '{}'`)
    .where('files.deleted_at', 'is', null)
    .orderBy('files.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function formerKey(folder: string, name: string): string {
  return `${fold(folder)}/${fold(name)}`;
}

/** The most recently deleted file of this name. */
export function findDeletedFile(db: Scoped, { caseId, folder, name }: FileAddress) {
  return withPlace(db)
    .where('files.case_id', '=', caseId)
    .where('folders.case_id', '=', caseId)
    .where('folders.name_key', '=', fold(folder))
    .where('files.name_key', '=', fold(name))
    .where('files.deleted_at', 'is not', null)
    .orderBy('files.deleted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function findFileById(db: Scoped, id: string) {
  return withPlace(db).where('files.id', '=', id).executeTakeFirst();
}

/** Folded names in a folder that start with one of the stems. */
export async function takenNames(trx: Scoped, folderId: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('files')
    .select('name_key')
    .where('folder_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.name_key));
}

export async function insertFiles(trx: Transaction, rows: NewFileRow[]): Promise<string[]> {
  const inserted = await trx
    .insertInto('files')
    .values(rows.map((row) => ({ ...row, name_key: fold(row.name) })))
    .returning('id')
    .execute();
  return inserted.map((row) => row.id);
}

/** @returns false when it was deleted meanwhile */
export async function markDeleted(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .set({ deleted_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Addresses that a file remembers, the latest ones. */
const MAX_FORMER = 50;

/** Renames or moves a file, which keeps its former address. @returns false when it was deleted meanwhile */
export async function placeFile(
  trx: Transaction,
  { id, folder, name: before }: FileRow,
  { folderId, name }: { folderId: string; name: string },
): Promise<boolean> {
  const key = formerKey(folder, before);
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .set({
      folder_id: folderId,
      name,
      name_key: fold(name),
      former: sql<
        string[]
      >`(array[${key}] || array_remove(former, ${key}))[1:${sql.lit(MAX_FORMER)}]`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Locked until the transaction ends, so that versions are numbered one after another. */
export async function lockFile(trx: Transaction, id: string): Promise<boolean> {
  const locked = await trx
    .selectFrom('files')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

/** The versions of a file or, with `version`, that one; newest first. */
export async function listVersions(
  db: Scoped,
  fileId: string,
  version: number | null = null,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.*, u.first_name, u.last_name
    from (
      select version, coalesce(version_at, created_at) uploaded_at, size, mime_type, sha256, blob_key,
          uploaded_by, exists (
            select from trainings t join documents d on d.id = t.document_id and d.status = 'ready'
            where t.file_id = files.id) is_trained
        from files where id = ${fileId}
      union all
      select version, uploaded_at, size, mime_type, sha256, blob_key, uploaded_by,
          document_id is not null
        from file_versions where file_id = ${fileId}) v
      join users u on u.id = v.uploaded_by
    where ${version}::int is null or v.version = ${version}::int
    order by v.version desc`.execute(db);
  return rows;
}

/** Replaces the content of a locked file, and keeps the former one. @returns whether that had been trained */
export async function replaceContent(
  trx: Transaction,
  id: string,
  content: Pick<NewFileRow, 'size' | 'mime_type' | 'sha256' | 'blob_key' | 'uploaded_by'>,
): Promise<boolean> {
  await sql`
    insert into file_versions (file_id, case_id, version, size, mime_type, sha256, blob_key,
        uploaded_by, uploaded_at, document_id)
      select f.id, f.case_id, f.version, f.size, f.mime_type, f.sha256, f.blob_key, f.uploaded_by,
        coalesce(f.version_at, f.created_at), (
          select d.id from trainings t join documents d on d.id = t.document_id and d.status = 'ready'
          where t.file_id = f.id)
      from files f where f.id = ${id}`.execute(trx);
  await trx
    .updateTable('files')
    .set({
      ...content,
      added_by: sql<string>`coalesce(added_by, uploaded_by)`,
      version: sql<number>`version + 1`,
      version_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute();
  const { numDeletedRows } = await trx
    .deleteFrom('trainings')
    .where('file_id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** @returns false when it was restored meanwhile */
export async function markRestored(trx: Transaction, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .set({ deleted_at: null, name, name_key: fold(name) })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records a pending write, so that a crash leaves no unknown bytes; `reserved` is what it may bring. */
export async function notePending(db: Executor, pending: Pending): Promise<void> {
  await db.insertInto('pending_blobs').values(pending).execute();
}

/** Adds bytes to what a pending write may bring. */
export async function reserveMore(trx: Transaction, blobKey: string, bytes: number): Promise<void> {
  await trx
    .updateTable('pending_blobs')
    .set({ reserved: sql<number>`reserved + ${bytes}` })
    .where('blob_key', '=', blobKey)
    .execute();
}

/** Removes pending records; parallel callers wait for the transaction. @returns the removed keys */
export async function takePending(trx: Transaction, blobKeys: string[]): Promise<string[]> {
  if (blobKeys.length === 0) return [];
  const taken = await trx
    .deleteFrom('pending_blobs')
    .where('blob_key', 'in', blobKeys)
    .returning('blob_key')
    .execute();
  return taken.map((row) => row.blob_key);
}

/** Removes an owner's pending records, and anyone's after a day. @returns their keys */
export async function takeLeftovers(trx: Transaction, { owner, except, limit }: Leftovers) {
  const rows = await trx
    .selectFrom('pending_blobs')
    .select('blob_key')
    .where((eb) =>
      eb.or([
        eb('owner', '=', owner),
        eb('created_at', '<', sql<Date>`statement_timestamp() - interval '24 hours'`),
      ]),
    )
    .where(sql<boolean>`blob_key <> all(${except})`)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return takePending(
    trx,
    rows.map((row) => row.blob_key),
  );
}

/** Removes rows deleted that many days ago and records their bytes as pending, for removal next. */
export async function expireDeleted(
  trx: Transaction,
  days: number,
  owner: string,
): Promise<ExpiredTotals> {
  const { rows } = await sql<ExpiredTotals>`
    with due as materialized (
      select id from files where deleted_at < statement_timestamp() - make_interval(days => ${days})
      for update),
    earlier as (
      delete from file_versions where file_id in (select id from due) returning blob_key, size),
    newest as (delete from files where id in (select id from due) returning blob_key, size),
    expired as (select * from earlier union all select * from newest),
    noted as (
      insert into pending_blobs (blob_key, owner) select blob_key, ${owner} from expired)
    select (select count(*)::int from newest) as files, coalesce(sum(size), 0)::float8 as bytes
      from expired`.execute(trx);
  return rows[0] ?? { files: 0, bytes: 0 };
}

/** That a page of the document `document_id` of `listed` contains a word. */
function isInText(word: string) {
  // No trigram finds a short word, which most documents have on their first pages.
  if (bigramQuery(word) !== undefined)
    return sql`coalesce((select true from document_pages p where p.document_id = listed.document_id
      and strpos(p.search_text, ${fold(word)}) > 0 limit 1), false)`;
  return sql`document_id in (
    select l.document_id from listed l join document_pages p on p.document_id = l.document_id
    where p.search_text like ${likePattern(word)})`;
}

/**
 * Files whose names and texts together contain every word, by folder and name.
 * @param after the file that the page before ended with
 */
export async function searchFiles(db: Scoped, { caseId, search, after, limit }: Query) {
  const words = searchWords(search).map(fold);
  const isMatch = everyWord(
    search,
    (word) => sql<boolean>`(name_key like ${likePattern(word)} or ${isInText(word)})`,
  );
  // A file that was deleted since keeps its place.
  const place = sql`(select o.name_key, f.name_key from files f join folders o on o.id = f.folder_id
    where f.id = ${after ?? null}::uuid and f.case_id = ${caseId})`;
  const { rows } = await sql<{ total: number; rows: FoundRow[] | null }>`
    with
      listed as materialized (
        select f.id, f.name, f.name_key, o.name folder, o.name_key folder_key, d.id document_id
        from files f join folders o on o.id = f.folder_id
          left join trainings t on t.file_id = f.id
          left join documents d on d.id = t.document_id and d.status = 'ready'
        where f.case_id = ${caseId} and f.deleted_at is null),
      matched as materialized (select * from listed where ${isMatch}),
      paged as (
        select * from matched
        where ${after ?? null}::uuid is null or (folder_key, name_key) > ${place}
        order by folder_key, name_key limit ${limit + 1})
    select
      (select count(*)::int from (select from matched limit ${TOTAL_CAP + 1}) counted) total,
      (select json_agg(found order by folder_key, name_key) from (
        select paged.*, text_around.around from paged left join lateral (
          select substr(p.text, greatest(strpos(p.search_text, word) - ${BEFORE}, 1), ${AROUND}) around
          from document_pages p, unnest(${words}::text[]) with ordinality w (word, n)
          where p.document_id = paged.document_id and strpos(p.search_text, word) > 0
          order by p.page, n limit 1) text_around on true) found) rows`.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows[0]?.rows ?? [] };
}

/** Undeleted files with this document. */
export function listFilesOfDocument(db: Scoped, documentId: string) {
  return withPlace(db)
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .execute();
}

/** Undeleted files with this document, and who had them trained. */
export function listTrained(db: Scoped, documentId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select(['files.id', 'files.case_id', 'files.name', 'trainings.requested_by'])
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .execute();
}

/** Undeleted files of a case or folder whose training was never requested, by their content. */
export function listUntrained(db: Scoped, { caseId, folder, limit }: UntrainedQuery) {
  const all = withPlace(db)
    .where('files.case_id', '=', caseId)
    .where('files.deleted_at', 'is', null)
    .where('trainings.file_id', 'is', null);
  const wanted = folder === undefined ? all : all.where('folders.name_key', '=', fold(folder));
  return wanted.orderBy('files.sha256').orderBy('files.id').limit(limit).execute();
}

export function listNew(db: Scoped, ids: readonly string[]) {
  return withPlace(db)
    .where('files.id', 'in', ids)
    .orderBy('files.sha256')
    .orderBy('files.id')
    .execute();
}

/** @returns undefined before training; `text` null for a missing page */
export function findPage(db: Scoped, fileId: string, page: number) {
  return pagesOf(db, page)
    .innerJoin('trainings', 'trainings.document_id', 'documents.id')
    .where('trainings.file_id', '=', fileId)
    .executeTakeFirst();
}

/** The same in an earlier version. */
export function findEarlierPage(
  db: Scoped,
  { fileId, version, page }: { fileId: string; version: number; page: number },
) {
  return pagesOf(db, page)
    .innerJoin('file_versions', 'file_versions.document_id', 'documents.id')
    .where('file_versions.file_id', '=', fileId)
    .where('file_versions.version', '=', version)
    .executeTakeFirst();
}

function pagesOf(db: Scoped, page: number) {
  return db
    .selectFrom('documents')
    .leftJoin('document_pages', (join) =>
      join
        .onRef('document_pages.document_id', '=', 'documents.id')
        .on('document_pages.page', '=', page),
    )
    .select(['documents.pages', 'document_pages.start_offset', 'document_pages.text'])
    .where('documents.status', '=', 'ready');
}
