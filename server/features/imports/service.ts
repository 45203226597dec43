// Imports from other systems: their files are taken in, mapped, run by a job, and undone.

import { randomUUID } from 'node:crypto';
import {
  importFields,
  type ImportKind,
  importKinds,
  type Import,
  IMPORT_FILES_MAX,
  type ImportMapping,
  type ImportProblem,
  type ImportProfile,
  importProfiles,
  type ImportTables,
} from '@matterdesk/contract/imports.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { ImportWork } from '../../db/schema-imports.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { profileOf } from '../../integrations/exports/profiles.ts';
import { missingFields, recognize } from '../../integrations/exports/recognize.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import { acceptFiles, claimStored, type IncomingParts } from '../files/service.incoming.ts';
import { Reservation } from '../storage/service.ts';
import type { ImportRow, Tables } from './rules.ts';
import * as rules from './rules.ts';
import {
  openImport,
  openSources,
  orUnreadableRefusal,
  requireFolder,
  collectWords,
} from './service.sources.ts';
import * as store from './store.ts';

const MAX_LEFT_SHOWN = 500;
/** Problems of a report that are read at once. */
const BATCH = 1000;
/** Changed words that an entry of the record names. */
const WORDS_RECORDED = 200;
/** Days after which uploads are erased. */
const UPLOAD_DAYS = 30;
const WHY = 'uploads of imports are erased after their time';
const RUNNING = 'An import is running. Stop it, or wait until it is done.';
const BEGUN = 'This import has run. Add the files again to map them anew.';
const UNDONE = 'This import was undone. Add the files again.';
const ERASED = 'The files of this import were erased. Add them again.';

export const REPORT_COLUMNS = ['File', 'Row', 'Column', 'Kind', 'Outcome', 'Message', 'Record'];

type ImportChoices = { mapping?: ImportMapping | undefined; tables?: ImportTables | undefined };

export function listProfiles({ config }: Context) {
  const profiles = importProfiles.map((key) => {
    const { name, files, hints } = profileOf(key);
    return { key, name, files, hints };
  });
  return { profiles, hasFolder: config.importDir !== undefined };
}

type NewImport = { profile: ImportProfile; dir: string | null };

/** Takes in files, or names a folder. @throws Refusal invalidInput, notConfigured, storageFull */
export async function addImport(
  context: ActorContext,
  parts: IncomingParts,
  request: { length: number | undefined },
): Promise<{ import: Import }> {
  const paths: string[] = [];
  const reservation = new Reservation(context, request.length);
  const placeOf = (fields: Map<string, string>) => readAsked(context, fields);
  const sent = { parts: withPaths(parts, paths), placeOf, reservation, isOptional: true };
  return acceptFiles(context, sent, async ({ profile, dir }, stored) => {
    if (dir !== null && stored.length > 0)
      throw invalidField('dir', 'Please choose files or a folder, not both');
    if (dir === null && stored.length === 0) throw invalidField('files', 'Choose a file');
    const uploads = stored.map(({ key, name, size, sha256 }, at) => ({
      key,
      size,
      sha256,
      path: paths[at] ?? name,
    }));
    return addRecognized(context, { profile, dir, uploads }, (trx) => claimStored(trx, stored));
  });
}

async function readAsked(context: Context, fields: Map<string, string>): Promise<NewImport> {
  const profile = importProfiles.find((key) => key === fields.get('profile'));
  if (!profile) throw invalidField('profile', 'Please choose a system');
  const dir = fields.get('dir') ?? '';
  return { profile, dir: dir.trim() === '' ? null : await requireFolder(context, dir.trim()) };
}

/** Keeps the path of each file in its folder; the bytes are stored under its name. */
async function* withPaths(parts: IncomingParts, paths: string[]): AsyncGenerator<Part> {
  const taken = new Set<string>();
  for await (const part of parts) {
    if ('field' in part) yield part;
    else {
      if (paths.length === IMPORT_FILES_MAX)
        throw invalidField('files', `An import can have at most ${IMPORT_FILES_MAX} files`);
      const path = rules.safePath(part.name);
      if (taken.has(path)) throw invalidField('files', `Two files are named ${path}`);
      taken.add(path);
      paths.push(path);
      yield { ...part, name: path.split('/').at(-1) ?? path };
    }
  }
}
type Part = IncomingParts extends AsyncIterable<infer Each> ? Each : never;

