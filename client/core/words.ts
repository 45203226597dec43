// Counts, spans and moments as the screen says them: American English, but the reader's own clock.

import { daysBetween, formatDay, localDay } from '../ui/days.ts';

const numbers = new Intl.NumberFormat('en-US');
const plurals = new Intl.PluralRules('en-US');

/** '148', or '10,000+' when the count is capped. */
export function formatCount(count: number, isCapped = false): string {
  return `${numbers.format(count)}${isCapped ? '+' : ''}`;
}

/** 'person' for 1, 'people' for any other number. */
export function plural(count: number, one: string, other = `${one}s`): string {
  return plurals.select(count) === 'one' ? one : other;
}

/** '1 case', '2,000 cases'. */
export function counted(count: number, one: string, other = `${one}s`): string {
  return `${formatCount(count)} ${plural(count, one, other)}`;
}

/** '1 contact', '12,480 contacts', '10,000 or more contacts'. */
export function countedPage(
  { total, totalIsCapped }: { total: number; totalIsCapped?: true | undefined },
  one: string,
  other = `${one}s`,
): string {
  return totalIsCapped
    ? `${formatCount(total)} or more ${plural(total, one, other)}`
    : counted(total, one, other);
}

/** 'SOL', 'SOL and Judge', 'SOL, Judge, and Venue'. */
export function formatList(words: readonly string[], type: 'and' | 'or' = 'and'): string {
  return (type === 'and' ? conjunction : disjunction).format(words);
}

const conjunction = new Intl.ListFormat('en-US', { type: 'conjunction' });
const disjunction = new Intl.ListFormat('en-US', { type: 'disjunction' });

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 'caseNo' → 'Case No', 'SOL' → 'SOL', 'clientInfo.phoneNumber' → 'Client Info Phone Number'. */
export function humanize(name: string): string {
  const words = name.split('.').map(capitalize).join(' ');
  return words.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}

const distances = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** 'in 12 days', 'tomorrow', 'today', '1 day late'. */
export function distanceInWords(days: number): string {
  return days < 0 ? `${counted(-days, 'day')} late` : distances.format(days, 'day');
}

/** 'in 2 hours', 'within the hour'. */
export function hoursAhead(hours: number): string {
  return hours === 0 ? 'within the hour' : distances.format(hours, 'hour');
}

const HOUR = 60;
/** Minutes from which a length is in days. */
const TWO_DAYS = 48 * HOUR;

// Without `Intl.DurationFormat`, which the oldest supported browsers lack.
/** '52 min', '1 h 14 min', '3 days'. */
export function lengthInWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR];
  if (hours === 0) return `${rest} min`;
  if (minutes >= TWO_DAYS) return counted(Math.floor(hours / 24), 'day');
  return rest === 0 || hours >= 24 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** '45 minutes', '1 hour 30 minutes', '12 hours'. */
export function longLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR];
  const parts = [hours > 0 ? counted(hours, 'hour') : '', rest > 0 ? counted(rest, 'minute') : ''];
  return parts.filter(Boolean).join(' ');
}

// Made once, since a grid formats hundreds of times with each step of a drag.
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });

/** '10:31 AM', or '10:31' where the reader's clock has 24 hours. */
export function formatTime(at: string | Date): string {
  return clock.format(new Date(at));
}

/** 'Nov 12' this year, otherwise 'Nov 12, 2025'. */
export function shortDay(day: string, today: string): string {
  return formatDay(day, isSameYear(day, today) ? 'short' : 'list');
}

/** 'Mon, Nov 23' this year, otherwise 'Nov 23, 2025'. */
export function weekdayOf(day: string, today: string): string {
  return formatDay(day, isSameYear(day, today) ? 'weekday' : 'list');
}

/** 'Today', 'Yesterday', 'Friday, November 20', 'Thursday, November 20, 2025'. */
export function dayInWords(day: string, today: string): string {
  const ago = daysBetween(day, today);
  if (ago === 0 || ago === 1) return capitalize(distances.format(-ago, 'day'));
  const words = formatDay(day, 'long');
  return isSameYear(day, today) ? words : `${words}, ${day.slice(0, 4)}`;
}

/** The end of a row: '10:31 AM', 'Yesterday', 'Wed', 'Nov 12', 'Nov 12, 2025'; empty for no date. */
export function whenInList(at: string, today: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const day = localDay(date);
  const ago = daysBetween(day, today);
  if (ago <= 0) return formatTime(date);
  if (ago === 1) return 'Yesterday';
  return ago < 7 ? weekdays.format(date) : shortDay(day, today);
}

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'short' });

/** 'just now', '2 min ago', 'today at 9:12 AM', 'yesterday at 5:40 PM', 'Nov 12, 2026 at 8:05 AM'. */
export function momentInWords(at: string, now: Date): string {
  const then = new Date(at);
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < HOUR) return `${minutes} min ago`;
  const day = localDay(then);
  const ago = daysBetween(day, localDay(now));
  return `${ago < 2 ? distances.format(-ago, 'day') : formatDay(day)} at ${formatTime(then)}`;
}

const brief = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** 'Nov 20, 6:02 PM' */
export function briefMoment(at: string): string {
  return brief.format(new Date(at));
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** 'Nov 20, 2026, 10:42 AM'; empty for no date. */
export function fullMoment(at: string | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : full.format(date);
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'medium' });

/** The exact date and time, such as a tooltip adds to a moment. */
export function exactMoment(at: string): string {
  return exact.format(new Date(at));
}

function isSameYear(day: string, today: string): boolean {
  return day.slice(0, 4) === today.slice(0, 4);
}
