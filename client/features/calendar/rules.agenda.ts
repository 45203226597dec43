import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { formatTime } from '../../core/words.ts';
import { localDay, formatDay } from '../../ui/days.ts';
import { daysOf, isClosed, timeOf } from './rules.ts';

/** Open overdue deadlines, then everything that has not ended, soonest first. */
export function nextDates(items: readonly CalendarItem[], now: Date): CalendarItem[] {
  const today = localDay(now);
  return items.filter((item) => {
    if (isClosed(item) || item.type === 'caseDate') return false;
    if (item.type === 'deadline') return true;
    return item.allDay ? daysOf(item)[1] >= today : new Date(item.end) >= now;
  });
}

/** The day that a list shows for an item: today while it lasts. */
export function shownDay(item: CalendarItem, today: string): string {
  const [first, last] = daysOf(item);
  return first < today && last >= today ? today : first;
}

/** In order of the days they show, late ones first. */
export function inShownOrder(items: readonly CalendarItem[], today: string): CalendarItem[] {
  const keyOf = (item: CalendarItem) => {
    const day = shownDay(item, today);
    const isTimed = item.type === 'event' && !item.allDay && daysOf(item)[0] === day;
    return `${day}${isTimed ? item.start : ''}`;
  };
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ item }) => item);
}

/** Open deadlines among them, without limitations, which the matter's own date shows. */
export function stillOverdue(items: readonly CalendarItem[]): CalendarItem[] {
  return items.filter(
    (item) => item.type === 'deadline' && item.kind !== 'limitation' && !isClosed(item),
  );
}

/** An item as the list of a day names it. */
export type DayEntry = { item: CalendarItem; time: string; note: string; isHard: boolean };

/**
 * A day's limitations and deadlines, then what takes the whole day, then the rest by time, then tasks that go on, those
 * due soonest first.
 */
export function entriesOfDay(
  { own, deadlines }: { own: readonly CalendarItem[]; deadlines: readonly CalendarItem[] },
  day: string,
): DayEntry[] {
  const mine = new Set(own.map(({ id }) => id));
  const limitations = deadlines.filter(({ kind, id }) => kind === 'limitation' && !mine.has(id));
  return [...limitations, ...own]
    .filter((item) => !isClosed(item) && item.type !== 'caseDate')
    .map((item) => ({ entry: toEntry(item, day), order: orderOf(item, day) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ entry }) => entry);
}

function toEntry(item: CalendarItem, day: string): DayEntry {
  const matter = item.case?.caseName ?? '';
  const isHard = item.type === 'deadline' && item.hard;
  if (item.type !== 'task') return { item, time: timeOf(item, day).main, note: matter, isHard };
  const [first, last] = daysOfWork(item);
  // Work that goes on has no time on the days between.
  const isBetween = last !== day && first !== day;
  const time = isBetween ? 'Task' : formatTime(first === day ? item.start : item.end);
  const until = last === day ? 'Due' : `Until ${formatDay(last, 'short')}`;
  const note = first === day ? matter : `${until} · ${matter}`;
  return { item, time, note, isHard };
}

function orderOf(item: CalendarItem, day: string): string {
  if (item.type === 'deadline') return `0${item.hard ? 0 : 1}`;
  if (item.allDay) return '1';
  if (item.type !== 'task') return `2${item.start}`;
  const [first, last] = daysOfWork(item);
  if (first === day) return `2${item.start}`;
  return last === day ? `2${item.end}` : `3${item.end}`;
}

function daysOfWork({ start, end }: CalendarItem): [string, string] {
  return [localDay(new Date(start)), localDay(new Date(end))];
}
