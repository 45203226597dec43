// Items that arrived and are in no matter yet. Only a user's own act files them.

import { contentUrl } from '@matterdesk/contract/files.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import {
  type Filing,
  trayContentUrl,
  type TrayItem,
  traySources,
  type TraySource,
  UNDO_DAYS,
} from '@matterdesk/contract/tray.ts';
import { type ActorContext, asActor, type Context, write } from '../../context.ts';
import { type Actor, allow } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, invalidFields, notFound, Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { cutPage, describeTotal, INSTANT, readCursor } from '../../http/paging.ts';
import { requireActive } from '../accounts/service.ts';
import { caseExists } from '../cases/service.ts';
import {
  claimStored,
  orStorageRefusal,
  type StoredBlob,
  storeFiles,
} from '../files/service.incoming.ts';
import { addressOf, adoptFiles, isSafeToShow, takeFileBack } from '../files/service.ts';
import { takeTextsFrom } from '../stream/service.texts.ts';
import { addTaskIn, takeTaskBack } from '../tasks/service.ts';
import * as rules from './rules.ts';
import { type Correspondence, noteCorrespondence, openCorrespondence } from './service.arrivals.ts';
import { proposeMatters, type ItemProposals, queueReading } from './service.clues.ts';
import { announceCounts } from './service.counts.ts';
import { listProblems } from './store.ts';
import * as store from './store.ts';

