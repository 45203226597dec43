import { isRealDay } from '@matterdesk/contract/time.ts';
import { UnreadableCalendar } from './answers.ts';

/** Properties whose dates are used; of others, old exports are known to invent them. */
const DATED = /^(?:DTSTART|DTEND|DTSTAMP|DUE|EXDATE|RDATE|RECURRENCE-ID|RRULE|EXRULE)(?=[;:])/i;
/** Name and parameters up to the colon, which may stand in quotes before it. */
const HEAD = /^[\w-]+(?:;(?:[^":\n]|"[^"\n]*")*)?:/;
const UNTIL = /(?:^|;)UNTIL=([^;]*)/i;
const WRITTEN = /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])[0-5]\d(?:[0-5]\d|60)Z?)?$/;

/**
 * The parser takes February 30 for March 2, and reads other spellings in its own way.
 * @throws UnreadableCalendar
 */
export function requireRealDates(text: string): void {
  let number = 1;
  // A line goes on in those that begin with a blank.
  for (const folded of text.split(/\r?\n(?![ \t])/)) {
    if (DATED.test(folded) && !hasRealDates(folded.replaceAll(/\r?\n[ \t]/g, '')))
      throw new UnreadableCalendar(`Line ${number}: the date does not exist`);
    number += folded.split('\n').length;
  }
}

function hasRealDates(line: string): boolean {
  const head = HEAD.exec(line)?.[0] ?? '';
  const value = line.slice(head.length).trim();
  const dates = /^(?:RRULE|EXRULE)/i.test(head) ? UNTIL.exec(value)?.[1] : value;
  return (dates ?? '').split(/[,/]/).every(isRealDate);
}

/** Words and durations are left to the parser, which refuses those that are none. */
function isRealDate(value: string): boolean {
  if (!/^\d/.test(value)) return true;
  const [, year, month, date] = WRITTEN.exec(value) ?? [];
  return year !== undefined && isRealDay(`${year}-${month}-${date}`);
}
