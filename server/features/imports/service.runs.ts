// The run of an import from its beginning or from where it was interrupted: to its end, or until it is stopped.

import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  importKinds,
  type Import,
  ImportPatchSchema,
  type ImportProfile,
} from '@matterdesk/contract/imports.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { yieldToEventLoop } from '../../core/time-slices.ts';
import { validate } from '../../http/validate.ts';
import type { Attempt } from '../../jobs/queue.ts';
import { actorFor } from '../accounts/service.ts';
import { findTouched } from '../audit/service.ts';
import * as rules from './rules.ts';
import type { ImportRow } from './rules.ts';
import type { Kind, Reason, Run } from './service.kinds.ts';
import { kinds, runOf, runRows, RunStopped } from './service.rows.ts';
import {
  about,
  eraseUploads,
  addFolder,
  changeImport,
  readImport,
  reportOf,
  startImport,
  stopImport,
} from './service.ts';
import * as ids from './store.ids.ts';
import * as store from './store.ts';

/** Errors in a row after which an import has failed. */
const MAX_FAILURES = 3;
const WHY = 'an import fails after its request';
const FAILED = 'The import failed. Run it again: it goes on from where it ended.';
const LOST = 'The user who added it is no administrator any more';
const ENDS = { check: 'checked', import: 'done', undo: 'undone', tryUndo: 'done' } as const;

/**
 * Works on an import that runs, to its end or until it is stopped.
 * @throws when it is interrupted, to go on from there
 */
export async function workOn(
  context: Context,
  id: string,
  { signal, before }: Pick<Attempt, 'signal' | 'before'>,
): Promise<void> {
  const row = await store.findImport(context.db, id);
  if (row?.state !== 'running') return;
  try {
    await runImport(context, row, signal);
  } catch (error) {
    if (error instanceof RunStopped) return;
    if (signal.aborted) throw error;
    if (!(error instanceof Refusal)) {
      context.log.error({ err: error }, 'an import failed');
      if (before < MAX_FAILURES) throw error;
    }
    const isForUser = error instanceof Refusal && error.code !== 'unexpected';
    await failRun(context, row, isForUser ? error.message : FAILED);
  }
}

async function runImport(shared: Context, row: ImportRow, signal: AbortSignal): Promise<void> {
  const actor = await actorFor(shared.db, row.by.id);
  if (actor?.role !== 'admin') throw new Refusal('conflict', LOST);
  // Marks the import's audit entries, so that undo can recognize them.
  const context = { ...shared, actor: { ...actor, requestId: `import ${row.id}` } };
  if (rules.isUndo(row.work)) await undoRows(context, row, signal);
  else {
    const isAgain = row.work === 'check' && row.place !== null;
    // A check keeps what it found in memory, and starts over.
    if (isAgain) await write(context, ({ trx }) => store.clear(trx, row.id));
    await runRows(context, isAgain ? { ...row, place: null } : row, signal);
  }
  await write(context, async (unit) => {
    const run = { id: row.id, runId: row.run_id };
    if (!(await store.endRun(unit.trx, run, { state: ENDS[row.work ?? 'check'] }))) return;
    if (isWriting(row)) unit.emit('import.ended', { id: row.id });
    if (row.work === 'import') await unit.record({ ...about(row.id), action: 'imported' });
    if (row.work === 'undo') await unit.record({ ...about(row.id), action: 'undone' });
  });
}

async function failRun({ writer }: Context, row: ImportRow, error: string): Promise<void> {
  await writer.runAsSystem(null, WHY, async (unit) => {
    await store.endRun(unit.trx, { id: row.id, runId: row.run_id }, { state: 'failed', error });
    if (isWriting(row)) unit.emit('import.ended', { id: row.id });
  });
}

function isWriting({ work }: ImportRow): boolean {
  return work === 'import' || work === 'undo';
}

const BATCH = 200;
const CHANGED = 'It was changed or used here';

type UndoRun = { context: ActorContext; row: ImportRow; run: Run; signal: AbortSignal };
type FinishedRun = { id: string; name: string };

/**
 * Undoes an import: removes records that no one changed or used since, and lists the others with the reason. A dry run
 * removes nothing.
 * @throws Stopped, or the signal's reason
 */
