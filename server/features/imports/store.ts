import { sql } from 'kysely';
import {
  type ImportKind,
  type Import,
  IMPORT_PROBLEMS_MAX,
  type ImportMapping,
  type ImportProblem,
  type ImportProfile,
  type ImportState,
} from '@matterdesk/contract/imports.ts';
import type { CountsByKind, ImportPlace, ImportWork } from '../../db/schema-imports.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { insertMany, personJson } from '../../db/statements.ts';
import type { RecognizedFile } from '../../integrations/exports/source.ts';
import type { ImportRow, Tables } from './rules.ts';

const MAX_LISTED = 50;
const MAX_FILES_SHOWN = 500;
const FILES_AT_ONCE = 1000;

function imports(db: Executor) {
  return db
    .selectFrom('imports')
    .innerJoin('users', 'users.id', 'imports.by_id')
    .select(['imports.id', 'imports.profile', 'imports.at', 'imports.state', 'imports.work'])
    .select(['imports.run_id', 'imports.run_at', 'imports.begun_at', 'imports.dir'])
    .select(['imports.mapping', 'imports.tables', 'imports.dates', 'imports.counts'])
    .select(['imports.totals', 'imports.problem_count', 'imports.place', 'imports.error'])
    .select(personJson('users').as('by'))
    .select(
      sql<number>`(select count(*)::int from import_files f where f.import_id = imports.id)`.as(
        'file_count',
      ),
    );
}

/** The newest, newest first. */
export function listImports(db: Executor): Promise<ImportRow[]> {
  return imports(db)
    .orderBy('imports.at', 'desc')
    .orderBy('imports.id')
    .limit(MAX_LISTED)
    .execute();
}

export function findImport(db: Executor, id: string): Promise<ImportRow | undefined> {
  return imports(db).where('imports.id', '=', id).executeTakeFirst();
}

