import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { contentUrl, NewFolderSchema } from '@matterdesk/contract/files.ts';
import type { FileDetail, Library, NewFolder } from '@matterdesk/contract/files.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import type { Content } from '../../http/content.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { validate } from '../../http/validate.ts';
import type { ByteRange } from '../../integrations/blobs/blob-store.ts';
import { fold } from '../../db/search.ts';
import { namesOfFile, saveNames } from '../conflicts/names/service.ts';
import * as rules from './rules.ts';
import {
  Incoming,
  reach,
  type FileParts,
  type IncomingParts,
  type Stored,
} from './service.incoming.ts';
import * as store from './store.ts';

/** Listed files of a case. */
const LONGEST_LIST = 20_000;
/** Receives the ids of new files. */
export type Adopted = (unit: Unit, actor: Actor, ids: readonly string[]) => Promise<void>;
export type Opened = {
  row: store.FileRow;
  size: number;
  read: (range?: ByteRange) => Promise<Readable>;
};

type Named = Pick<Content, 'name' | 'size' | 'read'>;

export class FileService {
  readonly #parts: FileParts;
  #onAdopted: Adopted = () => Promise.resolve();
  /** For other features whose files come the same way. */
  readonly incoming: Incoming;

  constructor(parts: FileParts) {
    this.#parts = parts;
    this.incoming = new Incoming(parts);
  }

  /** Sets what else happens to new files, in the write that makes them. */
  onAdopted(adopted: Adopted): void {
    this.#onAdopted = adopted;
  }