/** Imports a folder of this machine, for the command line. @throws Refusal invalidInput */
export function addFolder(
  context: ActorContext,
  { profile, dir }: { profile: ImportProfile; dir: string },
): Promise<{ import: Import }> {
  return addRecognized(context, { profile, dir, uploads: [] }, () => Promise.resolve());
}

type RecognitionInput = NewImport & { uploads: store.Upload[] };

async function addRecognized(
  context: ActorContext,
  { profile: key, dir, uploads }: RecognitionInput,
  claim: (trx: Transaction) => Promise<void>,
): Promise<{ import: Import }> {
  const profile = profileOf(key);
  const sources = await orUnreadableRefusal(openSources(context, { dir, uploads }));
  const { files, mapping } = await orUnreadableRefusal(recognize(profile, sources));
  const id = await write(context, async (unit) => {
    const tables = { status: {}, type: {}, people: {} };
    const row = { profile: key, dir, mapping, tables, dates: profile.dates };
    const state = stateOf(mapping, files);
    const added = await store.insertImport(unit.trx, { ...row, byId: context.actor.id, state });
    await store.insertUploads(unit.trx, added, uploads);
    await store.insertFiles(unit.trx, added, files);
    await claim(unit.trx);
    const after = { profile: key, files: files.length };
    await unit.record({ ...about(added), action: 'created', after });
    return added;
  });
  await refreshWords(context, id);
  return readImport(context, id);
}

/** `mapped` once it can run. */
function stateOf(mapping: ImportMapping, files: Parameters<typeof missingFields>[1]) {
  const isRead = files.some(({ kind }) => kind !== null);
  return isRead && missingFields(mapping, files).length === 0 ? 'mapped' : 'read';
}

/** Completes the tables from the rows. */
async function refreshWords(context: ActorContext, id: string): Promise<void> {
  const row = await requireImport(context, id);
  const { tables, dates } = await orUnreadableRefusal(
    collectWords(context, await openImport(context, row), row),
  );
  // Meanwhile it may have been changed or begun.
  await write(context, async ({ trx }) => {
    const now = await store.lockImport(trx, id);
    if (!now) return;
    // A run keeps the words that it finds itself.
    const words = now.state === 'running' ? now.tables : mergeTables(tables, now.tables);
    await store.updateWords(trx, id, { tables: words, dates });
  });
}

export function about(id: string) {
  return { entity: 'import', entityId: id } as const;
}

export async function listImports(context: Context): Promise<{ imports: Import[] }> {
  const rows = await store.listImports(context.db);
  return {
    imports: rows.map((row) => rules.toImport(row, { files: [], problems: [], left: [] })),
  };
}

/** @throws Refusal notFound */
export async function readImport(context: Context, id: string): Promise<{ import: Import }> {
  const row = await requireImport(context, id);
  const [files, problems, left] = await Promise.all([
    store.listShownFiles(context.db, id),
    store.listProblems(context.db, id),
    store.listLeft(context.db, id, MAX_LEFT_SHOWN),
  ]);
  return { import: rules.toImport(row, { files, problems, left }) };
}

/** @throws Refusal notFound */
async function requireImport(context: Context, id: string): Promise<ImportRow> {
  const row = isId(id) ? await store.findImport(context.db, id) : undefined;
  if (!row) throw notFound('Import');
  return row;
}

/** Every problem as cells of `REPORT_COLUMNS`. @throws Refusal notFound */
export async function reportOf(context: Context, id: string): Promise<AsyncGenerator<string[]>> {
  await requireImport(context, id);
  return reportRows(context, id);
}

async function* reportRows(context: Context, id: string): AsyncGenerator<string[]> {
  for (let after = -1; ;) {
    const problems = await store.listProblems(context.db, id, { after, limit: BATCH });
    yield* problems.map(toCells);
    if (problems.length < BATCH) return;
    after += problems.length;
  }
}

