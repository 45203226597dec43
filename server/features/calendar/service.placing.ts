import { formatRecurrence, type Recurrence } from '@matterdesk/contract/recurrence.ts';
import { addDays } from '../../core/clocks.ts';
import { invalidField } from '../../core/refusal.ts';
import { mapInSlices } from '../../core/slices.ts';
import type { EventRow } from '../../db/schema-calendar.ts';
import type { Transaction } from '../../db/schema.ts';
import * as recurrences from './rules.recurrence.ts';
import * as times from './rules.times.ts';
import { findSlots, occurrencesOf, requireFew, type SeriesChange } from './service.occurrences.ts';
import * as series from './store.series.ts';
import * as store from './store.ts';

type Placement = SeriesChange & { of: series.SeriesRow; touched: EventRow[] };

/**
 * Moves the occurrences that a change touches to where its times and its rule put them. Each keeps its id, those
 * without a place are canceled, and places without an occurrence get one.
 * @returns ids of new rows
 */
export async function placeSeries(trx: Transaction, placement: Placement): Promise<string[]> {
  const { row, asked, of, touched, times: at } = placement;
  const isRuleChanged = asked.recurrence !== undefined && asked.recurrence !== of.rule;
  const [pivot] = touched;
  if (!pivot || (!isRuleChanged && !isMoved(row, at))) return [];
  if (asked.recurrence === null) return end(trx, placement);
  const days = times.daysBetween(row.slot ?? '', at.wall_start);
  const before = await series.countBefore(trx, of.id, pivot.slot ?? '');
  const rule = ruleOf(placement, before);
  const start = movedTo(pivot.slot ?? '', days, at.wall_start);
  const from = isRuleChanged ? start : recurrences.lookFrom(rule, start);
  const span = times.spanOf(at);
  const slots = await requireSlots(rule, from, { span, horizon: of.expanded_to });
  const id = await keepSeries(trx, placement, { rule, before, pivot });
  const places = new Map(
    isRuleChanged
      ? slots.map((slot) => [times.dayOf(slot), slot])
      : slots.map((slot) => [recurrences.keyOf(rule, slot), slot]),
  );
  const found = await mapInSlices(touched, (occurrence) => {
    const target = addDays(times.dayOf(occurrence.slot ?? ''), days);
    const isFirst = isRuleChanged && occurrence.id === pivot.id;
    const key = isRuleChanged ? target : recurrences.keyOf(rule, target);
    const slot = isFirst ? slots[0] : places.get(key);
    const isAlone = occurrence.is_alone && occurrence.id !== row.id;
    const moved = slot === undefined || isAlone ? undefined : times.timesAt(slot, span);
    return { occurrence, slot, isAlone, moved };
  });
  const placings: series.Placing[] = [];
  const lost: string[] = [];
  for (const { occurrence, slot, isAlone, moved } of found) {
    if (slot !== undefined && (isAlone || moved))
      placings.push({ id: occurrence.id, series_id: id, slot, times: moved });
    else if (!isAlone) lost.push(occurrence.id);
  }
  await series.placeOccurrences(trx, placings);
  if (lost.length > 0)
    await store.updateEvents(trx, lost, { cancelled_at: new Date(), isSeen: true });
  return addMissing(trx, { id, row, slots, taken: new Set(placings.map(({ slot }) => slot)) });
}

function isMoved(row: EventRow, at: times.Times): boolean {
  const members = ['all_day', 'wall_start', 'wall_end', 'time_zone'] as const;
  return members.some((member) => row[member] !== at[member]);
}

function ruleOf({ asked, of, row, times: at }: Placement, before: number): Recurrence {
  if (asked.recurrence && asked.recurrence !== of.rule)
    return recurrences.recurrenceOf(asked.recurrence);
  const rule = recurrences.shifted(
    recurrences.recurrenceOf(of.rule),
    row.slot ?? '',
    at.wall_start,
  );
  return recurrences.counted(rule, (rule.count ?? 0) - before);
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

/** What follows becomes a series of its own when there is something before it that stays as it is. */
async function keepSeries(
  trx: Transaction,
  { of, scope, asked }: Placement,
  { rule, before, pivot }: { rule: Recurrence; before: number; pivot: EventRow },
): Promise<string> {
  const is_endless = recurrences.grows(rule, of.expanded_to) && asked.cancelled !== true;
  const kept = { rule: formatRecurrence(rule), is_endless, expanded_to: of.expanded_to };
  if (scope === 'all' || before === 0) {
    await series.updateSeries(trx, of.id, kept);
    return of.id;
  }
  const ended = recurrences.endedBefore(
    recurrences.recurrenceOf(of.rule),
    times.dayOf(pivot.slot ?? ''),
  );
  await series.updateSeries(trx, of.id, { rule: formatRecurrence(ended), is_endless: false });
  return series.insertSeries(trx, kept);
}

/** The event no longer repeats: the others end. */
async function end(trx: Transaction, { row, of, touched, times: at }: Placement): Promise<[]> {
  const others = touched.filter(({ is_alone: isAlone, id }) => !isAlone && id !== row.id);
  await store.updateEvents(
    trx,
    others.map(({ id }) => id),
    { cancelled_at: new Date(), isSeen: true },
  );
  await store.updateEvents(trx, [row.id], { ...at, series_id: null, slot: null });
  await series.updateSeries(trx, of.id, { is_endless: false });
  return [];
}

type Missing = { id: string; row: EventRow; slots: string[]; taken: ReadonlySet<string> };

async function addMissing(trx: Transaction, { id, row, slots, taken }: Missing): Promise<string[]> {
  const like = { ...(await store.findRow(trx, row.id)), series_id: id };
  const rows = await occurrencesOf(like, slots, taken);
  await store.insertEvents(trx, rows);
  return rows.map((added) => added.id);
}
