import type { AiStatus, CheckRequest, TrainRequest } from '@matterdesk/contract/ai.ts';
import type { TrainAll } from '@matterdesk/contract/files.ts';
import type { Database } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { Actor } from '../../../core/actor.ts';
import { Refusal } from '../../../core/refusal.ts';
import { kindOfDocument, whyNotReadable } from '../../../integrations/documents/kinds.ts';
import { reasons } from '../../../integrations/documents/unreadable.ts';
import type { Queue } from '../../../jobs/queue.ts';
import type { FileService, Opened } from '../../files/service.ts';
import type { FirmService } from '../../firm/service.ts';
import type { FileTexts } from '../../files/service.training.ts';
import { describeStatus, VERSION } from './rules.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  files: FileService;
  texts: FileTexts;
  queue: Queue;
  firm: FirmService;
};

/** Trains files. Files with the same content share one document, which is read once. */
export class TrainingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @returns status "200" when the training is durably queued, running or done */
  async train(actor: Actor, request: TrainRequest): Promise<AiStatus> {
    const { case_id: caseId, folder_to_download: folder, file_name: name } = request;
    const file = await this.#find(actor, { caseId, folder, name });
    if (!file) return { status: '404', message: 'File not found' };
    return this.#parts.writer.run(actor, async (unit) => {
      const { isStarted, status } = await this.#queue(unit, actor, file);
      if (isStarted) return { status: '200', message: 'Training started' };
      const message = status === 'ready' ? 'Already trained' : 'Training is already running';
      return { status: '200', message };
    });
  }

  /**
   * Trains the files of a case or folder that are not trained, in batches that are each durable.
   * Failed ones are left to their own retry.
   * @throws Refusal invalidInput for an unknown case
   */
  async trainAll(actor: Actor, { caseId, folder }: TrainAll): Promise<{ queued: number }> {
    const { files, texts, writer } = this.#parts;
    await files.requireCase(actor, caseId);
    let queued = 0;
    for (let isMore = true; isMore;)
      isMore = await writer.run(actor, async (unit) => {
        const rows = await texts.listUntrained(unit, { caseId, folder });
        for (const row of rows) {
          const found = await this.#queue(unit, actor, { row, size: Number(row.size) });
          if (found.isLinked && found.status !== 'failed') queued += 1;
        }
        return rows.length > 0;
      });
    return { queued };
  }

  /** Trains new files that hold text, as part of the write that makes them, if the firm wants it. */
  async trainNew(unit: Unit, actor: Actor, ids: readonly string[]): Promise<void> {
    const { firm, texts } = this.#parts;
    const { trainUploads } = await firm.read();
    if (!trainUploads || ids.length === 0) return;
    for (const row of await texts.listNew(unit, ids)) {
      const size = Number(row.size);
      const kind = kindOfDocument(row.name, row.mime_type);
      if (permanentFailure(kind, row.name, size) === null)
        await this.#queue(unit, actor, { row, size });
    }
  }

  async check(actor: Actor, request: CheckRequest): Promise<AiStatus> {
    const { case_id: caseId, folder, file_name: name } = request;
    const file = await this.#find(actor, { caseId, folder, name });
    if (!file) return { status: 404, message: 'File not found' };
    return describeStatus(await store.findStatus(this.#parts.db.as(actor), file.row.id));
  }

  async #find(actor: Actor, address: { caseId: string; folder: string; name: string }) {
    try {
      return await this.#parts.files.openFile(actor, address);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'notFound') return undefined;
      throw error;
    }
  }

  async #queue(unit: Unit, actor: Actor, { row, size }: Pick<Opened, 'row' | 'size'>) {
    const { texts, queue } = this.#parts;
    const kind = kindOfDocument(row.name, row.mime_type);
    const error = permanentFailure(kind, row.name, size);
    const key = { sha256: row.sha256, kind, version: VERSION };
    const { id, status, isNew } = await store.claimDocument(unit.trx, { ...key, error });
    const training = { file_id: row.id, document_id: id, requested_by: actor.id };
    const isLinked = await store.linkTraining(unit.trx, training);
    // A failed training may be retried unless its failure is permanent.
    const isRetry = !isNew && status === 'failed' && error === null;
    if (isRetry) await store.requeueDocument(unit.trx, id);
    if ((isNew && error === null) || isRetry) {
      await queue.add(unit.trx, 'train', id);
      unit.afterCommit(() => queue.wake());
    }
    if (isLinked || isRetry) {
      const after = { name: row.name, document: id };
      const entry = { entity: 'file', entityId: row.id, caseId: row.case_id } as const;
      await unit.record(
        error === null
          ? { ...entry, action: 'trained', after }
          : { ...entry, action: 'trainingFailed', after: { ...after, reason: error } },
      );
      await texts.announce(unit, id);
    }
    return { isLinked, isStarted: isNew || isRetry, status: isRetry ? 'queued' : status };
  }

  /** Deletes documents that no longer belong to a file. */
  async sweep(): Promise<void> {
    await store.deleteOrphans(this.#parts.db.asSystem('documents of no file are removed'));
  }
}

/** The failure of a file that cannot be trained, known before it is read. */
function permanentFailure(kind: string, name: string, size: number): string | null {
  if (size === 0) return reasons.empty;
  return kind === 'other' ? whyNotReadable(name) : null;
}
