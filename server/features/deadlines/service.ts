// Deadlines: listed, read, added and changed; what takes four eyes is in `service.changes.ts`.

import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type {
  Deadline,
  DeadlinePatch,
  DeadlineWithHistory,
  NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import type { Actor } from '../../core/actor.ts';
import { ID, isId } from '../../core/ids.ts';
import type { Once } from '../../core/once.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Counting } from '../../db/schema-deadlines.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import { may, type Act } from './rules.permission.ts';
import * as rules from './rules.ts';
import {
  about,
  conflict,
  lockDeadline,
  lockDeadlineFor,
  requiresSecondPerson,
  saveDeadlineChange,
} from './service.keeping.ts';
import * as list from './store.list.ts';
import * as store from './store.ts';
import { countCalls, type Calls } from './store.waiting.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import { readFirm } from '../firm/service.ts';
import { caseExists } from '../cases/service.ts';
import { requireAssignable } from '../accounts/service.ts';

export type { Act };

type Row = store.DeadlineRow;
type Person = { id: string; permissions: { editCalendar: boolean } };
/** The rule behind a date. */
type CountedBy = { basis: NonNullable<Deadline['basis']>; counting: Counting };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE = 50;

/** One page by the date that rules, with the counts of the sections. */
export async function listDeadlines(context: ActorContext, query: list.DeadlineFilter & PageQuery) {
  const { limit = PAGE, cursor, ...filter } = query;
  const after = cursor ? readCursor(cursor, [DAY, ID]) : undefined;
  const { reader, db } = await readerOf(context, context.actor);
  const listing = { filter, reader, limit: limit + 1, after };
  const cap = TOTAL_CAP + 1;
  const [rows, total, counts] = await Promise.all([
    list.listDeadlines(db, listing),
    list.countDeadlines(db, { filter, reader, cap }),
    list.countSections(db, reader, TOTAL_CAP),
  ]);
  const keyOf = (row: Row) => [row.effective_date, row.id];
  const { page, nextCursor } = cutPage(rows, limit, keyOf);
  return { deadlines: page.map(store.toDeadline), nextCursor, ...describeTotal(total), counts };
}

/** What waits for a person, and that together with what is overdue of theirs. */
export async function countDeadlineCalls(context: Context, person: Person): Promise<Calls> {
  const { reader, db } = await readerOf(context, person);
  return countCalls(db, reader, TOTAL_CAP);
}

async function readerOf(context: Context, actor: Person) {
  const db = context.db.as(actor);
  const isDual = await requiresSecondPerson(context, db);
  return { db, reader: { id: actor.id, editsCalendar: actor.permissions.editCalendar, isDual } };
}

/** Notes that the reader has seen it. @throws Refusal notFound */
export async function readDeadline(
  context: ActorContext,
  id: string,
): Promise<DeadlineWithHistory> {
  const db = asActor(context);
  const row = await requireDeadline(db, id);
  if (!(await store.hasSeen(db, id, context.actor.id)))
    await write(context, async (unit) => {
      const locked = await lockDeadline(unit, id);
      await store.insertEntry(unit.trx, locked, { by: context.actor.id, action: 'seen' });
    });
  return { ...store.toDeadline(row), history: await store.listHistory(db, id) };
}

/** @throws Refusal notFound */
export async function requireDeadline(db: Scoped, id: string): Promise<Row> {
  const row = isId(id) ? await store.findDeadline(db, id) : undefined;
  if (!row) throw notFound('Deadline');
  return row;
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export async function requireDeadlinePermission(
  context: ActorContext,
  { id, act, json }: { id: string; act: Act; json: unknown },
): Promise<void> {
  const db = asActor(context);
  const row = isId(id) ? await store.findDeadline(db, id) : undefined;
  if (!row) return;
  const members = json && typeof json === 'object' ? Object.keys(json) : [];
  const isDual = await requiresSecondPerson(context, db);
  if (!may[act](context.actor, row, { isDual, members })) throw new Refusal('notPermitted');
}

/** @throws Refusal invalidInput for unknown people or cases, conflict for a second limitation */
export async function addDeadline(
  context: ActorContext,
  input: NewDeadline,
  once?: Once,
): Promise<Deadline> {
  return write(
    context,
    (unit) => addDeadlineWithin(context, unit, { input }),
    once && { ...once, again: (trx, { id }) => requireDeadline(trx, id) },
  );
}

/** Adds a deadline in someone else's transaction; a counted one says how. */
export async function addDeadlineWithin(
  context: ActorContext,
  unit: Unit,
  { input, counted }: { input: NewDeadline; counted?: CountedBy },
): Promise<Deadline> {
  await requireKind(unit, input);
  const isDual = await requiresSecondPerson(context, unit.trx);
  await requireDeadlinePeople(unit, { ...input, isDual });
  const time_zone = input.timeZone ?? (await readFirm(context)).timeZone;
  const row = await store.insertDeadline(
    unit.trx,
    toRow(context.actor, { ...input, time_zone, counted }),
  );
  const alone = input.hard && !isDual ? { withoutSecond: true } : {};
  const to = { ...rules.momentOf(row), ...alone };
  await store.insertEntry(unit.trx, row, { by: context.actor.id, action: 'created', to });
  const added = store.toDeadline(row);
  await unit.record({ ...about(row), action: 'created', after: added });
  unit.emit('deadline.created', added);
  return added;
}

/** @throws Refusal invalidInput for an unknown matter */
export async function requireCaseOfDeadline(unit: Unit, caseId: string | null): Promise<void> {
  if (caseId === null || !(await caseExists(unit.trx, caseId)))
    throw invalidField('case', 'Please select any case');
}

async function requireKind(
  unit: Unit,
  { case: caseId = null, kind, hard }: NewDeadline,
): Promise<void> {
  const isLimitation = kind === 'limitation';
  if (isLimitation || caseId !== null) await requireCaseOfDeadline(unit, caseId);
  if (isLimitation && !hard) throw invalidField('hard', 'A limitation is always hard');
  // Every case has one from its opening.
  if (isLimitation) throw conflict('This case has its limitation already');
}

/** Owner and second are active, and two people. */
async function requireDeadlinePeople(unit: Unit, asked: AskedPeople): Promise<void> {
  const { owner, second, hard, isDual, already = [] } = asked;

  if (owner !== null) await requireAssignable(unit.trx, { ids: [owner], path: 'owner', already });
  if (second !== null)
    await requireAssignable(unit.trx, { ids: [second], path: 'second', already });
  else if (hard && isDual) throw invalidField('second', 'Please select a second person');
  if (second !== null && second === owner)
    throw invalidField('second', 'The second person must not be the owner');
}

/**
 * Changes what is not the date, and corrects a hard date that is not verified.
 * @throws Refusal notFound, notPermitted, invalidInput, conflict
 */
export async function changeDeadline(
  context: ActorContext,
  id: string,
  patch: DeadlinePatch,
): Promise<Deadline> {
  const { reason, date, time, ...others } = patch;
  const after = await write(context, async (unit) => {
    const asked = { id, act: 'change' as const, members: Object.keys(patch) };
    const { before } = await lockDeadlineFor(context, unit, asked);
    const isOther = Object.keys(others).length > 0;
    const isCorrection = date !== undefined || time !== undefined;
    if (!isOther && !isCorrection) throw new Refusal('invalidInput', 'Nothing to change');
    const change = isOther ? await applyOtherChange(context, unit, { before, patch: others }) : {};
    const entries: store.NewEntry[] = [];
    if (isOther)
      entries.push({ by: context.actor.id, action: 'changed', ...compare(before, change) });
    if (!isCorrection) return saveDeadlineChange(context, unit, { before, change, entries });
    requireCorrectable(before);
    const to = { date: date ?? before.date, time: time === undefined ? before.time : time };
    const from = rules.momentOf(before);
    entries.push({ by: context.actor.id, action: 'corrected', from, to, reason });
    const corrected = { ...change, ...rules.undated, ...to, dated_by: context.actor.id };
    return saveDeadlineChange(context, unit, { before, change: corrected, entries });
  });
  return store.toDeadline(after);
}

async function applyOtherChange(
  context: Context,
  unit: Unit,
  { before, patch }: { before: Row; patch: Omit<DeadlinePatch, 'reason' | 'date' | 'time'> },
): Promise<Partial<rules.State>> {
  const owner = patch.owner ?? before.owner_id;
  const second = patch.second === undefined ? before.second_id : patch.second;
  if (patch.owner !== undefined || patch.second !== undefined) {
    const already = [before.owner_id, before.second_id].filter((id) => id !== null);
    // A missing second stays missing while only the owner changes.
    const isDual = patch.second !== undefined && (await requiresSecondPerson(context, unit.trx));
    await requireDeadlinePeople(unit, {
      owner,
      second,
      hard: before.hard,
      isDual,
      already,
    });
  }
  if (patch.warnDays && before.hard && before.warn_days.some((n) => !patch.warnDays?.includes(n)))
    throw conflict('Warnings of a hard deadline can only be added');
  return {
    ...(patch.title !== undefined && { title: patch.title }),
    ...(patch.note !== undefined && { note: patch.note }),
    ...(patch.workingDate !== undefined && { working_date: patch.workingDate }),
    ...(patch.source !== undefined && { source: patch.source }),
    ...(patch.warnDays && { warn_days: rules.sortedDays(patch.warnDays) }),
    ...(patch.second !== undefined && { second_id: second }),
    ...(owner !== before.owner_id && {
      owner_id: owner,
      acknowledged_by: null,
      acknowledged_at: null,
    }),
  };
}

type AskedPeople = {
  owner: string | null;
  second: string | null;
  hard: boolean;
  isDual: boolean;
  already?: string[];
};

function requireCorrectable({ hard, verified_at: verifiedAt, status }: Row): void {
  if (status !== 'open') throw conflict('This deadline is not open');
  if (!hard || verifiedAt) throw conflict('Move this date with a change');
}

/** The changed columns before and after. */
function compare(before: Row, change: Partial<rules.State>) {
  const names = Object.keys(change) as (keyof rules.State)[];
  return { from: Object.fromEntries(names.map((name) => [name, before[name]])), to: change };
}

function toRow(
  actor: Actor,
  input: NewDeadline & { time_zone: string; counted: CountedBy | undefined },
) {
  const { title, kind, hard, date, time, note, time_zone, counted } = input;
  const dated = { date, time, time_zone, floor_date: null, pending: null };
  const least = hard || !input.warnDays ? rules.warnDaysOf({ kind, hard }) : [];
  return {
    title,
    kind,
    hard,
    note,
    ...dated,
    ...rules.derived(dated),
    ...rules.undated,
    case_id: input.case ?? null,
    working_date: input.workingDate,
    owner_id: input.owner,
    second_id: input.second,
    author_id: actor.id,
    dated_by: actor.id,
    ...(counted ? toColumns(counted) : { basis: null }),
    source: input.source && JSON.stringify(input.source),
    warn_days: rules.sortedDays([...least, ...(input.warnDays ?? [])]),
  };
}

function toColumns({ basis, counting }: CountedBy) {
  return {
    basis: JSON.stringify(basis),
    counting: JSON.stringify(counting),
    trigger_event_id: basis.trigger.event,
    trigger_deadline_id: basis.trigger.deadline,
  };
}
