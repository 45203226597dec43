import { useEffect, useState } from 'react';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

/** Calendar days, `YYYY-MM-DD`, without hours and time zones. */

/** The last day with a four-digit year. */
export const LAST_DAY = '9999-12-31';

/** The day of an instant in the reader's time zone. */
export function localDay(at: Date): string {
  const year = String(at.getFullYear()).padStart(4, '0');
  const month = String(at.getMonth() + 1).padStart(2, '0');
  return `${year}-${month}-${String(at.getDate()).padStart(2, '0')}`;
}

/** A day some days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

const options = {
  /** 'Feb 12, 2027' */
  list: { month: 'short', day: 'numeric', year: 'numeric' },
  /** 'Feb 12' */
  short: { month: 'short', day: 'numeric' },
  /** 'Mon, Nov 23' */
  weekday: { weekday: 'short', month: 'short', day: 'numeric' },
  /** 'Nov' */
  month: { month: 'short' },
  /** 'Friday, November 20' */
  long: { weekday: 'long', month: 'long', day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A day in words; formatted in UTC, so that no time zone shifts it. */
export function formatDay(day: string, format: keyof typeof options = 'list'): string {
  return formatOf(format).format(new Date(`${day}T00:00:00Z`));
}

const made: Partial<Record<keyof typeof options, Intl.DateTimeFormat>> = {};

/** Made once: a calendar formats thousands of days, and making one takes longer than using it. */
function formatOf(name: keyof typeof options): Intl.DateTimeFormat {
  return (made[name] ??= new Intl.DateTimeFormat('en-US', { ...options[name], timeZone: 'UTC' }));
}

/** The time, updated with each minute of the clock and when a sleeping computer wakes. */
export function useNow(): Date {
  return useClock(now, untilMinute);
}

/** The reader's day, updated at midnight and when a sleeping computer wakes. */
export function useToday(): string {
  return useClock(today, untilMidnight);
}

/** The day in a time zone, updated as the reader's is; the reader's own while the zone is not known. */
export function useDayIn(timeZone: string | undefined): string {
  return dayIn(new Date(useClock(quarter, untilMinute)), timeZone);
}

/** The day of an instant in a time zone. */
export function dayIn(at: Date, timeZone: string | undefined): string {
  return timeZone === undefined ? localDay(at) : at.toLocaleDateString('en-CA', { timeZone });
}

/** @param untilNext milliseconds until it is to be read again. Both must be the same functions on each render. */
function useClock<Time>(read: () => Time, untilNext: () => number): Time {
  const [time, setTime] = useState(read);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(update, untilNext());
    };
    const update = () => {
      clearTimeout(timer);
      setTime(read);
      wait();
    };
    wait();
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [read, untilNext]);
  return time;
}

function today(): string {
  return localDay(new Date());
}

function now(): Date {
  return new Date();
}

/** The begun quarter of an hour: in every time zone a day begins with one. */
function quarter(): number {
  return Date.now() - (Date.now() % QUARTER);
}

/** Milliseconds until the next minute of the clock. */
function untilMinute(): number {
  return MINUTE - (Date.now() % MINUTE);
}

/** Milliseconds until just after the next midnight. */
function untilMidnight(): number {
  const midnight = new Date();
  midnight.setHours(24, 0, 1, 0);
  return midnight.getTime() - Date.now();
}
