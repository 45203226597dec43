import { randomUUID } from 'node:crypto';
import type { EventPatch, Scope } from '@matterdesk/contract/calendar.ts';
import type { Recurrence } from '@matterdesk/contract/recurrence.ts';
import { invalidField } from '../../core/refusal.ts';
import { mapInSlices, Slices } from '../../core/slices.ts';
import { MOST, slotsOf } from './rules.recurrence.ts';
import { uninvited } from './rules.guests.ts';
import * as times from './rules.times.ts';
import type { FullRow, NewEventRow } from '../../db/schema-calendar.ts';

/** Days that an endless series reaches ahead: two years, and a month until it must be extended. */
const AHEAD = 760;
/** On the wire, years end with 9999. */
export const LAST_DAY = '9999-12-31';

/** Up to which day an endless series has occurrences; always past its start. */
export function horizonOf(start: string, now = new Date()): string {
  const [today, first] = [now.toISOString().slice(0, 10), times.dayOf(start)];
  const day = times.addDays(first > today ? first : today, AHEAD);
  return day.length > LAST_DAY.length || day > LAST_DAY ? LAST_DAY : day;
}

export type Occurrence = NewEventRow & { id: string } & times.Times;

/** @throws Refusal invalidInput */
export function requireFew(slots: string[]): void {
  const text = `A series can have at most ${MOST} occurrences up to two years ahead`;
  if (slots.length > MOST) throw invalidField('recurrence', text);
}

/** The places of a series up to a day. */
export async function findSlots(
  recurrence: Recurrence,
  start: string,
  lastDay: string,
): Promise<string[]> {
  const slices = new Slices();
  const found: string[] = [];
  for (const piece of slotsOf(recurrence, start, { lastDay, isPause: () => slices.isOver })) {
    found.push(...piece);
    await slices.next();
  }
  return found;
}

/** Rows like another one at further places of its series; what the clocks skip is left out. */
export async function occurrencesOf<Row extends Occurrence>(
  like: Row,
  slots: string[],
  except: ReadonlySet<string>,
): Promise<Row[]> {
  const span = times.spanOf(like);
  const guests = uninvited(like.guests);
  const rows = await mapInSlices(slots, (slot) => {
    const at = except.has(slot) ? undefined : times.timesAt(slot, span);
    return at ? [{ ...like, ...at, id: randomUUID(), slot, is_alone: false, guests }] : [];
  });
  return rows.flat();
}

export type SeriesChange = {
  row: FullRow;
  asked: EventPatch;
  scope: Scope;
  times: times.Times;
};
