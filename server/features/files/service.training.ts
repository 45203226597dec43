import { contentUrl } from '@matterdesk/contract/files.ts';
import { DEFAULT_PAGE } from '@matterdesk/contract/paging.ts';
import type { Database } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { ID } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import { toFileEvent, type FileService } from './service.ts';
import { excerptOf } from './rules.excerpt.ts';
import type { FileAddress } from './rules.ts';
import * as searchStore from './store.search.ts';
import * as store from './store.training.ts';

type Search = PageQuery & { caseId: string };

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
   * Files of a case whose names and extracted texts together contain every word of a search.
   * @throws Refusal notFound for an unknown case, invalidInput for an invalid cursor
   */
  async searchFiles(actor: Actor, { caseId, search = '', cursor, limit }: Search) {
    await this.#files.requireKnown(actor, caseId);
    const [after] = cursor === undefined ? [] : readCursor(cursor, [ID]);
    const size = limit ?? DEFAULT_PAGE;
    const query = { caseId, search, after, limit: size };
    const { rows, total } = await searchStore.searchFiles(this.#db.as(actor), query);
    const { page, nextCursor } = cutPage(rows, size, (row) => [row.id]);
    const files = page.map(({ folder, name, around }) => ({
      url: contentUrl(caseId, folder, name),
      folder,
      name,
      excerpt: around === null ? null : excerptOf(around, search),
    }));
    return { files, ...describeTotal(total), nextCursor };
  }

  /**
   * A batch of files that are not in training, trained or failed, by content, so that parallel
   * callers lock documents in the same order.
   */
  listUntrained(unit: Unit, place: { caseId: string; folder?: string | undefined }) {
    return store.listUntrained(unit.trx, { ...place, limit: FILES_AT_ONCE });
  }

  /** New files of a write, by content like `listUntrained`. */
  listNew(unit: Unit, ids: readonly string[]) {
    return store.listNew(unit.trx, ids);
  }

  /** Enters a failed training into the activity of each file with this content. */
  async recordFailure(unit: Unit, documentId: string, reason: string): Promise<void> {
    const rows = await store.listTrained(unit.trx, documentId);
    await unit.recordAll(
      rows.map(({ id, case_id: caseId, name, requested_by: actorId }) => ({
        action: 'trainingFailed',
        entity: 'file',
        entityId: id,
        caseId,
        actorId,
        after: { name, document: documentId, reason },
      })),
    );
  }

  /** Broadcasts the status of all files with this content. */
  async announce(unit: Unit, documentId: string): Promise<void> {
    for (const row of await store.listFilesOfDocument(unit.trx, documentId))
      unit.emit('file.trainingChanged', toFileEvent(row));
  }
}