/** The newest import of a folder that began to write and did not come to its end. */
export function findInterrupted(
  db: Executor,
  { profile, dir }: { profile: ImportProfile; dir: string },
): Promise<{ id: string; state: ImportState } | undefined> {
  return db
    .selectFrom('imports')
    .select(['id', 'state'])
    .where('profile', '=', profile)
    .where('dir', '=', dir)
    .where('work', '=', 'import')
    .where('state', 'in', ['running', 'mapped', 'failed'])
    .where('begun_at', 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function lockImport(trx: Transaction, id: string): Promise<ImportRow | undefined> {
  return imports(trx).where('imports.id', '=', id).forUpdate('imports').executeTakeFirst();
}

type NewImport = {
  profile: ImportProfile;
  byId: string;
  dir: string | null;
  mapping: ImportMapping;
  tables: Tables;
  dates: ImportRow['dates'];
  state: ImportState;
};

export async function insertImport(trx: Transaction, row: NewImport): Promise<string> {
  const { profile, byId, dir, mapping, tables, dates, state } = row;
  const { id } = await trx
    .insertInto('imports')
    .values({
      profile,
      by_id: byId,
      dir,
      state,
      dates,
      mapping: JSON.stringify(mapping),
      tables: JSON.stringify(tables),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type Upload = { path: string; size: number; sha256: Buffer; key: string };

export async function insertUploads(
  trx: Transaction,
  importId: string,
  uploads: readonly Upload[],
): Promise<void> {
  const rows = uploads.map(({ path, size, sha256, key }, n) => ({
    import_id: importId,
    n,
    path,
    size,
    // As the database writes bytes.
    sha256: `\\x${sha256.toString('hex')}`,
    blob_key: key,
  }));
  await insertMany(trx, 'import_uploads', rows);
}

export async function listUploads(db: Executor, importId: string): Promise<Upload[]> {
  const rows = await db
    .selectFrom('import_uploads')
    .select(['path', 'size', 'sha256', 'blob_key'])
    .where('import_id', '=', importId)
    .orderBy('n')
    .execute();
  return rows.map(({ path, size, sha256, blob_key: key }) => ({
    path,
    size: Number(size),
    sha256,
    key,
  }));
}

/** @returns the keys of their bytes */
export async function deleteUploads(trx: Transaction, importId: string): Promise<string[]> {
  const rows = await trx
    .deleteFrom('import_uploads')
    .where('import_id', '=', importId)
    .returning('blob_key')
    .execute();
  return rows.map(({ blob_key: key }) => key);
}

/** Ids of imports that ended some time ago and whose uploads are still here. */
export async function listExpired(db: Executor, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from imports i where i.state <> 'running'
      and coalesce(i.done_at, i.run_at, i.at) < statement_timestamp() - make_interval(days => ${days})
      and exists (select from import_uploads u where u.import_id = i.id)
    order by i.at limit 50`.execute(db);
  return rows.map(({ id }) => id);
}

export async function insertFiles(
  trx: Transaction,
  importId: string,
  files: readonly RecognizedFile[],
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const rows = files.slice(start, start + FILES_AT_ONCE).map((file, at) => ({
      import_id: importId,
      n: start + at,
      path: file.path,
      size: file.size,
      kind: file.kind,
      headers: file.headers,
    }));
    await insertMany(trx, 'import_files', rows);
  }
}

export type NumberedFile = RecognizedFile & { n: number };

/** Files of a kind in their order. @param from the number of the first */
export async function listFilesOf(
  db: Executor,
  { importId, kind }: { importId: string; kind: ImportKind },
  { from, limit }: { from: number; limit: number },
): Promise<NumberedFile[]> {
  const rows = await db
    .selectFrom('import_files')
    .select(['n', 'path', 'size', 'kind', 'headers'])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('n', '>=', from)
    .orderBy('n')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Files that hold tables, which need their columns mapped. */
export async function listTables(db: Executor, importId: string): Promise<RecognizedFile[]> {
  const rows = await db
    .selectFrom('import_files')
    .select(['path', 'size', 'kind', 'headers'])
    .where('import_id', '=', importId)
    .where(sql<boolean>`cardinality(headers) > 0`)
    .orderBy('n')
    .execute();
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Files that are read, then the others. */
export async function listShownFiles(db: Executor, importId: string): Promise<RecognizedFile[]> {
  const rows = await db
    .selectFrom('import_files')
    .select(['path', 'size', 'kind', 'headers'])
    .where('import_id', '=', importId)
    .orderBy(sql`kind is null`)
    .orderBy('n')
    .limit(MAX_FILES_SHOWN)
    .execute();
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

export async function updateWords(
  trx: Transaction,
  id: string,
  { tables, dates }: Pick<NewImport, 'tables' | 'dates'>,
): Promise<void> {
  await trx
    .updateTable('imports')
    .set({ tables: JSON.stringify(tables), dates })
    .where('id', '=', id)
    .execute();
}

export async function updateMapping(
  trx: Transaction,
  id: string,
  { mapping, tables, state }: Pick<NewImport, 'mapping' | 'tables' | 'state'>,
): Promise<void> {
  await trx
    .updateTable('imports')
    .set({ mapping: JSON.stringify(mapping), tables: JSON.stringify(tables), state })
    .where('id', '=', id)
    .execute();
}

export async function hasRunning(trx: Transaction): Promise<boolean> {
  const row = await trx
    .selectFrom('imports')
    .select('id')
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row !== undefined;
}

type Start = { work: ImportWork; runId: string; isFresh: boolean };

/** Begins a run. @param isFresh false for one that goes on from where it was stopped */
export async function startRun(
  trx: Transaction,
  id: string,
  { work, runId, isFresh }: Start,
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  await trx
    .updateTable('imports')
    .set({ state: 'running', work, run_id: runId, run_at: now, error: null })
    .$if(work === 'import', (query) =>
      query.set({ begun_at: sql<Date>`coalesce(begun_at, clock_timestamp())` }),
    )
    .$if(isFresh, (query) => query.set({ place: null }))
    .where('id', '=', id)
    .execute();
  if (isFresh) await (work === 'check' || work === 'import' ? clear(trx, id) : clearLeft(trx, id));
}

/** Counts and problems of an earlier run. */
export async function clear(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('import_problems').where('import_id', '=', id).execute();
  await trx
    .updateTable('imports')
    .set({ counts: '{}', problem_count: 0, place: null })
    .where('id', '=', id)
    .execute();
}

async function clearLeft(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('import_left').where('import_id', '=', id).execute();
}

/** Locks an import whose run still counts. @returns undefined once it was stopped */
export async function lockRun(
  trx: Transaction,
  { id, runId }: { id: string; runId: string },
): Promise<Pick<ImportRow, 'counts' | 'problem_count'> | undefined> {
  return trx
    .selectFrom('imports')
    .select(['counts', 'problem_count'])
    .where('id', '=', id)
    .where('run_id', '=', runId)
    .where('state', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type Progress = { counts: CountsByKind; problem_count: number; place: ImportPlace };

export async function saveProgress(
  trx: Transaction,
  id: string,
  { counts, problem_count, place }: Progress,
): Promise<void> {
  await trx
    .updateTable('imports')
    .set({ counts: JSON.stringify(counts), problem_count, place: JSON.stringify(place) })
    .where('id', '=', id)
    .execute();
}

export async function savePlace(trx: Transaction, id: string, place: ImportPlace): Promise<void> {
  await trx
    .updateTable('imports')
    .set({ place: JSON.stringify(place) })
    .where('id', '=', id)
    .execute();
}

export async function saveTables(trx: Transaction, id: string, tables: Tables): Promise<void> {
  await trx
    .updateTable('imports')
    .set({ tables: JSON.stringify(tables) })
    .where('id', '=', id)
    .execute();
}

/** Ends a run that has not been replaced. @param runId null ends any run */
export async function endRun(
  trx: Transaction,
  { id, runId }: { id: string; runId: string | null },
  { state, error = null }: { state: ImportState; error?: string | null },
): Promise<boolean> {
  const isWhole = state === 'checked' || state === 'done';
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ state, error })
    .$if(isWhole, (query) =>
      query.set({
        place: null,
        totals: sql<string>`(select coalesce(jsonb_object_agg(key, value->'found'), '{}') from jsonb_each(counts))`,
      }),
    )
    .$if(state === 'done' || state === 'undone', (query) =>
      query.set({ done_at: sql<Date>`clock_timestamp()` }),
    )
    .where('id', '=', id)
    .where('state', '=', 'running')
    .$if(runId !== null, (query) => query.where('run_id', '=', runId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toProblem(row: {
  file: string;
  row_number: number | null;
  column_name: string | null;
  message: string;
  kind: ImportKind;
  outcome: ImportProblem['outcome'];
  item_id: string | null;
  item_name: string | null;
}): ImportProblem {
  return {
    file: row.file,
    row: row.row_number,
    column: row.column_name,
    message: row.message,
    kind: row.kind,
    outcome: row.outcome,
    item: row.item_id === null ? null : { id: row.item_id, name: row.item_name ?? '' },
  };
}

/** In the order in which they were found. @param after the number of the last one */
export async function listProblems(
  db: Executor,
  importId: string,
  { after = -1, limit = IMPORT_PROBLEMS_MAX }: { after?: number; limit?: number } = {},
): Promise<ImportProblem[]> {
  const rows = await db
    .selectFrom('import_problems')
    .select(['file', 'row_number', 'column_name', 'message', 'kind', 'outcome'])
    .select(['item_id', 'item_name'])
    .where('import_id', '=', importId)
    .where('n', '>', after)
    .orderBy('n')
    .limit(limit)
    .execute();
  return rows.map(toProblem);
}

/** @param first the number of the first of them */
export async function insertProblems(
  trx: Transaction,
  { importId, first }: { importId: string; first: number },
  problems: readonly ImportProblem[],
): Promise<void> {
  const rows = problems.map((problem, at) => ({
    import_id: importId,
    n: first + at,
    file: problem.file,
    row_number: problem.row,
    column_name: problem.column,
    message: problem.message,
    kind: problem.kind,
    outcome: problem.outcome,
    item_id: problem.item?.id ?? null,
    item_name: problem.item?.name ?? null,
  }));
  await insertMany(trx, 'import_problems', rows);
}

/** Records that stay of an undone import. */
export async function listLeft(
  db: Executor,
  importId: string,
  limit: number,
): Promise<Import['left']> {
  return db
    .selectFrom('import_left')
    .select(['kind', 'id', 'name', 'reason'])
    .where('import_id', '=', importId)
    .orderBy('kind')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function insertLeft(
  trx: Transaction,
  importId: string,
  left: Import['left'],
): Promise<void> {
  const rows = left.map((one) => ({ ...one, import_id: importId }));
  await insertMany(trx, 'import_left', rows);
}
