import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import {
  parseRecurrence,
  weekdays,
  type Recurrence,
  type Weekday,
} from '@matterdesk/contract/recurrence.ts';
import { addDays, isSkipped } from '../../core/dates.ts';
import { dayOf, daysBetween } from './rules.times.ts';

const DAYS_OF_WEEK = 7;
const LAST = -1;
/** The most occurrences of a series: a daily one of two years, and some. */
export const MAX_OCCURRENCES = 800;

/** @throws Error for what the contract refuses */
export function recurrenceOf(rule: string): Recurrence {
  const recurrence = parseRecurrence(rule);
  if (!recurrence) throw new Error(`Not a recurrence: ${rule}`);
  return recurrence;
}

/** Whether a series has more occurrences after a day. */
export function hasMoreAfter({ count, until }: Recurrence, expandedTo: string): boolean {
  return count === null && (until === null || until > expandedTo);
}

/**
 * A search until `lastDay`, which asks `isPause` after each occurrence. Wall times that the zone's clocks skip do not
 * occur.
 */
type Search = { lastDay: string; timeZone: string; isPause: () => boolean };

/**
 * Wall times of a series' occurrences, in batches between which the caller may pause. Skipped wall times are not
 * counted (RFC 5545, 3.3.10). Yields at most one more than a series may have.
 * @param start the wall time to start from, with the time of day of all occurrences
 */
export function* slotsOf(
  recurrence: Recurrence,
  start: string,
  search: Search,
): Generator<string[]> {
  let [from, known] = [start, 0];
  for (;;) {
    // Each piece begins with the last occurrence of the piece before, which counts again.
    const left = withCount(recurrence, (recurrence.count ?? 0) - Math.max(known - 1, 0));
    const { slots, isWhole } = findPiece(left, from, search);
    const more = known === 0 ? slots : slots.slice(1);
    yield more;
    known += more.length;
    if (isWhole || known > MAX_OCCURRENCES) return;
    from = more.at(-1) ?? from;
  }
}

function findPiece(recurrence: Recurrence, start: string, search: Search) {
  const { lastDay, timeZone, isPause } = search;
  const [first, time] = start.split('T');
  const last = lastOf(recurrence.until, lastDay);
  const dtstart = Temporal.PlainDate.from(first ?? '').toZonedDateTime('UTC');
  const until = Temporal.PlainDate.from(last).toZonedDateTime('UTC');
  // A day that no month has would be searched for without end.
  if (until.epochMilliseconds < dtstart.epochMilliseconds) return { slots: [], isWhole: true };
  const slots: string[] = [];
  let isWhole = true;
  ruleOf(recurrence, { dtstart, until }).all(({ year, month, day }) => {
    const slot = Temporal.PlainDate.from({ year, month, day }).toString();
    if (slot > last) return false;
    const wall = time === undefined ? slot : `${slot}T${time}`;
    if (time !== undefined && isSkipped(wall, timeZone)) return true;
    slots.push(wall);
    if (slots.length === recurrence.count) return false;
    isWhole = !(slots.length > 1 && isPause()) && slots.length <= MAX_OCCURRENCES;
    return isWhole;
  });
  return { slots, isWhole };
}

type Ends = Record<'dtstart' | 'until', Temporal.ZonedDateTime>;

function ruleOf(recurrence: Recurrence, { dtstart, until }: Ends) {
  const { frequency: freq, interval, byDay, byMonthDay } = recurrence;
  return new RRuleTemporal({
    freq,
    interval,
    dtstart,
    until,
    ...(byDay.length > 0 && { byDay: byDay.map(({ nth, day }) => `${nth ?? ''}${day}`) }),
    ...(byMonthDay.length > 0 && { byMonthDay }),
    tzid: 'UTC',
  });
}

function lastOf(until: string | null, lastDay: string): string {
  return until !== null && until < lastDay ? until : lastDay;
}

/** The rule after an occurrence moved from one day to another, and all others with it. */
export function shiftRule(recurrence: Recurrence, from: string, to: string): Recurrence {
  const days = daysBetween(from, to);
  if (days === 0) return recurrence;
  const { byDay, byMonthDay, until } = recurrence;
  const date = Temporal.PlainDate.from(dayOf(to));
  return {
    ...recurrence,
    until: until === null ? null : addDays(until, days),
    byDay: byDay.map(({ nth, day }) =>
      nth === null
        ? { nth, day: weekdayAfter(day, days) }
        : { nth: nthOf(date, nth), day: weekdayOf(date) },
    ),
    byMonthDay: byMonthDay.length === 1 ? [monthDayOf(date, byMonthDay[0])] : byMonthDay,
  };
}

function weekdayAfter(day: Weekday, days: number): Weekday {
  const index = (((weekdays.indexOf(day) + days) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  return weekdays[index] ?? day;
}

function weekdayOf(date: Temporal.PlainDate): Weekday {
  return weekdays[date.dayOfWeek - 1] ?? 'MO';
}

function nthOf(date: Temporal.PlainDate, before: number): number {
  const isLast = date.day + DAYS_OF_WEEK > date.daysInMonth;
  const nth = Math.ceil(date.day / DAYS_OF_WEEK);
  return isLast && (before === LAST || nth > 4) ? LAST : nth;
}

function monthDayOf(date: Temporal.PlainDate, before: number | undefined): number {
  return before === LAST && date.day === date.daysInMonth ? LAST : date.day;
}

/** The rule of a series that ends before a day. */
export function endedBefore(recurrence: Recurrence, day: string): Recurrence {
  return { ...recurrence, count: null, until: addDays(day, -1) };
}

/** The rule of what remains, where occurrences were counted. */
export function withCount(recurrence: Recurrence, count: number): Recurrence {
  return recurrence.count === null ? recurrence : { ...recurrence, count };
}

/**
 * Key of an occurrence wherever its day moves: the year, month or day that has at most one.
 */
export function keyOf({ frequency }: Recurrence, wall: string): string {
  if (frequency === 'YEARLY') return wall.slice(0, 4);
  return frequency === 'MONTHLY' ? wall.slice(0, 7) : dayOf(wall);
}

/**
 * Start of the search: by month, its first day, so that the month's occurrence is found on whichever day it has moved
 * to.
 */
export function searchStartOf(recurrence: Recurrence, wall: string): string {
  const hasDays = recurrence.byDay.length > 0 || recurrence.byMonthDay.length > 0;
  if (recurrence.frequency !== 'MONTHLY' || !hasDays) return wall;
  return `${wall.slice(0, 8)}01${wall.slice(10)}`;
}
