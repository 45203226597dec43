import type { Due } from '@matterdesk/contract/task-lists.ts';
import { daysBetween, distanceInWords, formatDay, localDay } from '../../ui/days.ts';

export type Group = { due: Due; title: string; most: number };

/** The groups of a list in their order, and how many tasks each shows at first. */
export const groups: readonly Group[] = [
  { due: 'late', title: 'Late', most: 20 },
  { due: 'today', title: 'Today', most: 20 },
  { due: 'week', title: 'This week', most: 20 },
  { due: 'later', title: 'Later', most: 5 },
  { due: 'done', title: 'Done', most: 5 },
];

/** What a group says at its right: an order, a day, or nothing. */
export function groupAside(due: Due, today: string): string {
  if (due === 'late') return 'oldest first';
  if (due === 'today') return formatDay(today, 'long');
  return due === 'week' ? `until ${formatDay(dayAfter(today, 6), 'long')}` : '';
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

type Ending = { words: string; distance: string; tone: 'late' | 'soon' | 'later' };

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const HOUR = 3_600_000;

/** 'Mon, Nov 16' and '4 days late', '1:00 PM' and 'in 2 hours', 'Fri, Dec 4'. */
export function endingInWords(endTime: string, now: Date): Ending {
  const end = new Date(endTime);
  const today = localDay(now);
  const day = localDay(end);
  const left = daysBetween(today, day);
  const words = formatDay(day, day.slice(0, 4) === today.slice(0, 4) ? 'weekday' : 'list');
  if (left < 0) return { words, distance: distanceInWords(left), tone: 'late' };
  if (left > 0) return { words, distance: '', tone: 'later' };
  const hours = Math.floor((end.getTime() - now.getTime()) / HOUR);
  if (hours < 0) return { words: time.format(end), distance: 'late', tone: 'late' };
  const distance =
    hours === 0 ? 'within the hour' : `in ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return { words: time.format(end), distance, tone: 'soon' };
}

/** '7 need you this week', and what is late. */
export function needsInWords(counts: Record<Exclude<Due, 'done'>, number>): string {
  const needed = counts.late + counts.today + counts.week;
  if (needed === 0) return 'Nothing is due this week';
  return needed === 1
    ? '1 is due this week'
    : `${needed.toLocaleString('en-US')} are due this week`;
}
