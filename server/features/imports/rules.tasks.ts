// Tasks as other systems write them.

import { instantOf, nowAt, startOfDay } from '../../core/dates.ts';
import {
  type Clock,
  dayOf,
  hasTime,
  isMidnight,
  plainLine,
  momentOf,
  truthOf,
} from './rules.cells.ts';

const DONE = /^(?:done|completed?|closed|finished|resolved|checked)\b/i;
const OPEN =
  /^(?:open|pending|not |in ?progress|incomplete|active|new|to ?do|draft|overdue|upcoming|uncompleted)/i;
/** The last minute of a day, on which a task without a time is due. */
const LAST_MINUTE = '23:59';

/** Whether a word means done; undefined if it means neither done nor open, or is missing. */
export function isDone(word = ''): boolean | undefined {
  const written = word.trim();
  if (written === '') return undefined;
  const truth = truthOf(written);
  if (truth !== undefined) return truth;
  if (DONE.test(written)) return true;
  return OPEN.test(written) ? false : undefined;
}

/** Due at the time that is written, else at the end of the day; null for what is no date. */
export function endOf(text: string, clock: Clock): Date | null {
  if (!hasTime(text) || isMidnight(text)) {
    const day = dayOf(text, clock);
    return day === null ? null : endOfDay(day, clock);
  }
  const at = momentOf(text, clock);
  return at === null ? null : new Date(at);
}

function endOfDay(day: string, { timeZone }: Clock): Date {
  return instantOf(`${day}T${LAST_MINUTE}`, timeZone);
}

/** At the time that is written, else when the day begins; null for what is no date. */
export function startOf(text: string, clock: Clock): Date | null {
  const at = momentOf(text, clock);
  return at === null ? null : new Date(at);
}

/** The day of an instant in the firm's zone, as it begins and as its last minute. */
function dayAround(at: Date, clock: Clock): { start: Date; end: Date } {
  const { day } = nowAt(at, clock.timeZone);
  return { start: startOfDay(day, clock.timeZone), end: endOfDay(day, clock) };
}

type Times = { start: Date | null; due: Date | null; doneAt: Date | null };

/**
 * A task here begins and ends. Without a due date it ends on the day on which it was done or begins, else today; without a
 * start it begins on the day on which it ends.
 * @returns also what the task's text says of times that it does not have
 */
export function timesOf(
  { start, due, doneAt }: Times,
  { clock, now, system, written }: { clock: Clock; now: Date; system: string; written: string },
): { startTime: Date; endTime: Date; lines: string[] } {
  const endTime = due ?? dayAround(doneAt ?? start ?? now, clock).end;
  const isAfter = start !== null && start > endTime;
  const startTime = start && !isAfter ? start : dayAround(endTime, clock).start;
  const lines = [
    ...(due || doneAt ? [] : [`No due date in ${system}`]),
    ...(isAfter ? [`Start in ${system}: ${plainLine(written)}`] : []),
  ];
  return { startTime, endTime, lines };
}
