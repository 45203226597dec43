import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { fullName } from '../../core/full-name.ts';
import { formatTime } from '../../core/words.ts';
import { formatDay, localDay, addDays } from '../../ui/days.ts';
import type { GridView } from './rules.views.ts';

/** When an event is: instants, or the first and the last day. */
export type Times = { allDay: boolean; start: string; end: string };

const STEP_MINUTES = 15;
const HOUR = 3_600_000;

/** The times of a span whose end is the first day after it; without an end an hour, or a day. */
export function timesOfSpan(span: { allDay: boolean; start: Date; end: Date | null }): Times {
  const { allDay, start } = span;
  if (!allDay) {
    const end = span.end ?? new Date(start.getTime() + HOUR);
    return { allDay, start: start.toISOString(), end: end.toISOString() };
  }
  const day = localDay(start);
  return { allDay, start: day, end: span.end ? addDays(localDay(span.end), -1) : day };
}

/** The same wall time some days later. */
function onLaterDay(instant: string, days: number): string {
  const at = new Date(instant);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}

function shiftTime({ allDay }: Times, time: string, by: { days: number; minutes: number }): string {
  if (allDay) return addDays(time, by.days);
  const moved = onLaterDay(time, by.days);
  return new Date(Date.parse(moved) + by.minutes * 60_000).toISOString();
}

const WEEK = 7;

/** Distance per arrow key: sideways by days; up and down by weeks in a month, otherwise by minutes. */
function strideOf(key: string, view: GridView, { allDay }: Times) {
  const sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') return { days: sign, minutes: 0 };
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  if (view === 'month') return { days: sign * WEEK, minutes: 0 };
  return allDay ? null : { days: 0, minutes: sign * STEP_MINUTES };
}

/** Moves an event, or its end, by an arrow key; null for other keys, and if it would end before it starts. */
export function movedByKey(
  times: Times,
  { key, view, isResize }: { key: string; view: GridView; isResize: boolean },
): Times | null {
  const by = strideOf(key, view, times);
  if (!by) return null;
  const start = isResize ? times.start : shiftTime(times, times.start, by);
  const end = shiftTime(times, times.end, by);
  const isEmpty = times.allDay ? end < start : end <= start;
  return isResize && isEmpty ? null : { allDay: times.allDay, start, end };
}

/** 'Tue, Nov 17, 9:30 AM – 11:30 AM'. */
export function timesInWords({ allDay, start, end }: Times): string {
  if (allDay) {
    const first = formatDay(start, 'weekday');
    return start === end ? first : `${first} – ${formatDay(end, 'weekday')}`;
  }
  const day = formatDay(localDay(new Date(start)), 'weekday');
  return `${day}, ${formatTime(start)} – ${formatTime(end)}`;
}

/** Scheduling conflicts of a moved event's people, in words; null if everyone is free. */
export function clashInWords(
  items: readonly CalendarItem[],
  moved: CalendarItem,
  { allDay, start, end }: Times,
): string | null {
  if (allDay) return null;
  const people = new Set(moved.people.map(({ id }) => id));
  for (const other of items) {
    const isElsewhere =
      other.type === 'event' && !other.allDay && !other.cancelled && other.id !== moved.id;
    if (!isElsewhere || other.start >= end || other.end <= start) continue;
    const person = other.people.find(({ id }) => people.has(id));
    if (!person) continue;
    const where = other.private ? 'busy' : `in “${other.title}”`;
    return `${fullName(person)} is ${where} until ${formatTime(other.end)}`;
  }
  return null;
}
