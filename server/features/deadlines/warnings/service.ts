// Warnings of deadlines, until someone acknowledges them.

import type { Person } from '@matterdesk/contract/cases.ts';
import type { Context } from '../../../context.ts';
import { nowAt, type FirmClock } from '../../../core/dates.ts';
import { mapInSlices } from '../../../core/time-slices.ts';
import { listCalendarEditors } from '../../../db/audiences.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { JobRun } from '../../../jobs/queue.ts';
import { readFirm } from '../../firm/service.ts';
import { type Draft, raiseNotices } from '../../notices/service.ts';
import * as deadlines from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const WHY = 'deadlines of all matters warn; each notice reaches those who see its matter';
/** Deadlines per transaction. */
const BATCH = 500;
const IMPORTED = 'Limitations of existing matters are coming up';
type DueOutcome = rules.Outcome & { row: store.DueRow; absence: store.Absence | undefined };
type DueAct = DueOutcome & { act: rules.Act };

/**
 * Raises the warnings that are due.
 * @param signal ends it between two transactions
 */
export async function warnOfDeadlines(context: Context, { signal }: JobRun): Promise<void> {
  let found = BATCH;
  while (found === BATCH) {
    signal.throwIfAborted();
    found = await context.writer.runAsSystem(null, WHY, (unit) => warnBatch(context, unit));
  }
}

async function warnBatch(context: Context, unit: Unit): Promise<number> {
  const firm = await readFirm(context);
  const rows = await store.lockDue(unit.trx, BATCH);
  if (rows.length === 0) return 0;
  const outcomes = await mapInSlices(rows, (row) => ({ row, ...decideAbout(row, firm) }));
  const times = outcomes.flatMap(({ act }) => (act ? [act.at.getTime()] : []));
  const absences = times.length > 0 ? await absencesSince(unit, Math.min(...times)) : [];
  const done = outcomes.map((outcome): DueOutcome => {
    const at = missedAt(outcome);
    const absence = at && absences.find(({ from_at: from, to_at: to }) => from <= at && at <= to);
    return { ...outcome, absence };
  });
  const acted = done.filter((outcome): outcome is DueAct => outcome.act !== undefined);
  if (acted.length > 0)
    await raiseWarnings(context, unit, { acted, firm, isWhole: rows.length < BATCH });
  await store.saveProgress(unit.trx, done.map(toProgress));
  return rows.length;
}

async function raiseWarnings(
  context: Context,
  unit: Unit,
  { acted, firm, isWhole }: { acted: DueAct[]; firm: FirmClock; isWhole: boolean },
): Promise<void> {
  const editors = await listCalendarEditors(unit.trx);
  for (const { row, act } of acted)
    if (act.action === 'warned') await forgetAcknowledged(unit, row);
  const drafts = acted.flatMap((outcome) => draftsOf(outcome, editors));
  const day = nowAt(acted[0]?.row.now ?? new Date(), firm.timeZone).day;
  const gathered = gatherImported(drafts, { day, isWhole });
  const raised = await raiseNotices(context, unit, gathered);
  const reached = new Set(raised.map((row) => `${row.user_id} ${row.deadline_id ?? ''}`));
  const people = acted.map((outcome) =>
    peopleOf(outcome, editors).filter((id) =>
      isImported(outcome.row) ? outcome.row.has_owner : reached.has(`${id} ${outcome.row.id}`),
    ),
  );
  const names = await store.namesOf(unit.trx, [...new Set(people.flat())]);
  const entries = acted.flatMap((outcome, index) => {
    const named = people[index]
      ?.map((id) => names.get(id))
      .filter((person) => person !== undefined);
    return entriesOf(outcome, named ?? []);
  });
  await deadlines.insertEntries(unit.trx, entries);
}

/** The instant at which an act was due, unless the deadline was added or moved only afterwards. */
function missedAt({ row, act, progress }: Omit<DueOutcome, 'absence'>): Date | undefined {
  const isNew = progress.about !== row.about;
  return act && isNew && act.at < row.updated_at ? undefined : act?.at;
}

/** History names everyone who receives a notice. An imported date begins none while it reaches no one. */
function entriesOf({ row, act, absence }: DueAct, people: Person[]) {
  // An import can be undone until a history begins.
  if (isImported(row) && people.length === 0) return [];
  const off = absence && { from: absence.from_at, to: absence.to_at };
  return [
    ...(off ? [{ row, entry: { by: null, action: 'serverOff', to: off } }] : []),
    { row, entry: { by: null, action: act.action, to: { days: act.days, people } } },
  ];
}