type FilingResult = { item: TrayItem; url: string | null; entry: null };

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type Query = {
  source?: TraySource | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** @throws Refusal invalidInput */
export async function listTray(context: ActorContext, query: Query) {
  const reader = readerOf(context);
  const { source, limit = DEFAULT_PAGE_SIZE } = query;
  const after = placeOf(query.cursor);
  const db = asActor(context);
  const [rows, waiting, problems] = await Promise.all([
    store.listItems(db, reader, { source, limit: limit + 1, after }),
    store.countItems(db, [reader.id]),
    reader.sorts ? listProblems(db) : [],
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  const counts = rules.countsFor(reader, waiting);
  const proposed = await proposeMatters(context, page);
  const wanted = traySources.filter((one) => source === undefined || one === source);
  return {
    items: page.map((row, at) => toItem(row, proposed[at])),
    counts,
    ...describeTotal(wanted.reduce((sum, one) => sum + counts[one], 0)),
    nextCursor,
    problems: problems.map(({ at, ...problem }) => ({ ...problem, at: at.toISOString() })),
  };
}

function placeOf(cursor: string | undefined): store.Place | undefined {
  if (cursor === undefined) return undefined;
  const [at = '', id = ''] = readCursor(cursor, [INSTANT, ID]);
  return { at, id };
}

/**
 * The bytes of what is in the tray, a mail's and a text's as they would be filed; those of what was filed are its file's.
 * @throws Refusal notFound
 */
export async function readPaper(context: ActorContext, id: string): Promise<Content> {
  const row = await requireItem(context, asActor(context), id);
  if (row.state !== 'open') throw notFound('Paper');
  const { blob_key: key, mime_type: mimeType } = row;
  const { name, size, read } =
    key === null
      ? await openCorrespondence(context, row)
      : {
          name: row.name,
          size: Number(row.size),
          read: (range?: { start: number; end: number }) =>
            orStorageRefusal(context.blobs.read(key, range)),
        };
  const about = { entity: 'paper', entityId: row.id, after: { name: row.name } } as const;
  return { name, size, mimeType, isShown: isSafeToShow(name, mimeType), about, read };
}

/** Stored bytes become papers of the tray, as part of another write. @returns their URLs */
export async function putInTray(
  context: ActorContext,
  unit: Unit,
  stored: StoredBlob[],
): Promise<string[]> {
  const { actor } = context;
  const source = 'upload';
  const now = Date.now();
  const rows = stored.map(({ key: blob_key, name, size, sha256, mimeType: mime_type }, place) => {
    // Files of one upload keep their order.
    const at = new Date(now - (stored.length - 1 - place));
    const from = { source, at, owner_id: actor.id } as const;
    return { ...from, name, size, sha256, mime_type, blob_key };
  });
  const ids = await store.insertItems(unit.trx, rows);
  const added = rows.map(({ name, size }, at) => {
    const after = { name, size, source };
    return { ...about(ids[at] ?? ''), action: 'created', after };
  });
  await unit.recordAll(added);
  await queueReading(context, unit, ids);
  announceCounts(unit, actor.id);
  return ids.map(trayContentUrl);
}

/** @throws Refusal notPermitted to file with a task */
export function requireMayFile(actor: Actor, json: unknown): void {
  const { task } = { ...(json as { task?: unknown } | null) };
  if (task !== undefined && task !== null) allow(actor, 'editTasks');
}

type FilingRequest = { filing: Filing; once: IdempotencyKey | undefined };

/** @throws Refusal notFound, conflict for what is not in the tray any more, invalidInput for an unknown case */
export async function fileItem(
  context: ActorContext,
  id: string,
  asked: FilingRequest,
): Promise<FilingResult> {
  const row = await requireItem(context, asActor(context), id);
  if (row.sender_key === null || row.state !== 'open') return fileOpen(context, id, asked);
  // A mail or text gets bytes of its own.
  const { name, threadId, read } = await openCorrespondence(context, row);
  async function* parts() {
    yield { name, bytes: await read() };
  }
  return storeFiles(context, { parts: parts() }, ([stored]) =>
    fileOpen(context, id, { ...asked, ...(stored && { correspondence: { stored, threadId } }) }),
  );
}

/** @param asked `correspondence` has a mail's or text's bytes */
function fileOpen(
  context: ActorContext,
  id: string,
  { filing, once, correspondence }: FilingRequest & { correspondence?: Correspondence },
): Promise<FilingResult> {
  const { actor } = context;
  return write(
    context,
    async (unit) => {
      const row = await lockOpen(context, unit, id);
      if (!(await caseExists(unit.trx, filing.case)))
        throw invalidField('case', 'Please select any case');
      const folder = filing.folder || rules.folders[row.source];
      const place = { caseId: filing.case, folder };
      // First the task, which locks the matter more than a file does.
      const taskId = await addTaskOf(unit, actor, filing);
      const stored = correspondence?.stored ?? bytesOf(row);
      const [url = ''] = await adoptFiles(context, unit, { place, stored: [stored] });
      const fileId = await store.findFileId(unit.trx, stored.key);
      if (correspondence) {
        await claimStored(unit.trx, [stored]);
        await noteCorrespondence(context, unit, { ...correspondence, row, caseId: filing.case });
      }
      await store.closeItem(unit.trx, id, { by: actor.id, fileId, taskId });
      const after = { name: row.name, folder, url };
      await unit.record({ ...about(id), action: 'filed', caseId: filing.case, after });
      announceCounts(unit, row.owner?.id ?? null);
      return { ...toDone(await requireItem(context, unit.trx, id)), url };
    },
    once && {
      ...once,
      requireVisible: async (trx, { item, url }) => {
        const { caseId = '' } = addressOf(url ?? '') ?? {};
        if (!(await caseExists(trx, caseId))) throw notFound('Case');
        await requireItem(context, trx, item.id);
      },
    },
  );
}

/** @throws Refusal invalidInput with paths below `task` */
async function addTaskOf(unit: Unit, actor: Actor, filing: Filing): Promise<string | null> {
  if (!filing.task) return null;
  const added = addTaskIn(unit, actor, { ...filing.task, case: filing.case });
  const { id } = await added.catch((error: unknown) => {
    if (!(error instanceof Refusal) || !error.errors) throw error;
    throw invalidFields(error.errors.map((one) => ({ ...one, path: `task.${one.path}` })));
  });
  return id;
}

/** A paper's bytes, which become the file's. */
function bytesOf({ blob_key: key, sha256, ...row }: store.ItemRow): StoredBlob {
  // A mail or text that came back while this waited for it.
  if (key === null || sha256 === null) throw rules.closedAlready('filed');
  return { key, sha256, name: row.name, mimeType: row.mime_type, size: Number(row.size) };
}

/** 'Not for a matter'. @throws Refusal notFound, conflict for what is not in the tray any more */
export async function dismissItem(
  context: ActorContext,
  id: string,
  { reason, once }: { reason: string; once: IdempotencyKey | undefined },
): Promise<FilingResult> {
  return write(
    context,
    async (unit) => {
      const row = await lockOpen(context, unit, id);
      await store.closeItem(unit.trx, id, { by: context.actor.id, fileId: null });
      const after = { name: row.name, ...(reason !== '' && { reason }) };
      await unit.record({ ...about(id), action: 'dismissed', after });
      announceCounts(unit, row.owner?.id ?? null);
      return toDone(row);
    },
    once && { ...once, requireVisible: (trx, { item }) => requireItem(context, trx, item.id) },
  );
}

/**
 * Back into the tray. The file of a filed paper goes to the trash with its bytes, and the paper gets a copy of them; a
 * mail or text is unfiled.
 * @throws Refusal notFound, also for what was filed to a case that the caller does not see; notPermitted, conflict
 */
export async function undoItem(context: ActorContext, id: string): Promise<FilingResult> {
  const db = asActor(context);
  const row = await requireItem(context, db, id);
  if (row.state === 'open') return toDone(row);
  rules.requireUndo(context.actor, row, new Date());
  if (row.state === 'dismissed') return reopen(context, id);
  if (row.file_id === null) throw rules.tooLate();
  if (!(await store.hasFile(db, row.file_id))) throw notFound('Paper');
  const { blob_key: key, name } = row;
  if (key === null) return reopen(context, id);
  async function* parts() {
    yield { name, bytes: await orStorageRefusal(context.blobs.read(key ?? '')) };
  }
  return storeFiles(context, { parts: parts() }, ([copy]) => reopen(context, id, copy));
}

/** @param copy of a filed paper's bytes; a sweep removes one that a parallel undo left without use */
function reopen(context: ActorContext, id: string, copy?: StoredBlob): Promise<FilingResult> {
  return write(context, async (unit) => {
    await requireActive(unit.trx, context.actor);
    await store.lockItem(unit.trx, id);
    const row = await requireItem(context, unit.trx, id);
    if (row.state === 'open') return toDone(row);
    rules.requireUndo(context.actor, row, new Date());
    if (row.state === 'filed') await unfile(context, unit, { row, copy });
    else {
      await store.reopenItem(unit.trx, id, undefined);
      await unit.record({ ...about(id), action: 'restored', after: { name: row.name } });
    }
    announceCounts(unit, row.owner?.id ?? null);
    return toDone(await requireItem(context, unit.trx, id));
  });
}

type FiledItem = { row: store.ItemRow; copy: StoredBlob | undefined };

async function unfile(context: ActorContext, unit: Unit, { row, copy }: FiledItem): Promise<void> {
  // A paper without a copy was filed since it was looked at.
  if (row.file_id === null || (row.blob_key !== null && !copy)) throw rules.closedAlready('filed');
  const file = await takeFileBack(unit, row.file_id);
  if (!file) throw notFound('Paper');
  if (row.task_id !== null) await takeTaskBack(unit, row.task_id);
  if (row.message_id !== null)
    await takeTextsFrom(context, unit, { case: file.case, messageIds: [row.message_id] });
  if (copy) await claimStored(unit.trx, [copy]);
  await store.reopenItem(unit.trx, row.id, copy?.key);
  const before = { name: row.name, folder: file.folder };
  await unit.record({ ...about(row.id), action: 'unfiled', caseId: file.case, before });
}

/** Removes what cannot be undone any more, with the bytes of what was dismissed. */
export async function purgeTray({ writer, owner }: Context): Promise<void> {
  await writer.run(null, ({ trx }) => store.purgeItems(trx, UNDO_DAYS, owner));
}

async function lockOpen(context: ActorContext, unit: Unit, id: string): Promise<store.ItemRow> {
  // First the user, then the item, then the matter: the order in which others lock them.
  await requireActive(unit.trx, context.actor);
  if (isId(id)) await store.lockItem(unit.trx, id);
  const row = await requireItem(context, unit.trx, id);
  if (row.state !== 'open') throw rules.closedAlready(row.state);
  return row;
}

async function requireItem(context: ActorContext, db: Scoped, id: string): Promise<store.ItemRow> {
  const row = isId(id) ? await store.findItem(db, readerOf(context), id) : undefined;
  if (!row) throw notFound('Paper');
  return row;
}

function readerOf({ actor }: ActorContext): store.Reader {
  return { id: actor.id, sorts: actor.permissions.sortPapers };
}

function about(entityId: string) {
  return { entity: 'paper', entityId } as const;
}

function toDone(row: store.ItemRow): FilingResult {
  return { item: toItem(row), url: null, entry: null };
}

function toItem(
  { id, source, at, name: title, excerpt, pages, owner, twin, ...row }: store.ItemRow,
  { proposals, sender: name }: ItemProposals = { proposals: [], sender: null },
): TrayItem {
  return {
    id,
    source,
    at: at.toISOString(),
    title,
    excerpt,
    from: row.sender && { ...row.sender, name: row.sender.name ?? name },
    pages,
    proposals,
    owner,
    duplicateOf: twin && {
      case: { id: twin.id, caseName: twin.caseName, caseNo: twin.caseNo },
      url: contentUrl(twin.id, twin.folder, twin.name),
    },
    ...(row.mail_id !== null && { mailId: row.mail_id }),
  };
}
