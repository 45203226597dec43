import type { Database } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { toHeard, type FileService } from './service.ts';
import type { FileAddress } from './rules.ts';
import * as store from './store.training.ts';

/** What became of files by training: the text that was read, and who hears of it. */
export class FileTexts {
  readonly #db: Database;
  readonly #files: FileService;

  constructor(db: Database, files: FileService) {
    this.#db = db;
    this.#files = files;
  }

  /**
   * The extracted text of one page, with its offset in the whole.
   * @param page from 1
   * @throws Refusal notFound for an unknown file, one that is not trained, and a page that is not there
   */
  async readText(actor: Actor, address: FileAddress, page: number) {
    const { row } = await this.#files.openFile(actor, address);
    const found = await store.findPage(this.#db, row.id, page);
    if (!found) throw new Refusal('notTrained');
    if (found.text === null || found.start_offset === null) throw notFound('Page');
    return { page, pages: found.pages ?? 1, start: found.start_offset, text: found.text };
  }

  /** Tells everybody how the files with this content stand now. */
  async announce(unit: Unit, documentId: string): Promise<void> {
    for (const row of await store.listFilesOfDocument(unit.trx, documentId))
      unit.tell('file.trainingChanged', toHeard(row));
  }
}
