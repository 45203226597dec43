// The times of events: days, wall times and instants.

import { Temporal } from 'temporal-polyfill';
import {
  addDays,
  LAST_DAY,
  endOfDay,
  instantOf,
  nowAt,
  startOfDay,
  wallTime,
} from '../../core/dates.ts';
import { MINUTE_MS } from '../../core/durations.ts';

/** The times of an event as they are stored. */
export type Times = {
  all_day: boolean;
  wall_start: string;
  wall_end: string;
  time_zone: string;
  starts_at: Date | null;
  ends_at: Date | null;
  first_day: string | null;
  last_day: string | null;
};

/** Times on the wire: days for all-day events, else instants. */
export type WireTimes = { allDay: boolean; start: string; end: string; timeZone: string };

export function toTimes({ allDay, start, end, timeZone }: WireTimes): Times {
  if (allDay) return daysOf({ wall_start: start, wall_end: end, time_zone: timeZone });
  return {
    all_day: false,
    wall_start: wallTime(start, timeZone),
    wall_end: wallTime(end, timeZone),
    time_zone: timeZone,
    starts_at: new Date(start),
    ends_at: new Date(end),
    first_day: null,
    last_day: null,
  };
}

type Wall = Pick<Times, 'wall_start' | 'wall_end' | 'time_zone'>;

function daysOf(wall: Wall): Times {
  const { wall_start: first_day, wall_end: last_day } = wall;
  return { ...wall, all_day: true, starts_at: null, ends_at: null, first_day, last_day };
}

/** Length of an event by wall clock, so that all occurrences of a series end at the same time of day. */
export type Span = { allDay: boolean; lasts: Temporal.Duration; timeZone: string };

export function spanOf({ all_day: allDay, ...times }: Times): Span {
  const { wall_start: start, wall_end: end, time_zone: timeZone } = times;
  const lasts = allDay
    ? Temporal.PlainDate.from(start).until(end)
    : Temporal.PlainDateTime.from(start).until(end, { largestUnit: 'day' });
  return { allDay, lasts, timeZone };
}

/** The times of an occurrence that starts at a wall time. */
export function timesAt(wall: string, span: Span): Times {
  const { allDay, lasts, timeZone: time_zone } = span;
  if (allDay) {
    const wall_end = Temporal.PlainDate.from(wall).add(lasts).toString();
    return daysOf({ wall_start: wall, wall_end, time_zone });
  }
  const wall_end = Temporal.PlainDateTime.from(wall).add(lasts).toString();
  return timesOf({ wall_start: wall, wall_end, time_zone });
}

/** The instants of wall times. The end is never before the start. */
export function timesOf(wall: Wall): Times {
  const starts_at = instantOf(wall.wall_start, wall.time_zone);
  const ends_at = instantOf(wall.wall_end, wall.time_zone);
  return {
    ...wall,
    all_day: false,
    starts_at,
    ends_at: ends_at < starts_at ? starts_at : ends_at,
    first_day: null,
    last_day: null,
  };
}

/** The day of a wall time. */
export function dayOf(wall: string): string {
  return wall.slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(dayOf(from)).until(dayOf(to)).days;
}

/** The last day on which an occurrence can start, so that its times are written with years of four digits. */
export function lastStart({ allDay, lasts }: Span): string {
  // Clocks are up to a day behind or ahead of UTC.
  const days = allDay ? lasts.days : lasts.days + 2;
  return addDays(LAST_DAY, -days);
}

/** Days of a reader, and the instants at which the first begins and the last ends. */
export type Window = { from: string; to: string; begins: Date; ends: Date };

export function windowOf({ from, to }: { from: string; to: string }, timeZone: string): Window {
  return {
    from,
    to,
    begins: startOfDay(from, timeZone),
    ends: endOfDay(to, timeZone),
  };
}

/** A window cut after an instant, or up to a day later; it still has all items that begin by the instant. */
export function narrowWindow<W extends Window>(window: W, until: Date, timeZone: string): W {
  const { from, to, begins, ends } = window;
  const end = Math.max(until.getTime(), begins.getTime()) + MINUTE_MS;
  // A day later, since a deadline's day may begin earlier elsewhere.
  const day = addDays(nowAt(until, timeZone).day, 1);
  const last = day < from ? from : day;
  return { ...window, to: last < to ? last : to, ends: new Date(Math.min(end, ends.getTime())) };
}

/** The last day of an all-day event ends at midnight in its own zone. */
export function hasEnded(
  {
    ends_at: end,
    last_day: last,
    time_zone: zone,
  }: Pick<Times, 'ends_at' | 'last_day' | 'time_zone'>,
  now: Date,
) {
  return end ? end <= now : (last ?? '') < nowAt(now, zone).day;
}
