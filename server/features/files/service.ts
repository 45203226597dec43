import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  contentUrl,
  type FileDetail,
  type FileEvent,
  type FilePatch,
  type Library,
  type NewFolder,
  NewFolderSchema,
} from '@matterdesk/contract/files.ts';
import { type ActorContext, asActor, type Context, hook, slot, write } from '../../context.ts';
import { type Actor, allow } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { fieldRefusal, invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { fold } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { validate } from '../../http/validate.ts';
import type { ByteRange } from '../../integrations/blobs/blob-store.ts';
import { namesOfFile, saveNames } from '../conflicts/names/service.ts';
import { Reservation } from '../storage/service.ts';
import * as rules from './rules.ts';
import {
  acceptFiles,
  claimStored,
  type IncomingParts,
  orStorageRefusal,
  type StoredBlob,
  sweepPending,
} from './service.incoming.ts';
import * as store from './store.ts';

/** Listed files of a case. */
const MAX_LISTED = 20_000;
export type OpenedFile = {
  row: store.FileRow;
  size: number;
  read: (range?: ByteRange) => Promise<Readable>;
};

type NamedContent = Pick<Content, 'name' | 'size' | 'read'>;

/** Takes files that were sent without a case. @returns their URLs */
export const unsortedUploads =
  slot<(context: ActorContext, unit: Unit, stored: StoredBlob[]) => Promise<string[]>>();

/** New files, in the write that makes them. */
export const filesAdopted = hook<[unit: Unit, actor: Actor, ids: readonly string[]]>();
/** Reports a file that was put in the trash, or came back from it, in the same transaction. */
export const trashChanged = hook<[unit: Unit, change: { id: string; isDeleted: boolean }]>();

/** @throws Refusal notFound for an unknown case */
export async function listFiles(context: ActorContext, caseId: string): Promise<Library> {
  await requireKnownCase(context, caseId);
  const db = asActor(context);
  const [folders, rows] = await Promise.all([
    store.listFolders(db, caseId),
    store.listFiles(db, caseId, MAX_LISTED),
  ]);
  const library: Library = { files: {}, training: {}, details: {} };
  for (const { name } of folders) library.files[name] = [];
  for (const row of rows) {
    const url = urlOf(row);
    const detail = toDetail(row);
    library.files[row.folder]?.push(url);
    library.training[url] = detail.training.status;
    library.details[url] = detail;
  }
  return library;
}

/** @throws Refusal invalidInput for an unknown case, conflict for a taken name */
export async function createFolder(context: ActorContext, { caseId, folder }: NewFolder) {
  await requireFileCase(context, caseId);
  await write(context, async (unit) => {
    const made = await store.insertFolder(unit.trx, caseId, folder);
    if (!made) throw folderTaken();
    await unit.record({
      action: 'created',
      entity: 'folder',
      entityId: made.id,
      caseId,
      after: made,
    });
  });
  const { files } = await listFiles(context, caseId);
  return { files };
}

/** @throws Refusal invalidInput for an unknown case */
export async function requireFileCase(context: ActorContext, caseId: string): Promise<void> {
  if (!(await hasCase(context, caseId))) throw invalidField('caseId', 'Please select any case');
}

/** @throws Refusal notFound for an unknown case */
export async function requireKnownCase(context: ActorContext, caseId: string): Promise<void> {
  if (!(await hasCase(context, caseId))) throw notFound('Case');
}

async function hasCase(context: ActorContext, caseId: string): Promise<boolean> {
  return isId(caseId) && store.hasCase(asActor(context), caseId);
}

/**
 * Stores all files or none. They appear when the last one is complete; with an empty case, they go to the tray.
 * @param request of the client that uploads, with its length if it declares one
 * @throws Refusal invalidInput, tooLarge, storageFull
 */
export async function uploadFiles(
  context: ActorContext,
  parts: IncomingParts,
  request?: { length: number | undefined },
) {
  const reservation = request && new Reservation(context, request.length);
  const placeOf = async (fields: Map<string, string>) =>
    fields.get('caseId') === '' ? undefined : requireFilePlace(context, fields);
  return acceptFiles(context, { parts, reservation, placeOf }, async (place, stored) => ({
    urls: await putInPlace(context, place, stored),
  }));
}

/** Stores a document that the server wrote, whatever its length. @returns its URL @throws Refusal invalidInput */
export async function uploadDocument(
  context: ActorContext,
  { caseId, folder }: NewFolder,
  { name, bytes }: { name: string; bytes: Readable },
): Promise<string> {
  async function* parts() {
    yield { field: 'caseId', value: caseId };
    yield { field: 'folder', value: folder };
    yield { name, bytes };
  }
  const { urls } = await uploadFiles(context, parts());
  return urls[0] ?? '';
}

/** @throws Refusal invalidInput */
export async function requireFilePlace(
  context: ActorContext,
  fields: Map<string, string>,
): Promise<NewFolder> {
  const place = validate(NewFolderSchema, Object.fromEntries(fields));
  await requireFileCase(context, place.caseId);
  return place;
}

function putInPlace(
  context: ActorContext,
  place: NewFolder | undefined,
  stored: StoredBlob[],
): Promise<string[]> {
  return write(context, async (unit) => {
    const urls = place
      ? await adoptFiles(context, unit, { place, stored })
      : await unsortedUploads.of(context)(context, unit, stored);
    await claimStored(unit.trx, stored);
    return urls;
  });
}

/** Makes stored bytes files of a case, as part of another write. @returns their URLs */
export async function adoptFiles(
  context: ActorContext,
  unit: Unit,
  { place: { caseId, folder }, stored }: { place: NewFolder; stored: StoredBlob[] },
): Promise<string[]> {
  await store.insertFolder(unit.trx, caseId, folder);
  const place = await store.lockFolder(unit.trx, caseId, folder);
  if (!place) throw new Refusal('unexpected');
  const taken = await store.takenNames(unit.trx, place.id);
  const rows = stored.map((file) => {
    const name = rules.freeName(file.name, taken);
    taken.add(fold(name));
    const { key: blob_key, size, sha256, mimeType: mime_type } = file;
    const whose = { case_id: caseId, folder_id: place.id, uploaded_by: context.actor.id };
    return { ...whose, name, size, sha256, mime_type, blob_key, deleted_at: null };
  });
  const ids = await store.insertFiles(unit.trx, rows);
  const urls: string[] = [];
  for (const id of ids) urls.push(await announceFile(unit, id, 'created'));
  await filesAdopted.run(context, unit, context.actor, ids);
  return urls;
}

/** Names of the files in a folder, folded; none for a new one. */
export async function namesInFolder(
  context: ActorContext,
  { caseId, folder }: NewFolder,
): Promise<Set<string>> {
  const db = asActor(context);
  const place = (await store.listFolders(db, caseId)).find(({ name }) => name === folder);
  return place ? store.takenNames(db, place.id) : new Set();
}

async function announceFile(
  unit: Unit,
  id: string,
  action: 'created' | 'restored',
): Promise<string> {
  const row = await store.findFileById(unit.trx, id);
  if (!row) throw notFound('File');
  const event = toFileEvent(row);
  await saveNames(unit.trx, [namesOfFile({ id, caseId: row.case_id, name: row.name })]);
  await unit.record({ action, entity: 'file', entityId: id, caseId: row.case_id, after: event });
  unit.emit('file.uploaded', event);
  return event.url;
}

/** @param version the newest without one @throws Refusal notFound */
export async function openFile(
  context: ActorContext,
  address: rules.FileAddress,
  version?: number,
): Promise<OpenedFile> {
  const newest = await findVisibleFile(context, address);
  const row =
    version === undefined || version === newest.version
      ? newest
      : { ...newest, ...(await findVersion(context, newest.id, version)) };
  const read = (range?: ByteRange) => orStorageRefusal(context.blobs.read(row.blob_key, range));
  return { row, size: Number(row.size), read };
}

/** The same in the form of a reply. */
export async function readFileContent(
  context: ActorContext,
  address: rules.FileAddress,
  version?: number,
): Promise<Content> {
  const { row, size, read } = await openFile(context, address, version);
  const isShown = rules.isSafeToShow(row.name, row.mime_type);
  const about = {
    entity: 'file',
    entityId: row.id,
    caseId: row.case_id,
    ...(version !== undefined && { after: { name: row.name, version } }),
  } as const;
  return { name: row.name, mimeType: row.mime_type, isShown, size, about, read };
}

/** Type of named bytes, and whether browsers may show them; for content stored elsewhere. */
export async function detectType({
  name,
  size,
  read,
}: NamedContent): Promise<Pick<Content, 'mimeType' | 'isShown'>> {
  const end = Math.min(size, rules.HEAD_BYTES) - 1;
  const mimeType = await rules.kindOf(name, await buffer(await read({ start: 0, end })));
  return { mimeType, isShown: rules.isSafeToShow(name, mimeType) };
}

/** @throws Refusal notFound */
async function findVersion(context: ActorContext, fileId: string, version: number) {
  const [found] = await store.listVersions(asActor(context), fileId, version);
  if (!found) throw notFound('Version');
  const { size, mime_type, sha256, blob_key } = found;
  return { version, size, mime_type, sha256, blob_key };
}

async function findVisibleFile(
  context: ActorContext,
  address: rules.FileAddress,
): Promise<store.FileRow> {
  if (!rules.isAddress(address)) throw notFound('File');
  const db = asActor(context);
  const row = (await store.findFile(db, address)) ?? (await store.findMovedFile(db, address));
  if (!row) throw notFound('File');
  return row;
}

/** Only the uploader, and users who may edit tasks, delete a file. @throws Refusal notFound, notPermitted */
export async function deleteFile(context: ActorContext, address: rules.FileAddress): Promise<void> {
  const row = await findVisibleFile(context, address);
  requireOwnFile(context.actor, row);
  await write(context, async (unit) => {
    if (!(await putInTrash(unit, row))) throw notFound('File');
    await trashChanged.run(context, unit, { id: row.id, isDeleted: true });
  });
}

/** @returns false when it was deleted meanwhile */
async function putInTrash(unit: Unit, row: store.FileRow): Promise<boolean> {
  if (!(await store.markDeleted(unit.trx, row.id))) return false;
  await saveNames(unit.trx, [{ source: 'fileNames', id: row.id, names: [] }]);
  const event = toFileEvent(row);
  await unit.record({
    action: 'deleted',
    entity: 'file',
    entityId: row.id,
    caseId: row.case_id,
    before: event,
  });
  unit.emit('file.deleted', { url: event.url, case: event.case, folder: event.folder });
  return true;
}

/**
 * Takes a file back without the permission to delete it; one in the trash stays there.
 * @returns its place; undefined for one that the caller does not see, or that is removed for good
 */
export async function takeFileBack(unit: Unit, id: string): Promise<FileEvent | undefined> {
  const row = await store.findFileById(unit.trx, id);
  if (!row) return undefined;
  await putInTrash(unit, row);
  return toFileEvent(row);
}

/**
 * Renames a file or moves it to another folder, which is made if it is new. Its former URLs keep leading to it.
 * @throws Refusal notFound, invalidInput, alreadyExists for a taken name
 */
export async function changeFile(
  context: ActorContext,
  address: rules.FileAddress,
  { name: wanted, folder }: FilePatch,
): Promise<{ url: string }> {
  const row = await findVisibleFile(context, address);
  const before = toFileEvent(row);
  const named = rules.nameOf(
    wanted === undefined ? row.name : rules.withExtension(wanted, row.name),
  );
  if ('wrong' in named) throw invalidField('name', named.wrong);
  const { name } = named;
  const { case_id: caseId } = row;
  return write(context, async (unit) => {
    await store.insertFolder(unit.trx, caseId, folder ?? row.folder);
    const place = await store.lockFolder(unit.trx, caseId, folder ?? row.folder);
    if (!place) throw new Refusal('unexpected');
    const taken = await store.takenNames(unit.trx, place.id);
    if (place.id === row.folder_id) taken.delete(fold(row.name));
    if (taken.has(fold(name))) throw nameTaken();
    if (!(await store.placeFile(unit.trx, row, { folderId: place.id, name })))
      throw notFound('File');
    const changed = await store.findFileById(unit.trx, row.id);
    if (!changed) throw notFound('File');
    const after = toFileEvent(changed);
    await saveNames(unit.trx, [namesOfFile({ id: row.id, caseId, name })]);
    const action = place.id === row.folder_id ? 'updated' : 'moved';
    await unit.record({ action, entity: 'file', entityId: row.id, caseId, before, after });
    if (after.url !== before.url)
      unit.emit('file.deleted', { url: before.url, case: before.case, folder: before.folder });
    unit.emit('file.uploaded', after);
    return { url: after.url };
  });
}

function nameTaken() {
  return fieldRefusal('alreadyExists', 'name', 'A file of this name already exists in the folder');
}

function requireOwnFile(actor: Actor, { added_by: uploader }: store.FileRow): void {
  if (uploader !== actor.id) allow(actor, 'editTasks');
}

/** For those who may delete it. @throws Refusal notFound when no deleted file has this URL, notPermitted */
export async function restoreFile(context: ActorContext, url: string): Promise<{ url: string }> {
  const address = rules.parseUrl(url);
  const row = address && (await store.findDeletedFile(asActor(context), address));
  if (!row) throw notFound('File');
  requireOwnFile(context.actor, row);
  return write(context, async (unit) => {
    await store.lockFolder(unit.trx, row.case_id, row.folder);
    const name = rules.freeName(row.name, await store.takenNames(unit.trx, row.folder_id));
    if (!(await store.markRestored(unit.trx, row.id, name))) throw notFound('File');
    const restored = { url: await announceFile(unit, row.id, 'restored') };
    await trashChanged.run(context, unit, { id: row.id, isDeleted: false });
    return restored;
  });
}

/**
 * Removes all deleted files for good. Their bytes are left to the sweep, which begins at once. The route admits admins alone;
 * it also removes what walls hide.
 */
export async function emptyFileTrash(context: ActorContext): Promise<void> {
  const { writer, owner } = context;
  const why = 'deleted files of every matter take room';
  await writer.runAsSystem(context.actor, why, async (unit) => {
    const removed = await store.expireDeleted(unit.trx, 0, owner);
    await unit.record({ action: 'deleted', entity: 'trash', entityId: null, before: removed });
    unit.afterCommit(() => void sweepPending(context).catch(() => undefined));
  });
}

/** Removes crash leftovers, and files deleted 30 days ago. */
export async function sweepFiles(context: Context): Promise<void> {
  const { writer, owner } = context;
  await writer.runAsSystem(null, 'deleted files are kept for some days', async (unit) => {
    await store.expireDeleted(unit.trx, rules.KEPT_DAYS, owner);
  });
  await sweepPending(context);
}

function folderTaken() {
  return fieldRefusal('alreadyExists', 'folder', 'Folder already exists');
}

function urlOf({ case_id: caseId, folder, name }: store.FileRow) {
  return contentUrl(caseId, folder, name);
}

function toDetail(row: store.FileRow): FileDetail {
  return {
    name: row.name,
    size: Number(row.size),
    mimeType: row.mime_type,
    sha256: row.sha256.toString('hex'),
    uploadedAt: row.created_at.toISOString(),
    uploadedBy: { id: row.added_by, firstName: row.first_name, lastName: row.last_name },
    pages: row.status === 'ready' ? row.pages : null,
    version: row.version,
    training: rules.toTraining(row),
  };
}

/** Place of a file's URL; undefined for other URLs. */
export const addressOf = rules.parseUrl;

export const { freeName, isSafeToShow } = rules;

/** A file in the form of an event. */
export function toFileEvent(row: store.FileRow): FileEvent {
  return { ...toDetail(row), url: urlOf(row), case: row.case_id, folder: row.folder };
}
