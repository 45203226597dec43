// The limitation of each case, which follows its SOL.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewCase, Person } from '@matterdesk/contract/cases.ts';
import type { ActorContext, Context } from '../../context.ts';
import { invalidField } from '../../core/refusal.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { JobRun } from '../../jobs/queue.ts';
import { requireAssignable } from '../accounts/service.ts';
import { readFirm } from '../firm/service.ts';
import { raiseNotices } from '../notices/service.ts';
import * as rules from './rules.ts';
import { type ChangedDeadline, deadlineChanged } from './service.changes.ts';
import * as store from './store.ts';

/** The part of a case that its limitation mirrors. */
type LimitedCase = { id: string; SOL: string; assignedUsers: Pick<Person, 'id'>[] };

/** Cases per transaction. */
const BATCH = 5000;
/** Milliseconds until cases are looked at again that another transaction holds. */
const HELD_RETRY_MS = 1000;
const WHY = 'every case has its limitation';

/**
 * Adds the limitation of a new case, in its transaction. The event of the case announces it too.
 * @throws Refusal invalidInput unless owner and second are two active people
 */
export async function openLimitation(
  context: ActorContext,
  unit: Unit,
  { matter, people = {} }: { matter: LimitedCase; people: NewCase['limitation'] },
): Promise<void> {
  const { timeZone } = await readFirm(context);
  for (const name of ['owner', 'second'] as const) {
    const path = `limitation.${name}`;
    if (people[name]) await requireAssignable(unit.trx, { ids: [people[name]], path });
  }
  const owner = people.owner ?? matter.assignedUsers[0]?.id ?? context.actor.id;
  const second = people.second ?? null;
  if (second === owner)
    throw invalidField('limitation.second', 'The second person must not be the owner');
  const by = {
    owner_id: owner,
    second_id: second,
    author_id: context.actor.id,
    dated_by: context.actor.id,
  };
  const row = { ...toRow(matter, timeZone), ...by, id: randomUUID() };
  await store.addDeadline(unit.trx, row);
  const entry = { by: context.actor.id, action: 'created', to: rules.momentOf(row) };
  await store.insertEntry(unit.trx, row, entry);
}

/** Moves the limitation of a locked case whose SOL has changed. The earlier date stays in effect until someone verifies the new one. */
export async function followLimitationChange(
  context: ActorContext,
  unit: Unit,
  { before: matter, after }: { before: LimitedCase; after: LimitedCase },
): Promise<void> {
  const before =
    (await store.lockLimitation(unit.trx, matter.id)) ??
    (await importLimitation(context, unit, matter));
  if (!before || before.date === after.SOL) return;
  const by = context.actor.id;
  const change = rules.solChange(before, after.SOL, by);
  const effective = rules.effectiveColumns({ ...before, ...change });
  const moved = await store.updateDeadline(unit.trx, before.id, { ...change, ...effective });
  const [from, to] = [rules.momentOf(before), rules.momentOf(moved)];
  const entry = { by, action: 'moved', from, to, reason: 'The SOL of the case changed' };
  await store.insertEntry(unit.trx, before, entry);
  unit.emit('deadline.updated', store.toDeadline(moved));
  await deadlineChanged.run(context, unit, { before, after: moved, by });
}

async function importLimitation(context: Context, unit: Unit, matter: LimitedCase) {
  await importLimitations(context, unit, [matter]);
  return store.lockLimitation(unit.trx, matter.id);
}

/** Adds the limitations of imported cases, silent until someone verifies their dates. */
export async function importLimitations(
  context: Context,
  unit: Unit,
  matters: LimitedCase[],
): Promise<void> {
  const rows = await toImported(context, matters);
  await store.insertImportedLimitations(unit.trx, rows);
  await store.insertImportedEntries(unit.trx, rows);
}

/**
 * The same for an import that can be undone. Their histories begin with the first act of a user: what has a history is
 * never removed, and the record of the case says what was imported.
 */
export async function importUndoableLimitations(
  context: Context,
  unit: Unit,
  matters: LimitedCase[],
): Promise<void> {
  await store.insertImportedLimitations(unit.trx, await toImported(context, matters));
}

/** The given matters that can no longer be removed, since one of their deadlines has a history. */
export function findCasesWithHistory(db: Scoped, caseIds: readonly string[]): Promise<string[]> {
  return store.casesWithHistory(db, caseIds);
}

async function toImported(context: Context, matters: LimitedCase[]) {
  const { timeZone } = await readFirm(context);
  return mapInSlices(matters, (matter) => ({
    ...toRow(matter, timeZone),
    id: randomUUID(),
    owner_id: matter.assignedUsers[0]?.id ?? null,
    imported: true,
  }));
}

/** Adds the missing limitations, a transaction for each batch; waits for cases that others have locked. */
export async function importMissingLimitations(
  context: Context,
  { signal }: JobRun,
): Promise<void> {
  const hasMissing = () => store.hasCasesWithoutLimitation(context.db.asSystem(WHY));
  while (await hasMissing()) {
    const found = await context.writer.runAsSystem(null, WHY, async (unit) => {
      const cases = await store.listCasesWithoutLimitation(unit.trx, BATCH);
      if (cases.length > 0) await importLimitations(context, unit, cases);
      return cases.length;
    });
    if (found === 0) await pause(HELD_RETRY_MS, undefined, { signal });
    signal.throwIfAborted();
  }
}

function toRow({ id, SOL: date }: LimitedCase, time_zone: string) {
  const dated = { date, time: null, time_zone, floor_date: null, pending: null };
  const kind = 'limitation' as const;
  return {
    ...dated,
    ...rules.effectiveColumns(dated),
    ...rules.unconfirmedColumns,
    case_id: id,
    title: 'Statute of limitations',
    kind,
    hard: true,
    working_date: null,
    owner_id: null,
    second_id: null,
    author_id: null,
    dated_by: null,
    basis: null,
    source: null,
    warn_days: rules.defaultWarnings({ kind, hard: true }),
  };
}

/** Notifies the owner and the second of a limitation that another person moved it, or proposes to change it. */
export async function notifyOfLimitation(
  context: Context,
  unit: Unit,
  { before, after, by }: ChangedDeadline,
): Promise<void> {
  if (after.kind !== 'limitation') return;
  const isMoved = after.date !== before.date || after.time !== before.time;
  if (!isMoved && (after.pending === null || before.pending !== null)) return;
  const people = [after.owner_id, after.second_id].filter((id) => id !== null);
  const drafts = people
    .filter((id) => id !== by)
    .map((user_id) => ({
      user_id,
      case_id: after.case_id,
      event_id: null,
      deadline_id: after.id,
      type: isMoved ? ('change' as const) : ('proposal' as const),
      subject: `changed ${after.id} ${after.updated_at.toISOString()}`,
      // Leaves out the date, which the second enters from the paper.
      title: `${isMoved ? 'Moved' : 'Change proposed'}: ${after.title}`,
      body: '',
      at: after.updated_at,
      missed: false,
    }));
  await raiseNotices(context, unit, drafts);
}
