import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { counted } from '../../core/words.ts';
import { daysBetween, formatDay, localDay } from '../../ui/days.ts';

export type OwnTask = Overview['myTasks'][number];
export type BriefCase = Overview['limitations'][number];
/** A case of the overview; its statute date may be missing. */
export type RecentCase = Overview['recentCases'][number];

/** Days ahead for which the overview lists statutes of limitations. */
export const LIMITATION_DAYS = 90;

/** @param hour in the user's time zone, 0 to 23 */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}

/**
 * '3 tasks due today · 1 late'. A cut list, shorter than its `total`, says 'at least'.
 */
export function tasksInWords(tasks: readonly OwnTask[], total: number, today: string): string {
  const days = tasks.map((task) => daysLeft(task, today));
  const overdue = days.filter((left) => left < 0).length;
  const due = days.filter((left) => left === 0).length;
  const isCut = total > tasks.length;
  if (isCut && overdue === tasks.length) return `At least ${overdue} tasks late`;
  const least = isCut && overdue + due === tasks.length ? 'At least ' : '';
  const isDue = due === 0 ? 'No tasks due today' : `${least}${counted(due, 'task')} due today`;
  return overdue === 0 ? isDue : `${isDue} · ${overdue} late`;
}

/** Days until a task is due, in the user's time zone; negative when overdue. */
function daysLeft(task: Pick<OwnTask, 'endTime'>, today: string): number {
  return daysBetween(today, localDay(new Date(task.endTime)));
}

/** 'Today', 'Yesterday', 'Nov 12 · 8 days late', 'Mon, Nov 23'. */
export function dueInWords(task: Pick<OwnTask, 'endTime'>, today: string) {
  const left = daysLeft(task, today);
  const day = localDay(new Date(task.endTime));
  if (left === 0) return { words: 'Today', tone: 'soon' } as const;
  if (left === -1) return { words: 'Yesterday', tone: 'overdue' } as const;
  if (left < 0)
    return { words: `${formatDay(day, 'short')} · ${-left} days late`, tone: 'overdue' } as const;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4) || left < 60;
  if (left === 1) return { words: 'Tomorrow', tone: 'later' } as const;
  return { words: formatDay(day, isThisYear ? 'weekday' : 'list'), tone: 'later' } as const;
}

/** '12 days', '1 day', 'today'. */
export function daysInWords(days: number): string {
  return days === 0 ? 'today' : counted(days, 'day');
}
