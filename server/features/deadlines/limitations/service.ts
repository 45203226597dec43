// The limitation of each case, which follows its SOL.

import { randomUUID } from 'node:crypto';
import type { Person } from '@matterdesk/contract/cases.ts';
import { mapInSlices } from '../../../core/slices.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import * as rules from '../rules.ts';
import { proposeChain } from '../chains/service.opening.ts';
import * as deadlines from '../store.ts';
import { reportMove } from './service.news.ts';
import * as store from './store.ts';
import type { ActorContext, Context } from '../../../context.ts';
import { readFirm } from '../../firm/service.ts';

/** What a limitation mirrors of its case. */
export type LimitedCase = { id: string; SOL: string; assignedUsers: Pick<Person, 'id'>[] };

/** Cases of one transaction of the migration. */
const PIECE = 5000;
const WHY = 'every case has its limitation';

/** For a new case, in its transaction; the event of the case is that of its limitation too. */
export async function openLimitation(
  context: ActorContext,
  unit: Unit,
  matter: LimitedCase,
): Promise<void> {
  const { timeZone } = await readFirm(context);
  const owner = matter.assignedUsers[0]?.id ?? context.actor.id;
  const by = { owner_id: owner, author_id: context.actor.id, dated_by: context.actor.id };
  const row = { ...toRow(matter, timeZone), ...by, id: randomUUID() };
  await deadlines.addDeadline(unit.trx, row);
  const entry = { by: context.actor.id, action: 'created', to: rules.momentOf(row) };
  await deadlines.insertEntry(unit.trx, row, entry);
}

/** For a locked case whose SOL has changed; the earlier date rules until someone verifies the new one. */
export async function followLimitationChange(
  context: ActorContext,
  unit: Unit,
  { before, after }: { before: LimitedCase; after: LimitedCase },
): Promise<void> {
  const row =
    (await deadlines.lockLimitation(unit.trx, before.id)) ??
    (await importLimitation(context, unit, before));
  if (!row || row.date === after.SOL) return;
  const change = rules.followed(row, after.SOL, context.actor.id);
  const derived = rules.derived({ ...row, ...change });
  const moved = await deadlines.updateDeadline(unit.trx, row.id, { ...change, ...derived });
  const [from, to] = [rules.momentOf(row), rules.momentOf(moved)];
  const reason = 'The SOL of the case changed';
  await deadlines.insertEntry(unit.trx, row, {
    by: context.actor.id,
    action: 'moved',
    from,
    to,
    reason,
  });
  unit.emit('deadline.updated', deadlines.toDeadline(moved));
  await reportMove(context, unit, { before: row, after: moved, by: context.actor.id });
  await proposeChain(unit, { before: row, after: moved, by: context.actor.id });
}

async function importLimitation(context: Context, unit: Unit, matter: LimitedCase) {
  await importLimitations(context, unit, [matter]);
  return deadlines.lockLimitation(unit.trx, matter.id);
}

/** For cases that came from elsewhere: silent until someone verifies the date. */
export async function importLimitations(
  context: Context,
  unit: Unit,
  matters: LimitedCase[],
): Promise<void> {
  const { timeZone } = await readFirm(context);
  const rows = await mapInSlices(matters, (matter) => ({
    ...toRow(matter, timeZone),
    id: randomUUID(),
    owner_id: matter.assignedUsers[0]?.id ?? null,
    imported: true,
  }));
  await store.insertImported(unit.trx, rows);
}

/** Gives each case without a limitation its own, in pieces, each of which stays if the next one fails. */
export async function importMissingLimitations(
  context: Context,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const found = await context.writer.runAsSystem(null, WHY, async (unit) => {
      const cases = await store.listUnlimited(unit.trx, PIECE);
      if (cases.length > 0) await importLimitations(context, unit, cases);
      return cases.length;
    });
    if (found < PIECE) return;
  }
}

function toRow({ id, SOL: date }: LimitedCase, time_zone: string) {
  const dated = { date, time: null, time_zone, floor_date: null, pending: null };
  const kind = 'limitation' as const;
  return {
    ...dated,
    ...rules.derived(dated),
    ...rules.undated,
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
    warn_days: rules.warnDaysOf({ kind, hard: true }),
  };
}
