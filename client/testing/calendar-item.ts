import type { CalendarItem } from '@matterdesk/contract/calendar.ts';

/** A hearing of an hour, without a matter, that its reader may change. */
export function calendarItem(own: Partial<CalendarItem> = {}): CalendarItem {
  return {
    type: 'event',
    id: 'one',
    title: 'Hearing',
    kind: 'hearing',
    case: null,
    people: [],
    allDay: false,
    start: new Date('2027-02-03T09:00').toISOString(),
    end: new Date('2027-02-03T10:00').toISOString(),
    private: false,
    cancelled: false,
    hard: false,
    status: null,
    canEdit: true,
    ...own,
  };
}
