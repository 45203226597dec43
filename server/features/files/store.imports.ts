// Files of imports, many at once.

import { type Insertable, sql } from 'kysely';
import type { FilesTable, Scoped, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { insertMany } from '../../db/statements.ts';
import { type FileRow, withPlace } from './store.ts';

export type FolderKey = { caseId: string; folder: string };

/** Makes folders that are missing, and locks all of them. @returns their ids by place */
export async function ensureFolders(
  trx: Transaction,
  asked: readonly FolderKey[],
): Promise<Map<number, string>> {
  const [cases, names] = [asked.map(({ caseId }) => caseId), asked.map(({ folder }) => folder)];
  const keys = names.map(fold);
  await sql`
    insert into folders (case_id, name, name_key)
    select * from unnest(${cases}::uuid[], ${names}::text[], ${keys}::text[]) order by 1, 3
    on conflict (case_id, name_key) do nothing`.execute(trx);
  const { rows } = await sql<{ id: string; case_id: string; name_key: string }>`
    select f.id, f.case_id, f.name_key from folders f
    where exists (select from unnest(${cases}::uuid[], ${keys}::text[]) asked (case_id, name_key)
      where asked.case_id = f.case_id and asked.name_key = f.name_key)
    order by f.id for update`.execute(trx);
  const byKey = new Map(rows.map((row) => [`${row.case_id}/${row.name_key}`, row.id]));
  return new Map(
    asked.flatMap(({ caseId }, place) => {
      const id = byKey.get(`${caseId}/${keys[place]}`);
      return id === undefined ? [] : [[place, id] as const];
    }),
  );
}

/** Folded names in folders. */
export async function listTaken(
  db: Scoped,
  folderIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ folder_id: string; name_key: string }>`
    select folder_id, name_key from files
    where folder_id = any(${folderIds}::uuid[]) and deleted_at is null`.execute(db);
  const taken = new Map(folderIds.map((id) => [id, new Set<string>()]));
  for (const { folder_id: id, name_key: key } of rows) taken.get(id)?.add(key);
  return taken;
}

export type NewFileRow = Pick<
  Insertable<FilesTable>,
  | ('case_id' | 'folder_id' | 'name' | 'size' | 'mime_type')
  | ('blob_key' | 'uploaded_by' | 'created_at')
> & { id: string; sha256: Buffer };

export async function insertFiles(trx: Transaction, rows: readonly NewFileRow[]): Promise<void> {
  await insertMany(
    trx,
    'files',
    rows.map((row) => ({
      ...row,
      name_key: fold(row.name),
      // As the database writes bytes.
      sha256: `\\x${row.sha256.toString('hex')}`,
      former: [],
      version: 1,
    })),
  );
}

export function findFiles(db: Scoped, ids: readonly string[]): Promise<FileRow[]> {
  return withPlace(db)
    .where('files.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('files.deleted_at', 'is', null)
    .orderBy('files.id')
    .execute();
}

export function lockFiles(trx: Transaction, ids: readonly string[]): Promise<FileRow[]> {
  return withPlace(trx)
    .where('files.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('files.deleted_at', 'is', null)
    .orderBy('files.id')
    .forUpdate('files')
    .execute();
}

export type SameName = { place: number; id: string; sha256: Buffer };

/** Files of these names and sizes in these folders, by the place of what was asked. */
export async function findNamed(
  db: Scoped,
  asked: readonly (FolderKey & { name: string; size: number })[],
): Promise<SameName[]> {
  const { rows } = await sql<SameName>`
    select (asked.place - 1)::int as place, f.id, f.sha256
    from unnest(${asked.map(({ caseId }) => caseId)}::uuid[], ${asked.map(({ folder }) => fold(folder))}::text[],
      ${asked.map(({ name }) => fold(name))}::text[], ${asked.map(({ size }) => size)}::bigint[])
      with ordinality asked (case_id, folder, name, size, place)
    join folders d on d.case_id = asked.case_id and d.name_key = asked.folder
    join files f on f.folder_id = d.id and f.name_key = asked.name and f.size = asked.size
    where f.deleted_at is null order by asked.place`.execute(db);
  return rows;
}

/**
 * Removes rows for good and records their bytes as pending, for removal next; a folder that is empty then goes too,
 * unless someone made it.
 */
export async function removeFiles(
  trx: Transaction,
  ids: readonly string[],
  owner: string,
): Promise<void> {
  const { rows } = await sql<{ folder_id: string }>`
    with earlier as (delete from file_versions where file_id = any(${ids}::uuid[]) returning blob_key),
    newest as (delete from files where id = any(${ids}::uuid[]) returning blob_key, folder_id),
    noted as (
      insert into pending_blobs (blob_key, owner)
      select blob_key, ${owner} from (
        select blob_key from earlier union all select blob_key from newest) removed)
    select distinct folder_id from newest`.execute(trx);
  const folders = rows.map((row) => row.folder_id);
  await sql`
    delete from folders d where d.id = any(${folders}::uuid[])
      and not exists (select from files f where f.folder_id = d.id)
      and not exists (select from audit_log a
        where a.case_id = d.case_id and a.entity = 'folder' and a.entity_id = d.id::text)`.execute(
    trx,
  );
}