function toCells({ file, row, column, kind, outcome, message, item }: ImportProblem): string[] {
  return [file, String(row ?? ''), column ?? '', kind, outcome, message, item?.name ?? ''];
}

/** Maps columns and words. @throws Refusal notFound, invalidInput, conflict once it ran */
export async function changeImport(
  context: ActorContext,
  id: string,
  change: ImportChoices,
): Promise<{ import: Import }> {
  const before = await requireImport(context, id);
  const files = await store.listTables(context.db, before.id);
  requireColumns(change.mapping, files);
  await requirePeople(context, change.tables?.people);
  await write(context, async (unit) => {
    const row = await store.lockImport(unit.trx, id);
    if (!row) throw notFound('Import');
    if (row.state === 'running') throw new Refusal('conflict', RUNNING);
    if (row.begun_at !== null) throw new Refusal('conflict', BEGUN);
    const mapping = mergeMapping(row.mapping, change.mapping);
    const tables = mergeTables(row.tables, change.tables);
    const readFiles = await store.listShownFiles(unit.trx, id);
    const state = stateOf(mapping, [...files, ...readFiles]);
    await store.updateMapping(unit.trx, id, { mapping, tables, state });
    await unit.record({ ...about(id), action: 'updated', after: namesOf(change) });
  });
  if (change.mapping) await refreshWords(context, id);
  return readImport(context, id);
}

/** Fields and words, for the record. */
function namesOf({ mapping = {}, tables = {} }: ImportChoices): Record<string, string[]> {
  const of = (groups: object) =>
    Object.entries(groups).flatMap(([group, members]: [string, object]) =>
      Object.keys(members).map((member) => `${group}: ${member}`),
    );
  const [columns, words] = [of(mapping), of(tables).slice(0, WORDS_RECORDED)];
  return { ...(columns.length > 0 && { columns }), ...(words.length > 0 && { words }) };
}

function requireColumns(
  mapping: ImportMapping | undefined,
  files: readonly { kind: ImportKind | null; headers: string[] }[],
): void {
  for (const kind of importKinds)
    for (const [field, column] of Object.entries(mapping?.[kind] ?? {})) {
      const path = `mapping.${kind}.${field}`;
      if (!importFields[kind].some(({ key }) => key === field))
        throw invalidField(path, 'Mapping has an unknown field');
      const hasHeader = files.some(
        (file) => file.kind === kind && file.headers.includes(column as string),
      );
      if (typeof column === 'string' && !hasHeader)
        throw invalidField(path, 'The files have no such column');
    }
}

async function requirePeople(context: Context, people: ImportTables['people']): Promise<void> {
  const ids = Object.entries(people ?? {});
  if (ids.length === 0) return;
  const known = new Set((await listEveryone(context)).map(({ id }) => id));
  for (const [word, id] of ids)
    if (id !== null && !known.has(id))
      throw invalidField(`tables.people.${word}`, 'Please select any user');
}

function mergeMapping(before: ImportMapping, change: ImportMapping = {}): ImportMapping {
  const merged = { ...before };
  for (const kind of importKinds)
    if (change[kind]) merged[kind] = { ...before[kind], ...change[kind] };
  return merged;
}

function mergeTables(before: Tables, change: ImportTables = {}): Tables {
  return {
    status: { ...before.status, ...change.status },
    type: { ...before.type, ...change.type },
    people: { ...before.people, ...change.people },
  };
}

/** Runs an import in a job. @throws Refusal notFound, invalidInput for missing columns, conflict */
export async function runImport(
  context: ActorContext,
  id: string,
  { dryRun }: { dryRun: boolean },
): Promise<{ import: Import }> {
  await startImport(context, id, { dryRun, queue });
  return readImport(context, id);
}

type StartOptions = { dryRun: boolean; queue?: typeof queue };

