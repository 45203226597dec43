import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { fullName } from '../../core/full-name.ts';
import { daysBetween, addDays } from '../../ui/days.ts';
import { timeInWords } from './rules.ts';

const WEEK = 7;

/** The next automatic step for a deadline; `day` is null while it waits for people. */
export type Next = { day: string | null; words: string };

/** The next warning and who is notified after the owner; undefined when there is none. */
export function nextOf(
  deadline: Deadline,
  { today, morning }: { today: string; morning: string },
): Next | undefined {
  if (deadline.status !== 'open') return undefined;
  if (deadline.imported && !deadline.verified)
    return { day: null, words: 'No warnings until someone verifies the date' };
  const { effectiveDate, warnDays, owner } = deadline;
  const who = owner ? fullName(owner) : 'everyone who edits the calendar';
  const at = timeInWords(morning);
  if (effectiveDate < today) return { day: addDays(today, 1), words: `${at}: warn ${who} again` };
  const days = warnDays.map((before) => addDays(effectiveDate, -before));
  const [day] = days.filter((each) => each > today).toSorted();
  if (day === undefined) return undefined;
  return {
    day,
    words: `${at}: warn ${who}${escalation(deadline, daysBetween(day, effectiveDate))}`,
  };
}

/** Hard deadlines escalate to the second if no one acknowledges the warning. */
function escalation({ hard, owner, second }: Deadline, left: number): string {
  if (!hard || !owner) return '';
  const hours = left === 0 ? '1 hour' : left <= WEEK ? '4 hours' : '24 hours';
  return `; after ${hours} without an answer, ${second ? fullName(second) : 'everyone who edits the calendar'}`;
}