function decideAbout(row: store.DueRow, firm: FirmClock): rules.Outcome {
  const warned: rules.WarnedDeadline = {
    date: row.effective_date,
    dueAt: row.due_at,
    isOpen: row.status === 'open',
    hard: row.hard,
    isSilent: isImported(row),
    warnDays: row.warn_days,
    isAcknowledged: row.acknowledged_at !== null,
    owner: row.owner_id,
    hasOwner: row.has_owner,
    hasSecond: row.has_second,
  };
  return rules.decide(warned, row, { now: row.now, firm });
}

/** Imported and unverified. */
function isImported(row: store.DueRow): boolean {
  return row.imported && row.verified_at === null;
}

function absencesSince(unit: Unit, time: number) {
  return store.listAbsences(unit.trx, new Date(time));
}

function toProgress({ row, progress, lookAt }: DueOutcome): store.SavedProgress {
  const { about, warned_days, warned_at, step, repeated_on } = progress;
  return { deadline_id: row.id, about, warned_days, warned_at, step, repeated_on, look_at: lookAt };
}

/** Each warning of a hard deadline is acknowledged by itself. */
async function forgetAcknowledged(unit: Unit, row: store.DueRow): Promise<void> {
  if (!row.hard || !row.acknowledged_at) return;
  const change = { acknowledged_by: null, acknowledged_at: null };
  const after = await deadlines.updateDeadline(unit.trx, row.id, change);
  unit.emit('deadline.updated', deadlines.toDeadline(after));
}

function peopleOf({ row, act }: DueAct, editors: string[]): string[] {
  const { owner_id: owner, second_id: second } = row;
  const byAudience = { owner: [owner], second: [second], editors };
  const ids = act.to.flatMap((audience): (string | null)[] => byAudience[audience]);
  return [...new Set(ids)].filter((id): id is string => id !== null);
}

type WarningDraft = Draft & { isImported: boolean };

function draftsOf(outcome: DueAct, editors: string[]): WarningDraft[] {
  const { row, act, absence } = outcome;
  // 'Due in 16 days' counts from the notice, which is never older than its deadline.
  const at = missedAt(outcome) ?? row.now;
  return peopleOf(outcome, editors).map((user_id) => ({
    user_id,
    case_id: row.case_id,
    event_id: null,
    deadline_id: row.id,
    type: act.action === 'warned' ? 'warning' : 'escalation',
    subject: `${act.action} ${row.id} ${act.key}`,
    title: titleOf(row, act),
    body: '',
    at,
    missed: absence !== undefined,
    isImported: isImported(row),
  }));
}

function titleOf({ title }: store.DueRow, { action, days }: rules.Act): string {
  if (action === 'overdue') return `Overdue: ${title}`;
  const warning = `${title} ${rules.dueInWords(days)}`;
  return action === 'warned' ? warning : `Not acknowledged: ${warning}`;
}

/** Gathers imported dates into one notice per person and day, however many transactions raise them. */
function gatherImported(
  drafts: WarningDraft[],
  { day, isWhole }: { day: string; isWhole: boolean },
): Draft[] {
  const imported = drafts.filter(({ isImported }) => isImported);
  const own = drafts.filter(({ isImported }) => !isImported);
  const byUser = Map.groupBy(imported, ({ user_id: id }) => id);
  const gathered = [...byUser.values()].flatMap(([first, ...others]): Draft[] => {
    if (!first) return [];
    const one = { ...first, subject: `imported ${day}` };
    if (others.length === 0 && isWhole) return [one];
    return [{ ...one, case_id: null, deadline_id: null, title: IMPORTED }];
  });
  return [...own, ...gathered];
}

type SeenNotice = { deadline_id: string | null; title: string };

/** Records that someone saw a notice in the deadline's history. */
export async function recordSeenNotice(
  unit: Unit,
  actor: { id: string },
  row: SeenNotice,
): Promise<void> {
  if (row.deadline_id === null) return;
  const deadline = await deadlines.lockDeadline(unit.trx, row.deadline_id);
  if (!deadline) return;
  const entry = { by: actor.id, action: 'noticed', to: { title: row.title } };
  await deadlines.insertEntry(unit.trx, deadline, entry);
}
