import type { EventPatch } from '@matterdesk/contract/calendar.ts';
import { invalidField } from '../../core/refusal.ts';
import type { EventRow } from '../../db/schema-calendar.ts';
import type { Transaction } from '../../db/schema.ts';
import { isListSeen, keptCurrent, withAskedGuests } from './rules.guests.ts';
import * as recurrences from './rules.recurrence.ts';
import * as times from './rules.times.ts';
import * as rules from './rules.ts';
import { toColumns } from './service.fields.ts';
import {
  findSlots,
  horizonOf,
  occurrencesOf,
  requireFew,
  type Occurrence,
  type SeriesChange,
} from './service.occurrences.ts';
import { placeSeries } from './service.placing.ts';
import * as series from './store.series.ts';
import * as store from './store.ts';

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
  const row = { rule, is_endless: recurrences.grows(recurrence, horizon), expanded_to: horizon };
  return { id: await series.insertSeries(trx, row), slots };
}

/** Changes one event, or of a series also others. @returns ids of the changed rows */
export async function changeSeries(trx: Transaction, change: SeriesChange): Promise<string[]> {
  const { row, asked, scope } = change;
  const isRuleChanged = asked.recurrence !== undefined && asked.recurrence !== row.rule;
  if (row.series_id !== null && scope !== 'this') return changeMany(trx, change);
  if (row.series_id !== null && isRuleChanged)
    throw invalidField('recurrence', 'Choose this and following, or all events');
  await changeRows(trx, [row], {
    ...change,
    columns: { ...change.times, is_alone: row.series_id !== null },
  });
  return asked.recurrence && row.series_id === null
    ? repeat(trx, row.id, asked.recurrence)
    : [row.id];
}

/** Makes a series of a single event. */
async function repeat(trx: Transaction, id: string, rule: string): Promise<string[]> {
  const first = await store.findRow(trx, id);
  const { id: seriesId, slots } = await insertSeries(trx, first, rule);
  const placed = { series_id: seriesId, slot: first.wall_start };
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
  if (asked.title ?? asked.location ?? asked.notes) await store.refold(trx, ids);
}

type Invited = { guests: NonNullable<EventPatch['guests']>; isSeen: boolean };

/** Guests of each row that were invited to it. */
async function keepInvitations(trx: Transaction, rows: EventRow[], { guests, isSeen }: Invited) {
  for (const { id, guests: before, sequence } of rows) {
    if (before.every(({ invited }) => invited === null)) continue;
    const kept = withAskedGuests(guests, before);
    const isNews = !isSeen && isListSeen(before, kept);
    const after = isNews ? keptCurrent(kept, sequence) : kept;
    await store.updateEvents(trx, [id], { guests: after, isSeen: isNews });
  }
}

/** What has not ended changes; what was changed alone stays as it is. */
async function changeMany(trx: Transaction, change: SeriesChange): Promise<string[]> {
  const { row, asked, scope } = change;
  const of = await series.lockSeries(trx, row.series_id);
  if (!of) return [];
  const all = await series.lockOccurrences(trx, of.id, scope === 'all' ? '' : (row.slot ?? ''));
  const now = new Date();
  const touched = all.filter((occurrence) => !times.hasEnded(occurrence, now));
  const following = touched.filter(({ is_alone: isAlone, id }) => !isAlone || id === row.id);
  const ids = following.map(({ id }) => id);
  await changeRows(trx, following, { ...change, columns: {} });
  if (asked.cancelled !== undefined) {
    const isGrowing = recurrences.grows(recurrences.recurrenceOf(of.rule), of.expanded_to);
    await series.updateSeries(trx, of.id, { is_endless: isGrowing && !asked.cancelled });
  }
  return [...ids, ...(await placeSeries(trx, { ...change, of, touched }))];
}
