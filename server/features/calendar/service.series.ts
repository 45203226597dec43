// Series: rules whose occurrences are rows.

import { randomUUID } from 'node:crypto';
import type { EventPatch, SeriesScope } from '@matterdesk/contract/calendar.ts';
import { type Recurrence, formatRecurrence } from '@matterdesk/contract/recurrence.ts';
import type { Context } from '../../context.ts';
import { addDays } from '../../core/dates.ts';
import { invalidField } from '../../core/refusal.ts';
import { mapInSlices, TimeSlices } from '../../core/time-slices.ts';
import type { EventRow, FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as recurrences from './rules.recurrence.ts';
import { MAX_OCCURRENCES, slotsOf, hasMoreAfter, recurrenceOf } from './rules.recurrence.ts';
import * as times from './rules.times.ts';
import * as rules from './rules.ts';
import { hasRemovalChanged, keepCurrent, withAskedGuests, withoutInvitations } from './rules.ts';
import { toColumns } from './service.fields.ts';
import * as store from './store.ts';

type Occurrence = NewEventRow & { id: string } & times.Times;
type SeriesChange = {
  row: FullRow;
  asked: EventPatch;
  scope: SeriesScope;
  times: times.Times;
};

const WHY = 'series and zones belong to no one';
/** Days that an endless series always reaches ahead. */
const MIN_DAYS_AHEAD = 730;
const BATCH = 500;
/** Days that an endless series reaches ahead: two years, and a month until it must be extended. */
const DAYS_AHEAD = 760;

/**
 * Inserts a series that begins with an event, in which the event has its first place.
 * @returns ids of the occurrences
 * @throws Refusal invalidInput
 */
export async function startSeries(
  trx: Transaction,
  first: Occurrence,
  rule: string,
): Promise<string[]> {
  const { id, slots } = await insertSeries(trx, first, rule);
  const like = { ...first, series_id: id };
  const rows = await occurrencesOf(like, slots, new Set([first.wall_start]));
  await store.insertEvents(trx, [{ ...first, series_id: id, slot: first.wall_start }, ...rows]);
  return [first.id, ...rows.map((row) => row.id)];
}

async function insertSeries(trx: Transaction, first: times.Times, rule: string) {
  const { wall_start: start } = first;
  const recurrence = recurrences.recurrenceOf(rule);
  const horizon = horizonOf(start);
  const slots = await findSlots(recurrence, start, { span: times.spanOf(first), horizon });
  requireFew(recurrence, slots);
  if (slots[0] !== start) throw invalidField('recurrence', 'Start must be a day of the recurrence');
  const row = {
    rule,
    is_endless: recurrences.hasMoreAfter(recurrence, horizon),
    expanded_to: horizon,
  };
  return { id: await store.insertSeries(trx, row), slots };
}

/** Changes an event, and others of its series by the scope. @returns ids of the changed rows */
export async function changeSeries(trx: Transaction, change: SeriesChange): Promise<string[]> {
  const { row, asked, scope } = change;
  const isRuleChanged = asked.recurrence !== undefined && asked.recurrence !== row.rule;
  // An occurrence that lost its place is changed like a single event.
  const isPlaced = row.slot !== null;
  if (isPlaced && scope !== 'this') return changeOccurrences(trx, change);
  if (isPlaced && isRuleChanged)
    throw invalidField('recurrence', 'Choose this and following, or all events');
  await changeRows(trx, [row], {
    ...change,
    columns: { ...change.times, is_alone: row.series_id !== null },
  });
  return asked.recurrence && !isPlaced ? makeSeries(trx, row.id, asked.recurrence) : [row.id];
}

/** Makes a series of a single event. */
async function makeSeries(trx: Transaction, id: string, rule: string): Promise<string[]> {
  const first = await store.findRow(trx, id);
  const { id: seriesId, slots } = await insertSeries(trx, first, rule);
  const placed = { series_id: seriesId, slot: first.wall_start, is_alone: false };
  await store.updateEvents(trx, [id], placed);
  const rows = await occurrencesOf({ ...first, ...placed }, slots, new Set([first.wall_start]));
  await store.insertEvents(trx, rows);
  return [id, ...rows.map((row) => row.id)];
}

async function changeRows(
  trx: Transaction,
  rows: EventRow[],
  { row, asked, columns }: Omit<SeriesChange, 'times' | 'scope'> & { columns: store.EventChange },
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const isSeen = rules.isSeenByGuests(rules.toEvent(row), asked);
  await store.updateEvents(trx, ids, { ...toColumns(asked), ...columns, isSeen });
  if (asked.guests) await keepInvitations(trx, rows, { guests: asked.guests, isSeen });
  if (asked.title ?? asked.location ?? asked.notes) await store.updateSearchText(trx, ids);
}

type InvitedGuests = { guests: NonNullable<EventPatch['guests']>; isSeen: boolean };

/** Keeps the invitations of each row's guests. */
async function keepInvitations(
  trx: Transaction,
  rows: EventRow[],
  { guests, isSeen }: InvitedGuests,
) {
  for (const { id, guests: before, sequence } of rows) {
    if (before.every(({ invited }) => invited === null)) continue;
    const kept = withAskedGuests(guests, before);
    const isNewVersion = !isSeen && hasRemovalChanged(before, kept);
    const after = isNewVersion ? keepCurrent(kept, sequence) : kept;
    await store.updateEvents(trx, [id], { guests: after, isSeen: isNewVersion });
  }
}

/** Changes the occurrences that have not ended. Those that were changed by themselves stay as they are. */
async function changeOccurrences(trx: Transaction, change: SeriesChange): Promise<string[]> {
  const { row, asked, scope } = change;
  const of = await store.lockSeries(trx, row.series_id);
  if (!of) return [];
  const all = await store.lockOccurrences(trx, of.id, scope === 'all' ? '' : (row.slot ?? ''));
  const now = new Date();
  const coming = all.filter((occurrence) => !times.hasEnded(occurrence, now));
  const following = coming.filter(({ is_alone: isAlone, id }) => !isAlone || id === row.id);
  const ids = following.map(({ id }) => id);
  await changeRows(trx, following, { ...change, columns: {} });
  if (asked.cancelled !== undefined) {
    const isGrowing = recurrences.hasMoreAfter(recurrences.recurrenceOf(of.rule), of.expanded_to);
    await store.updateSeries(trx, of.id, { is_endless: isGrowing && !asked.cancelled });
  }
  const [pivot] = coming;
  if (!pivot) return ids;
  const touched = all.slice(all.indexOf(pivot));
  return [...ids, ...(await placeSeries(trx, { ...change, of, pivot, touched, following }))];
}

/** Last day with occurrences of an endless series, always after its start. */
export function horizonOf(start: string, now = new Date()): string {
  const [today, first] = [now.toISOString().slice(0, 10), times.dayOf(start)];
  return addDays(first > today ? first : today, DAYS_AHEAD);
}

/** @throws Refusal invalidInput */
function requireFew({ count }: Recurrence, slots: string[]): void {
  const text = `A series can have at most ${MAX_OCCURRENCES} occurrences up to two years ahead`;
  if (slots.length > MAX_OCCURRENCES) throw invalidField('recurrence', text);
  if (count !== null && slots.length < count)
    throw invalidField('recurrence', 'A series must end before the year 10000');
}

/** @param horizon the last day of a series without a count */
export async function findSlots(
  recurrence: Recurrence,
  start: string,
  { span, horizon }: { span: times.Span; horizon: string },
): Promise<string[]> {
  const slices = new TimeSlices();
  const found: string[] = [];
  const last = times.lastStart(span);
  const lastDay = recurrence.count === null && horizon < last ? horizon : last;
  const { timeZone } = span;
  const search = { lastDay, timeZone, isPause: () => slices.isOver };
  for (const piece of slotsOf(recurrence, start, search)) {
    found.push(...piece);
    await slices.next();
  }
  return found;
}

/** Copies of a row at further places of its series. */
async function occurrencesOf<Row extends Occurrence>(
  like: Row,
  slots: string[],
  except: ReadonlySet<string>,
): Promise<Row[]> {
  const span = times.spanOf(like);
  const guests = withoutInvitations(like.guests);
  const rows = await mapInSlices(slots, (slot) => {
    if (except.has(slot)) return [];
    const at = times.timesAt(slot, span);
    return [{ ...like, ...at, id: randomUUID(), slot, is_alone: false, guests }];
  });
  return rows.flat();
}

type Placement = SeriesChange & {
  of: store.SeriesRow;
  /** The first that has not ended. */
  pivot: EventRow;
  /** The pivot and all after it. */
  touched: EventRow[];
  /** Those of them that change; the others stay as they are and keep their places. */
  following: EventRow[];
};

/**
 * Moves the affected occurrences to the places of the new times and rule. Each keeps its id. Those without a place are
 * canceled, and places without an occurrence get a new one.
 * @returns ids of new rows
 */
async function placeSeries(trx: Transaction, placement: Placement): Promise<string[]> {
  const { row, asked, of, pivot, touched, times: at } = placement;
  const isRuleChanged = asked.recurrence !== undefined && asked.recurrence !== of.rule;
  if (pivot.slot === null || (!isRuleChanged && !isMoved(row, at))) return [];
  if (asked.recurrence === null) return stopSeries(trx, placement);
  const days = times.daysBetween(row.slot ?? '', at.wall_start);
  const { rule, rest } = rulesOf(placement);
  const start = movedTo(pivot.slot, days, at.wall_start);
  const from = isRuleChanged ? start : recurrences.searchStartOf(rule, start);
  const span = times.spanOf(at);
  const slots = await requireSlots(rest, from, { span, horizon: of.expanded_to });
  const id = await splitSeries(trx, placement, { rule, rest, from: pivot.slot });
  const places = new Map(
    isRuleChanged
      ? slots.map((slot) => [times.dayOf(slot), slot])
      : slots.map((slot) => [recurrences.keyOf(rule, slot), slot]),
  );
  const changing = new Set(placement.following.map((occurrence) => occurrence.id));
  const found = await mapInSlices(touched, (occurrence) => {
    const target = addDays(times.dayOf(occurrence.slot ?? occurrence.wall_start), days);
    const isFirst = isRuleChanged && occurrence.id === pivot.id;
    const key = isRuleChanged ? target : recurrences.keyOf(rule, target);
    const isSought = isRuleChanged || occurrence.slot !== null;
    const slot = isFirst ? slots[0] : isSought ? places.get(key) : undefined;
    const isChanging = changing.has(occurrence.id);
    const moved = slot !== undefined && isChanging ? times.timesAt(slot, span) : undefined;
    return { id: occurrence.id, slot, isChanging, moved };
  });
  const placed: store.PlacedOccurrence[] = [];
  const taken = new Set<string>();
  const lost: string[] = [];
  for (const { id: occurrence, slot, isChanging, moved } of found) {
    const isFree = slot !== undefined && !taken.has(slot);
    if (isFree) taken.add(slot);
    if (isFree || !isChanging)
      placed.push({ id: occurrence, series_id: id, slot: isFree ? slot : null, times: moved });
    else lost.push(occurrence);
  }
  await store.placeOccurrences(trx, placed);
  // The changed event may be among the lost, and is copied before it is canceled.
  const added = await addMissing(trx, { id, row, slots, taken });
  await cancelLost(trx, lost);
  return added;
}

/** Cancels occurrences without a place. If a later rule has their days again, these get new occurrences. */
async function cancelLost(trx: Transaction, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const lost = { slot: null, is_alone: false };
  await store.updateEvents(trx, ids, { ...lost, cancelled_at: new Date(), isSeen: true });
}

function isMoved(row: EventRow, at: times.Times): boolean {
  const members = ['all_day', 'wall_start', 'wall_end', 'time_zone'] as const;
  return members.some((member) => row[member] !== at[member]);
}

/** The new rule of the series, and the rule of what remains, whose count is that of the places from the pivot on. */
function rulesOf({ asked, of, row, touched, times: at }: Placement) {
  if (asked.recurrence && asked.recurrence !== of.rule) {
    const rule = recurrences.recurrenceOf(asked.recurrence);
    return { rule, rest: rule };
  }
  const rule = recurrences.shiftRule(
    recurrences.recurrenceOf(of.rule),
    row.slot ?? '',
    at.wall_start,
  );
  const left = touched.filter(({ slot }) => slot !== null).length;
  return { rule, rest: recurrences.withCount(rule, Math.min(rule.count ?? left, left)) };
}

/** The day of a place, moved by some days, at a new time of day. */
function movedTo(slot: string, days: number, like: string): string {
  const [, time] = like.split('T');
  const day = addDays(times.dayOf(slot), days);
  return time === undefined ? day : `${day}T${time}`;
}

async function requireSlots(
  rule: Recurrence,
  start: string,
  reach: { span: times.Span; horizon: string },
): Promise<string[]> {
  const slots = await findSlots(rule, start, reach);
  requireFew(rule, slots);
  if (slots.length === 0) throw invalidField('recurrence', 'No day fits the recurrence');
  return slots;
}

/** Splits the following occurrences off as a series of their own, if earlier ones stay as they are. */
async function splitSeries(
  trx: Transaction,
  { of, scope, asked }: Placement,
  { rule, rest, from }: { rule: Recurrence; rest: Recurrence; from: string },
): Promise<string> {
  const is_endless = recurrences.hasMoreAfter(rule, of.expanded_to) && asked.cancelled !== true;
  const kept = { is_endless, expanded_to: of.expanded_to };
  if (scope === 'all' || (await store.countBefore(trx, of.id, from)) === 0) {
    await store.updateSeries(trx, of.id, { ...kept, rule: formatRecurrence(rule) });
    return of.id;
  }
  const ended = recurrences.endedBefore(recurrences.recurrenceOf(of.rule), times.dayOf(from));
  await store.updateSeries(trx, of.id, { rule: formatRecurrence(ended), is_endless: false });
  return store.insertSeries(trx, { ...kept, rule: formatRecurrence(rest) });
}

/** Stops a series: only this event stays. */
async function stopSeries(
  trx: Transaction,
  { row, of, following, times: at }: Placement,
): Promise<[]> {
  const others = following.filter(({ id }) => id !== row.id);
  await store.updateEvents(
    trx,
    others.map(({ id }) => id),
    { cancelled_at: new Date(), isSeen: true },
  );
  await store.updateEvents(trx, [row.id], { ...at, series_id: null, slot: null });
  await store.updateSeries(trx, of.id, { is_endless: false });
  return [];
}

type MissingOccurrences = {
  id: string;
  row: EventRow;
  slots: string[];
  taken: ReadonlySet<string>;
};

async function addMissing(
  trx: Transaction,
  { id, row, slots, taken }: MissingOccurrences,
): Promise<string[]> {
  const like = { ...(await store.findRow(trx, row.id)), series_id: id };
  const rows = await occurrencesOf(like, slots, taken);
  await store.insertEvents(trx, rows);
  return rows.map((added) => added.id);
}

/** Adds the occurrences that have come into reach. */
export async function extendSeries(context: Context, now = new Date()): Promise<void> {
  const reach = addDays(now.toISOString().slice(0, 10), MIN_DAYS_AHEAD);
  for (const { id } of await store.listShort(context.db, reach))
    await context.writer.runAsSystem(null, WHY, (unit) => extendOne(unit, id, now));
}

/** Computes coming instants again after the server's time zone rules changed. */
export async function updateInstants(context: Context): Promise<void> {
  const version = process.versions.tz ?? '';
  if ((await store.findVersion(context.db)) === version) return;
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    let after: string | undefined;
    do {
      const rows = await store.listUpcoming(unit.trx, { after, limit: BATCH });
      const moved = await mapInSlices(rows, (row) => {
        const { starts_at, ends_at } = times.timesOf(row);
        const isSame = +(starts_at ?? 0) === +(row.starts_at ?? 0);
        return isSame ? [] : [{ id: row.id, starts_at, ends_at }];
      });
      await store.lockSeriesOf(
        unit.trx,
        rows.map(({ id }) => id),
      );
      await store.moveInstants(unit.trx, moved.flat());
      after = rows.at(-1)?.id;
    } while (after !== undefined);
    await store.saveVersion(unit.trx, version);
  });
}

async function extendOne(unit: Unit, id: string, now: Date): Promise<void> {
  const { trx } = unit;
  const of = await store.lockSeries(trx, id);
  const last = of?.is_endless ? await store.findLast(trx, id) : undefined;
  const slot = last?.slot ?? null;
  if (!of || !last || slot === null) return store.updateSeries(trx, id, { is_endless: false });
  const horizon = horizonOf('', now);
  const recurrence = recurrenceOf(of.rule);
  const like = { ...(await store.findRow(trx, last.id)), cancelled_at: null };
  const slots = await findSlots(recurrence, slot, { span: times.spanOf(like), horizon });
  await store.insertEvents(trx, await occurrencesOf(like, slots, new Set([slot])));
  const is_endless = hasMoreAfter(recurrence, horizon);
  await store.updateSeries(trx, id, { is_endless, expanded_to: horizon });
  unit.emit('series.changed', { series: id, case: like.case_id ?? null });
}
