import { Temporal } from 'temporal-polyfill';
import { instantOf, wallTime } from './zoned-time.ts';

/** What the firm calls a morning. */
export type FirmClock = { timeZone: string; morning: string };

/** The instant of a day's morning, by the rules of `instantOf` where clocks change. */
export function morningOf(day: string, { timeZone, morning }: FirmClock): Date {
  return instantOf(`${day}T${morning}`, timeZone);
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
