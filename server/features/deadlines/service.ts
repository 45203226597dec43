// Deadlines as they are listed, read, added and edited. `service.changes.ts` has the changes that may need a second person.

import type {
  Deadline,
  DeadlinePatch,
  DeadlineWithHistory,
  NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { ID, isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { CountingRule } from '../../db/schema-deadlines.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import { requireAssignable } from '../accounts/service.ts';
import { readFirm } from '../firm/service.ts';
import { requireSource } from '../stream/service.entries.ts';
import * as rules from './rules.ts';
import {
  about,
  conflict,
  lockDeadline,
  lockDeadlineFor,
  requiresSecondPerson,
  saveDeadlineChange,
} from './service.changes.ts';
import * as list from './store.list.ts';
import * as store from './store.ts';

export type Act = rules.Act;
type Row = store.DeadlineRow;
type Person = { id: string; permissions: { editCalendar: boolean } };
/** The rule that a date was counted by. */
type CountedBy = { basis: NonNullable<Deadline['basis']>; counting: CountingRule };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE = 50;

/** One page in order of effective date, with the counts of the sections. */
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

/** Deadlines that wait for a person, and these with their overdue deadlines. */
export async function countWaitingDeadlines(
  context: Context,
  person: Person,
): Promise<list.CallCounts> {
  const { reader, db } = await readerOf(context, person);
  return list.countCalls(db, reader, TOTAL_CAP);
}

async function readerOf(context: Context, actor: Person) {
  const db = context.db.as(actor);
  const isDualControl = await requiresSecondPerson(context, db);
  return {
    db,
    reader: { id: actor.id, editsCalendar: actor.permissions.editCalendar, isDualControl },
  };
}

/** Reads a deadline and records that the reader has seen it. @throws Refusal notFound */
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
  { id, act, json }: { id: string; act: rules.Act; json: unknown },
): Promise<void> {
  const db = asActor(context);
  const row = isId(id) ? await store.findDeadline(db, id) : undefined;
  if (!row) return;
  const members = json && typeof json === 'object' ? Object.keys(json) : [];
  const isDualControl = await requiresSecondPerson(context, db);
  if (!rules.permits[act](context.actor, row, { isDualControl, members }))
    throw new Refusal('notPermitted');
}

/** @throws Refusal invalidInput for unknown people or cases, conflict for a second limitation */
export async function addDeadline(
  context: ActorContext,
  input: NewDeadline,
  once?: IdempotencyKey,
): Promise<Deadline> {
  return write(
    context,
    (unit) => insertDeadline(context, unit, { input }),
    once && { ...once, requireVisible: (trx, { id }) => requireDeadline(trx, id) },
  );
}

/** Adds a deadline in the caller's transaction, with the rule if it was counted. */
export async function insertDeadline(
  context: ActorContext,
  unit: Unit,
  { input, counted }: { input: NewDeadline; counted?: CountedBy },
): Promise<Deadline> {
  await requireKind(unit, input);
  await requireSource(unit.trx, { caseId: input.case, source: input.source });
  const isDualControl = await requiresSecondPerson(context, unit.trx);
  await requireDeadlinePeople(unit, { ...input, isDualControl });
  const time_zone = input.timeZone ?? (await readFirm(context)).timeZone;
  const row = await store.insertDeadline(
    unit.trx,
    toRow(context.actor, { ...input, time_zone, counted }),
  );
  const isWithoutSecond = input.hard && !isDualControl;
  const to = { ...rules.momentOf(row), ...(isWithoutSecond && { withoutSecond: true }) };
  await store.insertEntry(unit.trx, row, { by: context.actor.id, action: 'created', to });
  const added = store.toDeadline(row);
  await unit.record({ ...about(row), action: 'created', after: added });
  unit.emit('deadline.created', added);
  return added;
}

/** @throws Refusal invalidInput for an unknown matter */
export async function requireCaseOfDeadline(unit: Unit, caseId: string | null): Promise<void> {
  if (caseId === null || !(await store.findMatter(unit.trx, caseId)))
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

type AskedPeople = {
  owner: string | null;
  second: string | null;
  hard: boolean;
  isDualControl: boolean;
  already?: string[];
};

/** @throws Refusal invalidInput unless owner and second are two active people */
async function requireDeadlinePeople(unit: Unit, asked: AskedPeople): Promise<void> {
  const { owner, second, hard, isDualControl, already = [] } = asked;

  if (owner !== null) await requireAssignable(unit.trx, { ids: [owner], path: 'owner', already });
  if (second !== null)
    await requireAssignable(unit.trx, { ids: [second], path: 'second', already });
  else if (hard && isDualControl) throw invalidField('second', 'Please select a second person');
  if (second !== null && second === owner)
    throw invalidField('second', 'The second person must not be the owner');
}

/**
 * Changes everything but the date, and corrects a hard date that is not verified.
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
    const corrected = { ...change, ...rules.unconfirmedColumns, ...to, dated_by: context.actor.id };
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
    // A missing second stays allowed while only the owner changes.
    const isDualControl =
      patch.second !== undefined && (await requiresSecondPerson(context, unit.trx));
    await requireDeadlinePeople(unit, {
      owner,
      second,
      hard: before.hard,
      isDualControl,
      already,
    });
  }
  if (patch.warnDays && before.hard && before.warn_days.some((n) => !patch.warnDays?.includes(n)))
    throw conflict('Warnings of a hard deadline can only be added');
  await requireSource(unit.trx, { caseId: before.case_id, source: patch.source });
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

function requireCorrectable({ hard, verified_at: verifiedAt, status }: Row): void {
  if (status !== 'open') throw conflict('This deadline is not open');
  if (!hard || verifiedAt) throw conflict('Move this date with a change');
}

/** Changed columns, before and after. */
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
  const least = hard || !input.warnDays ? rules.defaultWarnings({ kind, hard }) : [];
  return {
    title,
    kind,
    hard,
    note,
    ...dated,
    ...rules.effectiveColumns(dated),
    ...rules.unconfirmedColumns,
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

/** Deadlines between two days as calendar items, by effective date. */
export async function readDeadlineItems(
  db: Scoped,
  reader: Pick<Actor, 'id' | 'permissions'>,
  query: list.CalendarQuery,
) {
  const rows = await list.listCalendarDeadlines(db, query);
  return rows.map((row) => toItem(row, reader)).filter((item) => isWithin(item, query));
}

function toItem(
  row: list.CalendarDeadline,
  { id, permissions }: Pick<Actor, 'id' | 'permissions'>,
) {
  const { owner_id: owner, second_id: second } = row;
  // A deadline without a time lasts the whole day, in any time zone.
  const allDay = rules.effectiveMoment(row).time === null;
  const at = allDay ? row.effective_date : row.due_at.toISOString();
  const proposed = rules.proposedDate(row);
  return {
    type: 'deadline' as const,
    id: row.id,
    title: row.title,
    kind: row.kind,
    caseId: row.case_id,
    people: [owner, second].filter((person) => person !== null),
    allDay,
    start: at,
    end: at,
    private: false,
    cancelled: row.status === 'vacated',
    hard: row.hard,
    status: row.status,
    canEdit: owner === id || permissions.editCalendar,
    ...(proposed !== undefined && { proposed }),
    ...(waitsForDate(row, id) && { toVerify: true as const }),
  };
}

/** Whether the reader is to enter the date again, without having seen it. */
function waitsForDate(row: list.CalendarDeadline, reader: string): boolean {
  const isUnverified = row.hard && row.status === 'open' && row.verified_at === null;
  return isUnverified && !row.imported && row.second_id === reader && row.dated_by !== reader;
}

/** Compares days of the reader for whole days, and instants for times. */
function isWithin(
  { allDay, start }: ReturnType<typeof toItem>,
  query: list.CalendarQuery,
): boolean {
  if (allDay) return start >= query.from && start <= query.to;
  return start >= query.begins.toISOString() && start < query.ends.toISOString();
}
