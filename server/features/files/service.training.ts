import type { Database } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { toFileEvent, type FileService } from './service.ts';
import type { FileAddress } from './rules.ts';
import * as store from './store.training.ts';

/** Files whose training is requested in one transaction. */
const FILES_AT_ONCE = 100;

/** Trained files: their extracted text, and broadcasts about them. */
export class FileTexts {
  readonly #db: Database;
  readonly #files: FileService;

  constructor(db: Database, files: FileService) {
    this.#db = db;
    this.#files = files;
  }

  /**
   * Extracted text of a page with its offset in the document.
   * @param page from 1
   * @throws Refusal notFound for an unknown or untrained file or a missing page
   */
  async readText(actor: Actor, address: FileAddress, page: number) {
    const { row } = await this.#files.openFile(actor, address);
    const found = await store.findPage(this.#db.as(actor), row.id, page);
    if (!found) throw new Refusal('notTrained');
    if (found.text === null || found.start_offset === null) throw notFound('Page');
    return { page, pages: found.pages ?? 1, start: found.start_offset, text: found.text };
  }

  /**
   * A batch of files that are not in training, trained or failed, by content, so that parallel
   * callers lock documents in the same order.
   */
  listUntrained(unit: Unit, place: { caseId: string; folder?: string | undefined }) {
    return store.listUntrained(unit.trx, { ...place, limit: FILES_AT_ONCE });
  }

  /** Broadcasts the status of all files with this content. */
  async announce(unit: Unit, documentId: string): Promise<void> {
    for (const row of await store.listFilesOfDocument(unit.trx, documentId))
      unit.emit('file.trainingChanged', toFileEvent(row));
  }
}
