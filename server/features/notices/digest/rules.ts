import type { Digest } from '@matterdesk/contract/dashboard.ts';
import { morningOf, nowAt, type FirmClock } from '../../../core/dates.ts';

/** A day's digest is useless later. */
const EVENING = '18:00';
const SATURDAY = 6;

/** A day whose digest is due, and when it became due. */
export type DigestDay = { day: string; at: Date; isWorkday: boolean };

/** Undefined before the morning and in the evening. */
export function dueDigest(now: Date, firm: FirmClock): DigestDay | undefined {
  const { day, time } = nowAt(now, firm.timeZone);
  const at = morningOf(day, firm);
  if (at > now || time >= EVENING) return undefined;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { day, at, isWorkday: weekday > 0 && weekday < SATURDAY };
}

export function isAnythingDue({ items, deadlines, tasks }: Digest): boolean {
  return items + deadlines + tasks > 0;
}

export function titleOf({ items, deadlines, tasks, waiting }: Digest): string {
  const parts = [
    counted(items, 'event', 'events'),
    counted(deadlines, 'deadline', 'deadlines'),
    counted(tasks, 'task', 'tasks'),
    waiting > 0 ? `${waiting} waiting for you` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? `Today: ${parts.join(', ')}` : 'Nothing is due today';
}

/** The text of the mail below the title. */
export function bodyOf({ noNextDate }: Digest): string {
  return noNextDate > 0 ? `${counted(noNextDate, 'matter has', 'matters have')} no next date.` : '';
}

function counted(n: number, one: string, many: string): string {
  return n === 0 ? '' : `${n} ${n === 1 ? one : many}`;
}
