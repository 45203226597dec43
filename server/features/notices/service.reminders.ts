// Turns reminders that are due into notices.

import { type Context, hook } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { JobRun } from '../../jobs/queue.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { publishNotices, raiseNotices } from './service.ts';
import * as store from './store.ts';

const WHY = 'reminders of all matters fall due; each reaches those who see its matter';
/** Reminders per transaction. */
const BATCH = 2000;

/** Due reminders were raised; features raise their own notices now. */
export const remindersRaised = hook<[running: JobRun]>();

/**
 * Raises due reminders and snoozed notices, then those of the features that listen.
 * @param signal ends it between two transactions
 */
export async function raiseDueNotices(context: Context, { signal }: JobRun): Promise<void> {
  await store.recordHeartbeat(context.db);
  await repeatWhileFull(context, signal, (unit) => updateReminders(context, unit));
  await repeatWhileFull(context, signal, (unit) => raiseDue(context, unit));
  await repeatWhileFull(context, signal, wakeSnoozed);
  await remindersRaised.run(context, { signal });
}

/** Runs transactions until one finds less than a batch. */
async function repeatWhileFull(
  context: Context,
  signal: AbortSignal,
  work: (unit: Unit) => Promise<number>,
): Promise<void> {
  let found = BATCH;
  while (found === BATCH) {
    signal.throwIfAborted();
    found = await context.writer.runAsSystem(null, WHY, work);
  }
}

/** Computes reminders of all-day events again after the firm's morning changed. */
async function updateReminders(context: Context, { trx }: Unit): Promise<number> {
  const firm = await readFirm(context);
  const by = rules.reminderBasis(firm);
  const found = await store.listOutdatedReminders(trx, by, BATCH);
  const updated = found.map(({ id, day, minutes }) => ({
    id,
    fire_at: rules.dueBefore(day, minutes, firm),
  }));
  if (updated.length > 0) await store.updateReminders(trx, by, updated);
  return found.length;
}

async function raiseDue(context: Context, unit: Unit): Promise<number> {
  const { taken, due } = await store.takeDueReminders(unit.trx, BATCH);
  const drafts = due.flatMap((reminder) =>
    reminder.people.map((user_id) => draftOf(reminder, user_id)),
  );
  const { single, many } = rules.gatherMissed(drafts);
  await raiseNotices(context, unit, [...single, ...[...many.values()].map(summaryOf)]);
  return taken;
}

async function wakeSnoozed(unit: Unit): Promise<number> {
  const woken = await store.wakeSnoozed(unit.trx, BATCH);
  publishNotices(unit, woken);
  return woken.length;
}

function draftOf(reminder: store.DueReminder, user_id: string): store.Draft {
  const { event_id, case_id, title, at, missed } = reminder;
  return {
    user_id,
    case_id,
    event_id,
    deadline_id: null,
    type: 'reminder',
    subject: `reminder ${event_id} ${at.toISOString()}`,
    title,
    body: '',
    at,
    missed,
  };
}

/** Replaces many missed reminders. Names no matter, as its user may lose access. */
function summaryOf(missed: store.Draft[]): store.Draft {
  const [first] = missed;
  const last = missed.at(-1);
  if (!first || !last) throw new Error('a summary of nothing');
  return {
    ...last,
    case_id: null,
    event_id: null,
    subject: `missed ${first.at.toISOString()} ${last.at.toISOString()} ${missed.length}`,
    title: `${missed.length} reminders were missed while the server was off`,
  };
}
