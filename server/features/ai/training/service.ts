// Trains files. Files with the same content share one document, which is read once.

import type { AiStatus, CheckRequest, TrainRequest } from '@matterdesk/contract/ai.ts';
import type { TrainAll } from '@matterdesk/contract/files.ts';
import { type ActorContext, asActor, type Context, write } from '../../../context.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { kindOfDocument, whyNotReadable } from '../../../integrations/documents/kinds.ts';
import { reasons } from '../../../integrations/documents/messages.ts';
import { announceTraining, listNewFiles, listUntrained } from '../../files/service.training.ts';
import { type OpenedFile, openFile, requireFileCase } from '../../files/service.ts';
import { readFirm } from '../../firm/service.ts';
import { describeStatus, VERSION } from './rules.ts';
import * as store from './store.ts';

/** @returns status "200" when the training is durably queued, running or done */
export async function trainFile(context: ActorContext, request: TrainRequest): Promise<AiStatus> {
  const { case_id: caseId, folder_to_download: folder, file_name: name } = request;
  const file = await findTrainable(context, { caseId, folder, name });
  if (!file) return { status: '404', message: 'File not found' };
  return write(context, async (unit) => {
    const { isStarted, status } = await queueTraining(context, unit, file);
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
export async function trainFolder(
  context: ActorContext,
  { caseId, folder }: TrainAll,
): Promise<{ queued: number }> {
  await requireFileCase(context, caseId);
  let queued = 0;
  for (let isMore = true; isMore;)
    isMore = await write(context, async (unit) => {
      const rows = await listUntrained(unit, { caseId, folder });
      for (const row of rows) {
        const found = await queueTraining(context, unit, { row, size: Number(row.size) });
        if (found.isLinked && found.status !== 'failed') queued += 1;
      }
      return rows.length > 0;
    });
  return { queued };
}

/** Trains new files that hold text, as part of the write that makes them, if the firm wants it. */
export async function trainNewFiles(
  context: ActorContext,
  unit: Unit,
  ids: readonly string[],
): Promise<void> {
  const { trainUploads } = await readFirm(context);
  if (!trainUploads || ids.length === 0) return;
  for (const row of await listNewFiles(unit, ids)) {
    const size = Number(row.size);
    const kind = kindOfDocument(row.name, row.mime_type);
    if (permanentFailure(kind, row.name, size) === null)
      await queueTraining(context, unit, { row, size });
  }
}

/** Trains the new content of a file that was trained, or that the firm wants trained, as part of its write. */
export async function trainNewContent(
  context: ActorContext,
  unit: Unit,
  { id, wasTrained }: { id: string; wasTrained: boolean },
): Promise<void> {
  if (!wasTrained) return trainNewFiles(context, unit, [id]);
  for (const row of await listNewFiles(unit, [id]))
    await queueTraining(context, unit, { row, size: Number(row.size) });
}

export async function checkTraining(
  context: ActorContext,
  request: CheckRequest,
): Promise<AiStatus> {
  const { case_id: caseId, folder, file_name: name } = request;
  const file = await findTrainable(context, { caseId, folder, name });
  if (!file) return { status: 404, message: 'File not found' };
  return describeStatus(await store.findStatus(asActor(context), file.row.id));
}

/** Deletes documents that no longer belong to a file. */
export async function sweepTraining(context: Context): Promise<void> {
  await store.deleteOrphans(context.db.asSystem('documents of no file are removed'));
}

async function findTrainable(
  context: ActorContext,
  address: { caseId: string; folder: string; name: string },
) {
  try {
    return await openFile(context, address);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'notFound') return undefined;
    throw error;
  }
}

async function queueTraining(
  context: ActorContext,
  unit: Unit,
  { row, size }: Pick<OpenedFile, 'row' | 'size'>,
) {
  const { queue } = context;
  const kind = kindOfDocument(row.name, row.mime_type);
  const error = permanentFailure(kind, row.name, size);
  const key = { sha256: row.sha256, kind, version: VERSION };
  const { id, status, isNew } = await store.claimDocument(unit.trx, { ...key, error });
  const training = { file_id: row.id, document_id: id, requested_by: context.actor.id };
  const isLinked = await store.linkTraining(unit.trx, training);
  // A failed training may be retried unless its failure is permanent.
  const isRetry = !isNew && status === 'failed' && error === null;
  if (isRetry) await store.requeueDocument(unit.trx, id);
  if ((isNew && error === null) || isRetry) await queue.add(unit, 'train', [id]);
  if (isLinked || isRetry) {
    const after = { name: row.name, document: id };
    const entry = { entity: 'file', entityId: row.id, caseId: row.case_id } as const;
    await unit.record(
      error === null
        ? { ...entry, action: 'trained', after }
        : { ...entry, action: 'trainingFailed', after: { ...after, reason: error } },
    );
    await announceTraining(unit, id);
  }
  return { isLinked, isStarted: isNew || isRetry, status: isRetry ? 'queued' : status };
}

/** The failure of a file that cannot be trained, known before it is read. */
function permanentFailure(kind: string, name: string, size: number): string | null {
  if (size === 0) return reasons.empty;
  return kind === 'other' ? whyNotReadable(name) : null;
}
