import { intakeFileUrl } from '@matterdesk/contract/intake-files.ts';
import type { Actor } from '../../core/actor.ts';
import { notFound } from '../../core/refusal.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import type { BlobStore } from '../../integrations/blobs/blob-store.ts';
import type { IncomingParts, Stored } from '../files/service.incoming.ts';
import { freeName, isSafeToShow, type FileService } from '../files/service.ts';
import type { StorageService } from '../storage/service.ts';
import { entryOf, keepIntake, lockIntake, requireIntake } from './service.keeping.ts';
import * as store from './store.files.ts';

export type IntakeFileParts = {
  db: Database;
  writer: Writer;
  files: FileService;
  storage: StorageService;
  blobs: BlobStore;
  /** As of `FileParts`. */
  owner: string;
};

/** Where a file is, as its URL names it. */
type Address = { id: string; name: string };

/** Files of intakes, which move to the case when an intake is accepted. */
export class IntakeFiles {
  readonly #parts: IntakeFileParts;

  constructor(parts: IntakeFileParts) {
    this.#parts = parts;
  }

  /** Stores all files or none. @throws Refusal notFound, invalidInput, tooLarge, storageFull */
  async addFiles(
    actor: Actor,
    id: string,
    { parts, length }: { parts: IncomingParts; length: number | undefined },
  ): Promise<{ urls: string[] }> {
    const { db, files, storage, writer } = this.#parts;
    const room = storage.openRoom(length);
    const placeOf = () => requireIntake(db.as(actor), id);
    return files.incoming.accept({ parts, room }, placeOf, async (_, stored) => {
      const names = await writer.run(actor, async (unit) => {
        const before = await lockIntake(unit.trx, id);
        const added = await this.attach(unit, id, { stored, by: actor.id });
        const entries = added.map((name) => entryOf(actor, 'file', name));
        await keepIntake(unit, before, { change: {}, entries, action: 'filed' });
        return added;
      });
      return { urls: names.map((name) => intakeFileUrl(id, name)) };
    });
  }

  /** Makes stored bytes files of an intake. @returns their names, changed where they were taken */
  async attach(
    unit: Unit,
    id: string,
    { stored, by }: { stored: Stored[]; by: string | null },
  ): Promise<string[]> {
    const taken = await store.takenNames(unit.trx, id);
    const rows = stored.map((file) => {
      const name = freeName(file.name, taken);
      taken.add(fold(name));
      const { key: blob_key, size, sha256, mimeType: mime_type } = file;
      return { intake_id: id, uploaded_by: by, name, size, sha256, mime_type, blob_key };
    });
    await store.insertFiles(unit.trx, rows);
    await this.#parts.files.incoming.claim(unit.trx, stored);
    return rows.map(({ name }) => name);
  }

  /** @throws Refusal notFound */
  async readContent(actor: Actor, { id, name }: Address): Promise<Content> {
    const db = this.#parts.db.as(actor);
    await requireIntake(db, id);
    const row = await store.findFile(db, id, name);
    if (!row) throw notFound('File');
    return {
      name: row.name,
      mimeType: row.mime_type,
      isShown: isSafeToShow(row.name, row.mime_type),
      size: Number(row.size),
      about: { entity: 'file', entityId: row.id },
      read: (range) => this.#parts.blobs.read(row.blob_key, range),
    };
  }

  /** @throws Refusal notFound */
  async deleteFile(actor: Actor, { id, name }: Address): Promise<void> {
    await this.#parts.writer.run(actor, async (unit) => {
      const before = await lockIntake(unit.trx, id);
      if (!(await store.findFile(unit.trx, id, name))) throw notFound('File');
      await this.remove(unit.trx, { id, name });
      await keepIntake(unit, before, { change: {}, action: 'unfiled' });
    });
  }

  /** Removes one file, or all; their bytes are left to the next sweep. */
  async remove(trx: Transaction, { id, name }: { id: string; name?: string }): Promise<void> {
    await store.deleteFiles(trx, { intakeId: id, name, owner: this.#parts.owner });
  }
}