/** Begins a run. @param queue adds its job, unless the caller does the work @throws as `runImport` */
export async function startImport(
  context: ActorContext,
  id: string,
  { dryRun, queue: addJob }: StartOptions,
): Promise<void> {
  await requireImport(context, id);
  const files = [
    ...(await store.listTables(context.db, id)),
    ...(await store.listShownFiles(context.db, id)),
  ];
  const allow = async (trx: Transaction, row: ImportRow) => {
    if (row.state === 'undone') throw new Refusal('conflict', UNDONE);
    const hasUploads = row.dir !== null || (await store.listUploads(trx, id)).length > 0;
    if (!hasUploads) throw new Refusal('conflict', ERASED);
    const [missing] = missingFields(row.mapping, files);
    if (missing || stateOf(row.mapping, files) === 'read')
      throw invalidField(
        'mapping',
        missing ? missingColumnMessage(missing) : 'Nothing can be read from these files',
      );
    // A run that was stopped or has failed goes on.
    return dryRun || row.place === null || row.work !== 'import';
  };
  await begin(context, id, { work: dryRun ? 'check' : 'import', allow, addJob });
}

async function queue(context: Context, unit: Unit, id: string): Promise<void> {
  await context.queue.add(unit, 'import', [id]);
}

function missingColumnMessage({ kind, needed }: { kind: ImportKind; needed: string }): string {
  const field = importFields[kind].find((one) => one.needed === needed);
  return `Choose the column for ${field?.label ?? needed} of ${kind}`;
}

/** Takes an import back in a job. @throws Refusal notFound, conflict for one that never ran */
export async function undoImport(
  context: ActorContext,
  id: string,
  { dryRun }: { dryRun: boolean },
): Promise<{ import: Import }> {
  const allow = (_: Transaction, row: ImportRow) => {
    if (row.begun_at === null) throw new Refusal('conflict', 'This import has not run');
    if (row.state === 'undone') throw new Refusal('conflict', 'This import was undone before');
    return Promise.resolve(row.place === null || row.work !== 'undo');
  };
  await begin(context, id, { work: dryRun ? 'tryUndo' : 'undo', allow, addJob: queue });
  return readImport(context, id);
}

type RunStart = {
  work: ImportWork;
  /** Throws a refusal; returns whether the work starts over. */
  allow: (trx: Transaction, row: ImportRow) => Promise<boolean>;
  addJob: typeof queue | undefined;
};

async function begin(
  context: ActorContext,
  id: string,
  { work, allow, addJob }: RunStart,
): Promise<void> {
  try {
    await write(context, async (unit) => {
      const row = isId(id) ? await store.lockImport(unit.trx, id) : undefined;
      if (!row) throw notFound('Import');
      if (await store.hasRunning(unit.trx)) throw new Refusal('conflict', RUNNING);
      const isFresh = await allow(unit.trx, row);
      const runId = randomUUID();
      await store.startRun(unit.trx, id, { work, runId, isFresh });
      await addJob?.(context, unit, id);
    });
  } catch (error) {
    throw isDuplicate(error, 'imports_running') ? new Refusal('conflict', RUNNING) : error;
  }
}

/** Stops what runs: the batch under way is not written. @throws Refusal notFound, conflict */
export async function stopImport(context: ActorContext, id: string): Promise<{ import: Import }> {
  const row = await requireImport(context, id);
  const state = rules.isUndo(row.work) ? 'done' : 'mapped';
  await write(context, async (unit) => {
    if (!(await store.endRun(unit.trx, { id, runId: null }, { state })))
      throw new Refusal('conflict', 'This import is not running');
    unit.emit('import.ended', { id });
  });
  return readImport(context, id);
}

/** Removes the bytes of uploads. */
export async function eraseUploads(
  { blobs }: Context,
  trx: Transaction,
  id: string,
): Promise<void> {
  for (const key of await store.deleteUploads(trx, id)) await blobs.remove(key);
}

/** Erases the uploads of imports that ended long ago. */
export async function eraseExpiredUploads(context: Context): Promise<void> {
  for (const id of await store.listExpired(context.db, UPLOAD_DAYS))
    await context.writer.runAsSystem(null, WHY, ({ trx }) => eraseUploads(context, trx, id));
}
