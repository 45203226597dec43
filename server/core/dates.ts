import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './durations.ts';

const MONTHS = 12;

/** On the wire, years have four digits: what lies beyond is the first or the last day. */
const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

function writtenDay(time: number): string {
  const text = new Date(time).toISOString();
  if (text.startsWith('+')) return LAST_DAY;
  return text < FIRST_DAY ? FIRST_DAY : text.slice(0, FIRST_DAY.length);
}

export function addDays(day: string, days: number): string {
  return writtenDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** The same day of a later or an earlier month, at most its last: January 31 and a month is February 28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const total = year * MONTHS + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(total / MONTHS), ((total % MONTHS) + MONTHS) % MONTHS];
  const last = new Date(timeOf(toYear, toMonth + 1, 0)).getUTCDate();
  return writtenDay(timeOf(toYear, toMonth, Math.min(date, last)));
}

/** `Date.UTC` takes the years before 100 for those of the last century. */
function timeOf(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month, date);
}

/** The firm's time zone, and the start of its day. */
export type FirmClock = { timeZone: string; morning: string };

/** Warnings of thousands of deadlines ask for the same days. */
const mornings = new LRUCache<string, number>({ max: 5000 });

/** The instant of a day's morning, by the rules of `instantOf` where clocks change. */
export function morningOf(day: string, { timeZone, morning }: FirmClock): Date {
  const key = `${day}T${morning} ${timeZone}`;
  const known = mornings.get(key);
  if (known !== undefined) return new Date(known);
  const found = instantOf(`${day}T${morning}`, timeZone);
  mornings.set(key, found.getTime());
  return found;
}

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days;
}

/** The day and the time of day, `HH:MM`, in a zone. */
export function nowAt(now: Date, timeZone: string): { day: string; time: string } {
  const wall = wallTime(now.toISOString(), timeZone);
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** `YYYY-MM-DDTHH:MM:SS` on the clocks of a zone. @param instant ISO 8601 */
export function wallTime(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString();
}

/** `YYYY-MM-DD HH:MM` on the clocks of a zone. @param instant ISO 8601 */
export function minuteAt(instant: string, timeZone: string): string {
  return wallTime(instant, timeZone).slice(0, 16).replace('T', ' ');
}

/** As `minuteAt`; the day alone where an import wrote no time, which is the start of the day. */
export function minuteOrDayAt(instant: string, timeZone: string): string {
  const wall = wallTime(instant, timeZone);
  return wall.endsWith('T00:00:00') ? wall.slice(0, 10) : minuteAt(instant, timeZone);
}

/**
 * The instant of a wall time. Of two instants of the same wall time it is the first; a time that clocks skip is as much
 * later as they skip.
 * @param wall `YYYY-MM-DDTHH:MM`, with or without seconds
 */
export function instantOf(wall: string, timeZone: string): Date {
  const zoned = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone, COMPATIBLE);
  return new Date(zoned.epochMilliseconds);
}

const COMPATIBLE = { disambiguation: 'compatible' } as const;

/** Whether the clocks of a zone never show a wall time. */
export function isSkipped(wall: string, timeZone: string): boolean {
  const asked = Temporal.PlainDateTime.from(wall);
  return !asked.toZonedDateTime(timeZone, COMPATIBLE).toPlainDateTime().equals(asked);
}

/** A day does not begin at midnight everywhere. @param day `YYYY-MM-DD` */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds);
}

/** A day ends when the next one begins, also the last day that is written with four digits. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  return new Date(next.toZonedDateTime(timeZone).epochMilliseconds);
}

// Dates and times as sentences and printed pages state them.

const dateFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
});

/** `Mar 3, 2027` */
export function dateInWords(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `2026-11-22 10:31 UTC` @param instant ISO 8601, in UTC */
export function minuteInUtc(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2026-11-22 10:31:04 UTC` @param instant ISO 8601, in UTC */
export function secondInUtc(instant: string): string {
  return `${instant.slice(0, 19).replace('T', ' ')} UTC`;
}
