// The run of an import from its beginning or from where it was interrupted: to its end, or until it is stopped.

import { type Context, write } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Attempt } from '../../jobs/queue.ts';
import { actorFor } from '../accounts/service.ts';
import type { ImportRow } from './rules.ts';
import * as rules from './rules.ts';
import { runRows, Stopped } from './service.running.ts';
import { about } from './service.ts';
import { undoRows } from './service.undoing.ts';
import * as store from './store.ts';

/** Errors in a row after which an import has failed. */
const MOST_FAILURES = 3;
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
    await work(context, row, signal);
  } catch (error) {
    if (error instanceof Stopped) return;
    if (signal.aborted) throw error;
    if (!(error instanceof Refusal)) {
      context.log.error({ err: error }, 'an import failed');
      if (before < MOST_FAILURES) throw error;
    }
    const isForUser = error instanceof Refusal && error.code !== 'unexpected';
    await fail(context, row, isForUser ? error.message : FAILED);
  }
}

async function work(shared: Context, row: ImportRow, signal: AbortSignal): Promise<void> {
  const actor = await actorFor(shared.db, row.by.id);
  if (actor?.role !== 'admin') throw new Refusal('conflict', LOST);
  // Tells the acts of the import from all others.
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
    if (writes(row)) unit.emit('import.ended', { id: row.id });
    if (row.work === 'import') await unit.record({ ...about(row.id), action: 'imported' });
    if (row.work === 'undo') await unit.record({ ...about(row.id), action: 'undone' });
  });
}

async function fail({ writer }: Context, row: ImportRow, error: string): Promise<void> {
  await writer.runAsSystem(null, WHY, async (unit) => {
    await store.endRun(unit.trx, { id: row.id, runId: row.run_id }, { state: 'failed', error });
    if (writes(row)) unit.emit('import.ended', { id: row.id });
  });
}

function writes({ work }: ImportRow): boolean {
  return work === 'import' || work === 'undo';
}
