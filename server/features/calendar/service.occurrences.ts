import { randomUUID } from 'node:crypto';
import type { EventPatch, Scope } from '@matterdesk/contract/calendar.ts';
import type { Recurrence } from '@matterdesk/contract/recurrence.ts';
import { addDays } from '../../core/clocks.ts';
import { invalidField } from '../../core/refusal.ts';
import { mapInSlices, Slices } from '../../core/slices.ts';
import type { FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import { uninvited } from './rules.guests.ts';
import { MOST, slotsOf } from './rules.recurrence.ts';
import * as times from './rules.times.ts';

/** Days that an endless series reaches ahead: two years, and a month until it must be extended. */
const AHEAD = 760;
/** Up to which day an endless series has occurrences; always past its start. */
export function horizonOf(start: string, now = new Date()): string {
  const [today, first] = [now.toISOString().slice(0, 10), times.dayOf(start)];
  return addDays(first > today ? first : today, AHEAD);
}

export type Occurrence = NewEventRow & { id: string } & times.Times;

/** @throws Refusal invalidInput */
export function requireFew({ count }: Recurrence, slots: string[]): void {
  const text = `A series can have at most ${MOST} occurrences up to two years ahead`;
  if (slots.length > MOST) throw invalidField('recurrence', text);
  if (count !== null && slots.length < count)
    throw invalidField('recurrence', 'A series must end before the year 10000');
}

/** @param horizon the last day of a series without a count */
export async function findSlots(
  recurrence: Recurrence,
  start: string,
  { span, horizon }: { span: times.Span; horizon: string },
): Promise<string[]> {
  const slices = new Slices();
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

/** Rows like another one at further places of its series. */
export async function occurrencesOf<Row extends Occurrence>(
  like: Row,
  slots: string[],
  except: ReadonlySet<string>,
): Promise<Row[]> {
  const span = times.spanOf(like);
  const guests = uninvited(like.guests);
  const rows = await mapInSlices(slots, (slot) => {
    if (except.has(slot)) return [];
    const at = times.timesAt(slot, span);
    return [{ ...like, ...at, id: randomUUID(), slot, is_alone: false, guests }];
  });
  return rows.flat();
}

export type SeriesChange = {
  row: FullRow;
  asked: EventPatch;
  scope: Scope;
  times: times.Times;
};
