// Turns reminders that are due into notices.

import type { Context } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { publishNotices, raiseNotices } from './service.ts';
import * as reminders from './store.reminders.ts';
import * as store from './store.ts';

const WHY = 'reminders of all matters fall due; each reaches those who see its matter';
/** Reminders of one transaction. */
const BATCH = 2000;

/** @param signal ends it between two transactions */
export async function raiseDueNotices(
  context: Context,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  await reminders.beat(context.db);
  await repeatWhileFull(context, signal, (unit) => deriveReminders(context, unit));
  await repeatWhileFull(context, signal, (unit) => raiseDue(context, unit));
  await repeatWhileFull(context, signal, (unit) => wakeSnoozed(unit));
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

/** All-day events are reminded of before the firm's morning, as it is set now. */
async function deriveReminders(context: Context, { trx }: Unit): Promise<number> {
  const firm = await readFirm(context);
  const by = rules.derivation(firm);
  const found = await reminders.listUnderived(trx, by, BATCH);
  const derived = found.map(({ id, day, minutes }) => ({
    id,
    fire_at: rules.dueBefore(day, minutes, firm),
  }));
  if (derived.length > 0) await reminders.derive(trx, by, derived);
  return found.length;
}

async function raiseDue(context: Context, unit: Unit): Promise<number> {
  const { taken, due } = await reminders.takeDue(unit.trx, BATCH);
  const drafts = due.flatMap((reminder) =>
    reminder.people.map((user_id) => draftOf(reminder, user_id)),
  );
  const { alone, many } = rules.gatherMissed(drafts);
  await raiseNotices(context, unit, [...alone, ...[...many.values()].map(summaryOf)]);
  return taken;
}

async function wakeSnoozed(unit: Unit): Promise<number> {
  const woken = await store.wake(unit.trx, BATCH);
  publishNotices(unit, woken);
  return woken.length;
}

function draftOf(reminder: reminders.DueReminder, user_id: string): store.Draft {
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

/** Instead of many missed ones. It names no matter, which its person may lose. */
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