async function undoRows(context: ActorContext, row: ImportRow, signal: AbortSignal): Promise<void> {
  const run = await runOf(context, row);
  const order = importKinds.toReversed();
  const from = row.place === null ? 0 : order.indexOf(row.place.kind);
  for (const kind of order.slice(from)) await undoKind({ context, row, run, signal }, kinds[kind]);
  if (row.work === 'undo')
    await write(context, async ({ trx }) => {
      await ids.deleteFound(trx, row.id);
      await eraseUploads(context, trx, row.id);
    });
}

async function undoKind(undoRun: UndoRun, known: Kind): Promise<void> {
  const { context, row, signal } = undoRun;
  const { kind } = known;
  let after = row.place?.kind === kind ? row.place.id : undefined;
  for (;;) {
    signal.throwIfAborted();
    const of = { importId: row.id, kind };
    const made = await ids.listMade(context.db, of, { after, limit: BATCH });
    if (made.length === 0) return;
    after = made.at(-1)?.id;
    await undoBatch(undoRun, known, made);
    await yieldToEventLoop();
  }
}

function undoBatch(
  { context, row, run }: UndoRun,
  known: Kind,
  made: FinishedRun[],
): Promise<void> {
  const { kind } = known;
  return write(context, async (unit) => {
    if (!(await store.lockRun(unit.trx, { id: row.id, runId: row.run_id ?? '' })))
      throw new RunStopped();
    const all = made.map(({ id }) => id);
    const touched = await findTouched(unit.trx, all, run.context.actor.requestId);
    const left = new Map<string, Reason>([...touched].map((id) => [id, CHANGED]));
    const free = all.filter((id) => !left.has(id));
    if (row.work === 'tryUndo' && known.reasonsToKeep && free.length > 0)
      for (const [id, reason] of await known.reasonsToKeep(unit.trx, free)) left.set(id, reason);
    if (row.work === 'undo') {
      const stay = free.length > 0 ? await known.remove(run, unit, free) : [];
      for (const [id, reason] of stay) left.set(id, reason);
      await ids.deleteRecords(
        unit.trx,
        kind,
        free.filter((id) => !left.has(id)),
      );
    }
    const stays = made.flatMap(({ id, name }) => {
      const reason = left.get(id);
      return reason === undefined ? [] : [{ kind, id, name, reason }];
    });
    await store.insertLeft(unit.trx, row.id, stays);
    await store.savePlace(unit.trx, row.id, { kind, id: all.at(-1) ?? '' });
  });
}

// An import on the command line: a folder of this machine, without the queue.

/** Milliseconds between two polls of the progress. */
const POLL_MS = 500;

type RunOptions = {
  profile: ImportProfile;
  dir: string;
  isDry: boolean;
  /** As the API takes it; unchecked. */
  change: object;
  onProgress: (one: Import) => void;
};

/** Imports a folder to the end; one that was interrupted goes on. @throws Refusal */
export async function importFolder(context: ActorContext, asked: RunOptions): Promise<Import> {
  const dir = await realpath(asked.dir);
  const id = await begin(context, { ...asked, dir });
  await startImport(context, id, { dryRun: asked.isDry });
  const signal = new AbortController().signal;
  const work = workOn(context, id, { signal, before: Number.MAX_SAFE_INTEGER });
  const watching = new AbortController();
  const watched = watch(context, id, { signal: watching.signal, onProgress: asked.onProgress });
  await work.finally(() => watching.abort());
  await watched;
  return (await readImport(context, id)).import;
}

async function begin(context: ActorContext, { profile, dir, change }: RunOptions): Promise<string> {
  const interrupted = await store.findInterrupted(context.db, { profile, dir });
  if (interrupted) {
    if (interrupted.state === 'running') await stopImport(context, interrupted.id);
    return interrupted.id;
  }
  const added = (await addFolder(context, { profile, dir })).import;
  const patch = validate(ImportPatchSchema, change);
  if (Object.keys(patch).length > 0) await changeImport(context, added.id, patch);
  return added.id;
}

type ProgressWatch = { signal: AbortSignal; onProgress: (one: Import) => void };

async function watch(context: Context, id: string, { signal, onProgress }: ProgressWatch) {
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) onProgress((await readImport(context, id)).import);
  }
}

/** Problems in lines: 'matters.csv, row 4, column client_name: …' */
export async function* listProblemsOf(context: Context, id: string): AsyncGenerator<string> {
  for await (const [file, row, column, , outcome, message] of await reportOf(context, id)) {
    const place = [file, row && `row ${row}`, column && `column ${column}`].filter(Boolean);
    yield `${outcome}: ${place.join(', ')}: ${message}`;
  }
}
