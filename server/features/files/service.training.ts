// Trained files: their extracted text, and broadcasts about them.

import { contentUrl } from '@matterdesk/contract/files.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { ID } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, type PageQuery, readCursor } from '../../http/paging.ts';
import { excerptOf, type FileAddress } from './rules.ts';
import { openFile, requireKnownCase, toFileEvent } from './service.ts';
import * as store from './store.ts';

type Search = PageQuery & { caseId: string };

/** Files whose training is requested in one transaction. */
const FILES_AT_ONCE = 100;

/**
 * Extracted text of a page, from 1, with its offset in the document.
 * @throws Refusal notFound for an unknown or untrained file, version or a missing page
 */
export async function readFileText(
  context: ActorContext,
  address: FileAddress,
  { page = 1, version }: { page?: number | undefined; version?: number | undefined },
) {
  const { row } = await openFile(context, address);
  const db = asActor(context);
  const found =
    version === undefined || version === row.version
      ? await store.findPage(db, row.id, page)
      : await store.findEarlierPage(db, { fileId: row.id, version, page });
  if (!found) throw new Refusal('notTrained');
  if (found.text === null || found.start_offset === null) throw notFound('Page');
  return { page, pages: found.pages ?? 1, start: found.start_offset, text: found.text };
}

/**
 * Files of a case whose names and extracted texts together contain every word of a search.
 * @throws Refusal notFound for an unknown case, invalidInput for an invalid cursor
 */
export async function searchFiles(
  context: ActorContext,
  { caseId, search = '', cursor, limit }: Search,
) {
  await requireKnownCase(context, caseId);
  const [after] = cursor === undefined ? [] : readCursor(cursor, [ID]);
  const size = limit ?? DEFAULT_PAGE_SIZE;
  const query = { caseId, search, after, limit: size };
  const { rows, total } = await store.searchFiles(asActor(context), query);
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
export function listUntrained(unit: Unit, place: { caseId: string; folder?: string | undefined }) {
  return store.listUntrained(unit.trx, { ...place, limit: FILES_AT_ONCE });
}

/** New files of a write, by content like `listUntrained`. */
export function listNewFiles(unit: Unit, ids: readonly string[]) {
  return store.listNew(unit.trx, ids);
}

/** Enters a failed training into the activity of each file with this content. */
export async function recordTrainingFailure(
  unit: Unit,
  documentId: string,
  reason: string,
): Promise<void> {
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
export async function announceTraining(unit: Unit, documentId: string): Promise<void> {
  for (const row of await store.listFilesOfDocument(unit.trx, documentId))
    unit.emit('file.trainingChanged', toFileEvent(row));
}
