import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Flag from 'lucide-react/icons/flag';
import { paths } from '../core/paths.ts';
import { useResource } from '../core/use-resource.ts';
import { calendarWindow } from '../features/calendar/api.ts';
import { kindLabels } from '../features/calendar/rules.ts';
import { formatDay, localDay, useToday } from '../ui/days.ts';
import { type Find, matchingBeyond } from './palette-finds.ts';

const DAY_MS = 86_400_000;
/** Days before and after today that are searched. */
const [BACK, AHEAD] = [30, 330];
const KINDS = [...Object.keys(kindLabels), 'deadline'].join(',');

/** Events and deadlines of the last weeks and of the year ahead, the next ones first. @param search null for none */
export function useCalendarFinds(search: string | null, most: number) {
  const today = useToday();
  const day = (days: number) =>
    new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
  const query = search === null ? null : { from: day(-BACK), to: day(AHEAD), search, kinds: KINDS };
  const { data } = useResource(calendarWindow, query);
  const items = data?.items ?? [];
  const isAhead = (item: CalendarItem) => dayOf(item) >= today;
  const ordered = [
    ...items.filter(isAhead),
    ...items.filter((item) => !isAhead(item)).toReversed(),
  ];
  const finds = ordered.slice(0, most).map(toFind);
  return { finds, matching: matchingBeyond(finds.length, items.length) };
}

function dayOf({ allDay, start }: CalendarItem): string {
  return allDay ? start : localDay(new Date(start));
}

function toFind(item: CalendarItem): Find {
  const day = dayOf(item);
  const isDeadline = item.type === 'deadline';
  return {
    label: item.title,
    note: [item.case?.caseName, isDeadline ? 'Deadline' : 'Event'].filter(Boolean).join(' · '),
    aside: formatDay(day, 'list'),
    icon: isDeadline ? Flag : CalendarDays,
    to: isDeadline
      ? `${paths.calendar}?view=deadlines&deadline=${item.id}`
      : paths.event(item.id, day),
  };
}
