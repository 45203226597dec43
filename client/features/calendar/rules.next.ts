import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { localDay } from '../../ui/days.ts';
import { daysOf, isClosed } from './rules.ts';

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
