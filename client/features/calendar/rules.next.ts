import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { localDay } from '../../ui/days.ts';
import { daysOf } from './rules.ts';

/** What has not ended, soonest first, after open deadlines that are overdue. */
export function nextDates(items: readonly CalendarItem[], now: Date): CalendarItem[] {
  const today = localDay(now);
  return items.filter((item) => {
    if (item.cancelled || item.type === 'caseDate') return false;
    if (item.type === 'deadline') return item.status === 'open';
    return item.allDay ? daysOf(item)[1] >= today : new Date(item.end) >= now;
  });
}
