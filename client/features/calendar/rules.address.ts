import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { paths } from '../../core/paths.ts';

/** The page of an item; null for events, which open in place. */
export function addressOf(item: CalendarItem): string | null {
  if (item.type === 'event') return null;
  if (item.type === 'deadline') return `${paths.calendar}?view=deadlines&deadline=${item.id}`;
  const caseId = item.case?.id ?? '';
  return item.type === 'task' ? paths.tasksOf(caseId) : paths.caseDetails(caseId);
}
