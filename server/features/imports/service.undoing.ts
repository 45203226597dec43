// Takes an import back: what no one changed or used since is removed, and the rest is named with the reason.

import { setImmediate as others } from 'node:timers/promises';
import { type ImportKind, importKinds } from '@matterdesk/contract/import-fields.ts';
import { type ActorContext, write } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { findTouched } from '../audit/service.ts';
import type { ImportRow } from './rules.ts';
import type { Kind, Reason, Run } from './service.kinds.ts';
import { kinds, runOf, Stopped } from './service.running.ts';
import { eraseUploads } from './service.ts';
import * as ids from './store.ids.ts';
import * as store from './store.ts';

const BATCH = 200;
const CHANGED = 'It was changed or used here';

type Undoing = { context: ActorContext; row: ImportRow; run: Run; signal: AbortSignal };
type Made = { id: string; name: string };

/** @throws Stopped, or the signal's reason */
export async function undoRows(
  context: ActorContext,
  row: ImportRow,
  signal: AbortSignal,
): Promise<void> {
  const run = await runOf(context, row);
  const order = importKinds.toReversed();
  const from = row.place === null ? 0 : order.indexOf(row.place.kind);
  for (const kind of order.slice(from)) {
    const known = kinds.find((one) => one.kind === kind);
    if (known) await undoKind({ context, row, run, signal }, known);
  }
  if (row.work === 'undo')
    await write(context, async ({ trx }) => {
      await ids.deleteFound(trx, row.id);
      await eraseUploads(context, trx, row.id);
    });
}

async function undoKind(undoing: Undoing, { kind }: Kind): Promise<void> {
  const { context, row, signal } = undoing;
  let after = row.place?.kind === kind ? row.place.id : undefined;
  for (;;) {
    signal.throwIfAborted();
    const of = { importId: row.id, kind };
    const made = await ids.listMade(context.db, of, { after, limit: BATCH });
    if (made.length === 0) return;
    after = made.at(-1)?.id;
    await undoBatch(undoing, kind, made);
    await others();
  }
}

function undoBatch({ context, row, run }: Undoing, kind: ImportKind, made: Made[]): Promise<void> {
  return write(context, async (unit) => {
    if (!(await store.holdRun(unit.trx, { id: row.id, runId: row.run_id ?? '' })))
      throw new Stopped();
    const all = made.map(({ id }) => id);
    const touched = await findTouched(unit.trx, all, run.context.actor.requestId);
    const left = new Map<string, Reason>([...touched].map((id) => [id, CHANGED]));
    const free = all.filter((id) => !left.has(id));
    if (row.work === 'undo') {
      for (const [id, reason] of await remove(run, unit, { kind, free })) left.set(id, reason);
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

type Removing = { kind: ImportKind; free: readonly string[] };

async function remove(
  run: Run,
  unit: Unit,
  { kind, free }: Removing,
): Promise<Map<string, Reason>> {
  const known = kinds.find((one) => one.kind === kind);
  return known && free.length > 0 ? known.remove(run, unit, free) : new Map();
}