  /** @throws Refusal notFound for an unknown case */
  async listFiles(actor: Actor, caseId: string): Promise<Library> {
    await this.requireKnown(actor, caseId);
    const db = this.#parts.db.as(actor);
    const [folders, rows] = await Promise.all([
      store.listFolders(db, caseId),
      store.listFiles(db, caseId, LONGEST_LIST),
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
  async createFolder(actor: Actor, { caseId, folder }: NewFolder) {
    await this.requireCase(actor, caseId);
    await this.#parts.writer.run(actor, async (unit) => {
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
    const { files } = await this.listFiles(actor, caseId);
    return { files };
  }

  /** @throws Refusal invalidInput for an unknown case */
  async requireCase(actor: Actor, caseId: string): Promise<void> {
    if (!(await this.#hasCase(actor, caseId)))
      throw invalidField('caseId', 'Please select any case');
  }

  /** @throws Refusal notFound for an unknown case */
  async requireKnown(actor: Actor, caseId: string): Promise<void> {
    if (!(await this.#hasCase(actor, caseId))) throw notFound('Case');
  }

  async #hasCase(actor: Actor, caseId: string): Promise<boolean> {
    return isId(caseId) && store.hasCase(this.#parts.db.as(actor), caseId);
  }

  /**
   * Stores all files or none. They appear when the last one is complete.
   * @param request of the client that uploads, with its length if it declares one
   * @throws Refusal invalidInput, tooLarge, storageFull
   */
  async uploadFiles(actor: Actor, parts: IncomingParts, request?: { length: number | undefined }) {
    const room = request && this.#parts.storage.openRoom(request.length);
    const placeOf = (fields: Map<string, string>) => this.requirePlace(actor, fields);
    return this.incoming.accept({ parts, room }, placeOf, async (place, stored) => ({
      urls: await this.#putInPlace(actor, place, stored),
    }));
  }

  /** @throws Refusal invalidInput */
  async requirePlace(actor: Actor, fields: Map<string, string>): Promise<NewFolder> {
    const place = validate(NewFolderSchema, Object.fromEntries(fields));
    await this.requireCase(actor, place.caseId);
    return place;
  }

  #putInPlace(actor: Actor, place: NewFolder, stored: Stored[]): Promise<string[]> {
    return this.#parts.writer.run(actor, async (unit) => {
      const urls = await this.adopt(unit, actor, { place, stored });
      await this.incoming.claim(unit.trx, stored);
      return urls;
    });
  }

  /** Makes stored bytes files of a case, as part of another write. @returns their URLs */
  async adopt(
    unit: Unit,
    actor: Actor,
    { place: { caseId, folder }, stored }: { place: NewFolder; stored: Stored[] },
  ): Promise<string[]> {
    await store.insertFolder(unit.trx, caseId, folder);
    const place = await store.lockFolder(unit.trx, caseId, folder);
    if (!place) throw new Refusal('unexpected');
    const taken = await store.takenNames(unit.trx, place.id);
    const rows = stored.map((file) => {
      const name = rules.freeName(file.name, taken);
      taken.add(fold(name));
      const { key: blob_key, size, sha256, mimeType: mime_type } = file;
      const whose = { case_id: caseId, folder_id: place.id, uploaded_by: actor.id };
      return { ...whose, name, size, sha256, mime_type, blob_key, deleted_at: null };
    });
    const ids = await store.insertFiles(unit.trx, rows);
    const urls: string[] = [];
    for (const id of ids) urls.push(await this.#announce(unit, id, 'created'));
    await this.#onAdopted(unit, actor, ids);
    return urls;
  }

  async #announce(unit: Unit, id: string, action: 'created' | 'restored'): Promise<string> {
    const row = await store.findFileById(unit.trx, id);
    if (!row) throw notFound('File');
    const event = toFileEvent(row);
    await saveNames(unit.trx, [namesOfFile({ id, caseId: row.case_id, name: row.name })]);
    await unit.record({ action, entity: 'file', entityId: id, caseId: row.case_id, after: event });
    unit.emit('file.uploaded', event);
    return event.url;
  }

  /** @throws Refusal notFound */
  async openFile(actor: Actor, address: rules.FileAddress): Promise<Opened> {
    const row = await this.#find(actor, address);
    const read = (range?: ByteRange) => reach(this.#parts.blobs.read(row.blob_key, range));
    return { row, size: Number(row.size), read };
  }

  /** The same in the form of a reply. */
  async readContent(actor: Actor, address: rules.FileAddress): Promise<Content> {
    const { row, size, read } = await this.openFile(actor, address);
    const isShown = rules.isSafeToShow(row.name, row.mime_type);
    const about = { entity: 'file', entityId: row.id, caseId: row.case_id } as const;
    return { name: row.name, mimeType: row.mime_type, isShown, size, about, read };
  }

  /** Type of named bytes, and whether browsers may show them; for content stored elsewhere. */
  async judge({ name, size, read }: Named): Promise<Pick<Content, 'mimeType' | 'isShown'>> {
    const end = Math.min(size, rules.HEAD_BYTES) - 1;
    const mimeType = await rules.kindOf(name, await buffer(await read({ start: 0, end })));
    return { mimeType, isShown: rules.isSafeToShow(name, mimeType) };
  }

  async #find(actor: Actor, address: rules.FileAddress): Promise<store.FileRow> {
    const row = rules.isAddress(address)
      ? await store.findFile(this.#parts.db.as(actor), address)
      : undefined;
    if (!row) throw notFound('File');
    return row;
  }

  /** @throws Refusal notFound */
  async deleteFile(actor: Actor, address: rules.FileAddress): Promise<void> {
    const row = await this.#find(actor, address);
    await this.#parts.writer.run(actor, async (unit) => {
      if (!(await store.markDeleted(unit.trx, row.id))) throw notFound('File');
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
    });
  }

  /** @throws Refusal notFound when no deleted file has this URL */
  async restoreFile(actor: Actor, url: string): Promise<{ url: string }> {
    const address = rules.parseUrl(url);
    const row = address && (await store.findDeletedFile(this.#parts.db.as(actor), address));
    if (!row) throw notFound('File');
    return this.#parts.writer.run(actor, async (unit) => {
      await store.lockFolder(unit.trx, row.case_id, row.folder);
      const name = rules.freeName(row.name, await store.takenNames(unit.trx, row.folder_id));
      if (!(await store.markRestored(unit.trx, row.id, name))) throw notFound('File');
      return { url: await this.#announce(unit, row.id, 'restored') };
    });
  }

  /**
   * Removes all deleted files for good. Their bytes are left to the sweep, which begins at once.
   * @param actor an admin, who also removes what walls hide
   */
  async emptyTrash(actor: Actor): Promise<void> {
    const { writer, owner } = this.#parts;
    const why = 'deleted files of every matter take room';
    await writer.runAsSystem(actor, why, async (unit) => {
      const removed = await store.expireDeleted(unit.trx, 0, owner);
      await unit.record({ action: 'deleted', entity: 'trash', entityId: null, before: removed });
      unit.afterCommit(() => void this.incoming.sweep().catch(() => undefined));
    });
  }

  /** Removes crash leftovers, and files deleted 30 days ago. */
  async sweep(): Promise<void> {
    const { writer, owner } = this.#parts;
    await writer.runAsSystem(null, 'deleted files are kept for some days', async (unit) => {
      await store.expireDeleted(unit.trx, rules.KEPT_DAYS, owner);
    });
    await this.incoming.sweep();
  }
}

function folderTaken() {
  const error = { path: 'folder', message: 'Folder already exists' };
  return new Refusal('alreadyExists', error.message, { errors: [error] });
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
    uploadedBy: { id: row.uploaded_by, firstName: row.first_name, lastName: row.last_name },
    pages: row.status === 'ready' ? row.pages : null,
    training: rules.toTraining(row),
  };
}

/** Place of a file's URL; undefined for other URLs. */
export const addressOf = rules.parseUrl;

export const { freeName, isSafeToShow } = rules;

/** A file in the form of an event. */
export function toFileEvent(row: store.FileRow) {
  return { ...toDetail(row), url: urlOf(row), case: row.case_id, folder: row.folder };
}
