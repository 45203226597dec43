import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { counted, formatTime, lengthInWords } from '../../core/words.ts';
import { formatDay, localDay, addDays } from '../../ui/days.ts';

/** Kinds that are shown and hidden together, with their colors. */
export const groups = {
  court: { label: 'Court', kinds: ['courtDate', 'hearing', 'trial'] },
  adr: { label: 'Depositions, ADR', kinds: ['deposition', 'mediation'] },
  meeting: { label: 'Meetings', kinds: ['meeting', 'reminder', 'other'] },
  deadline: { label: 'Deadlines', kinds: [] },
  task: { label: 'Tasks', kinds: [] },
  caseDate: { label: 'Case dates', kinds: [] },
} as const;
export type Group = keyof typeof groups;
export const groupNames = Object.keys(groups) as Group[];

export const kindLabels = {
  courtDate: 'Court date',
  hearing: 'Hearing',
  trial: 'Trial',
  deposition: 'Deposition',
  mediation: 'Mediation',
  meeting: 'Meeting',
  reminder: 'Reminder',
  other: 'Other',
} as const;

export function groupOf({ type, kind }: Pick<CalendarItem, 'type' | 'kind'>): Group {
  if (type !== 'event') return type;
  const named = (['court', 'adr'] as const).find((name) =>
    groups[name].kinds.some((known) => known === kind),
  );
  return named ?? 'meeting';
}

/** The reader's days on which an item is shown; a task on the day when it is due. */
export function daysOf({ type, allDay, start, end }: CalendarItem): [string, string] {
  if (allDay) return [start, end];
  const last = new Date(end);
  if (type === 'task') return [localDay(last), localDay(last)];
  // An item that ends at midnight is not on the next day.
  if (end > start) last.setMilliseconds(last.getMilliseconds() - 1);
  return [localDay(new Date(start)), localDay(last)];
}

/** Canceled, or a deadline or task that no one has to do anything about anymore. */
export function isClosed({ cancelled, status }: CalendarItem): boolean {
  return cancelled || (status !== null && status !== 'open');
}

/** Items that are shown on some of these days. A window has tasks that run in it, too, and are due after it. */
export function shownOn(
  items: readonly CalendarItem[],
  { from, to }: { from: string; to: string },
): CalendarItem[] {
  return items.filter((item) => {
    const [first, last] = daysOf(item);
    return first <= to && last >= from;
  });
}

export type DayOfItems = { day: string; items: CalendarItem[] };

/** Days that have something, in order, each with its items. */
export function byDay(
  items: readonly CalendarItem[],
  { from, to }: { from: string; to: string },
): DayOfItems[] {
  const days = new Map<string, CalendarItem[]>();
  for (const item of items) {
    const [first, last] = daysOf(item);
    const end = last < to ? last : to;
    for (let day = first > from ? first : from; day <= end; day = addDays(day, 1)) {
      const found = days.get(day);
      if (found) found.push(item);
      else days.set(day, [item]);
    }
  }
  return [...days]
    .map(([day, found]) => ({ day, items: found.toSorted(inOrder) }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function inOrder(a: CalendarItem, b: CalendarItem): number {
  const isDeadline = ({ type }: CalendarItem) => Number(type === 'deadline');
  const takesDay = ({ allDay }: CalendarItem) => Number(allDay);
  return isDeadline(b) - isDeadline(a) || takesDay(b) - takesDay(a) || byTime(a, b);
}

/** Compares displayed times; a task counts by its due time. */
export function byTime(a: CalendarItem, b: CalendarItem): number {
  const [first, second] = [a, b].map(({ type, start, end }) => (type === 'task' ? end : start));
  return (first ?? '') < (second ?? '') ? -1 : Number(first !== second);
}

/** '45 min', '1 h', '1 h 30 min'; empty for no time. */
export function formatLength(start: string, end: string): string {
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000);
  return minutes === 0 ? '' : lengthInWords(minutes);
}

/** Time column for an item on a day. */
export function timeOf(item: CalendarItem, day: string): { main: string; note: string } {
  if (item.type === 'task') return { main: formatTime(item.end), note: 'task' };
  if (item.type === 'deadline')
    return { main: 'Due', note: item.allDay ? 'end of day' : formatTime(item.end) };
  if (item.allDay) return { main: 'All day', note: '' };
  const begins = localDay(new Date(item.start)) === day;
  const ends = localDay(new Date(item.end)) === day;
  if (begins) return { main: formatTime(item.start), note: formatLength(item.start, item.end) };
  return ends ? { main: 'until', note: formatTime(item.end) } : { main: 'All day', note: '' };
}

export function namesOf(people: readonly Person[]): string {
  return people.map(fullName).join(', ');
}

/** '3 events, 2 deadlines, 1 task'. */
export function countInWords(items: readonly CalendarItem[]): string {
  const words = (['event', 'deadline', 'task'] as const).flatMap((wanted) => {
    const count = items.filter(({ type }) => type === wanted).length;
    return count > 0 ? [counted(count, wanted)] : [];
  });
  return words.length > 0 ? words.join(', ') : 'nothing';
}

/** 'Tue, Mar 2, 2027'. */
export function fullDay(day: string): string {
  return `${formatDay(day, 'weekday')}, ${day.slice(0, 4)}`;
}

/** 'Statute of limitations, proposed Mar 20, 2030' while a change waits for another person than the reader. */
export function titleOf({ title, proposed, toVerify }: CalendarItem): string {
  return proposed === undefined || toVerify ? title : `${title}, proposed ${formatDay(proposed)}`;
}

/** The page of an item; null for events, which open in place. */
export function addressOf(item: CalendarItem): string | null {
  if (item.type === 'event') return null;
  if (item.type === 'deadline') return `${paths.calendar}?view=deadlines&deadline=${item.id}`;
  const caseId = item.case?.id ?? '';
  return item.type === 'task' ? paths.cardOf(caseId, item.id) : paths.caseDetails(caseId);
}

const units = [
  { minutes: 10_080, name: 'week' },
  { minutes: 1440, name: 'day' },
  { minutes: 60, name: 'hour' },
  { minutes: 1, name: 'minute' },
] as const;

/** '1 day before', '90 minutes before', 'At the start'. */
export function reminderInWords(minutes: number): string {
  if (minutes === 0) return 'At the start';
  const unit = units.find((known) => minutes % known.minutes === 0) ?? units[3];
  const count = minutes / unit.minutes;
  return `${counted(count, unit.name)} before`;
}
