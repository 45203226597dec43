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

/** Open deadlines among them; of limitations from long ago the matter's own date tells. */
export function stillOverdue(items: readonly CalendarItem[]): CalendarItem[] {
  return items.filter(
    (item) => item.type === 'deadline' && item.kind !== 'limitation' && !isClosed(item),
  );
}
