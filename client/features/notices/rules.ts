import type { Notice } from '@matterdesk/contract/notices.ts';
import { paths } from '../../core/paths.ts';
import { briefMoment, formatTime } from '../../core/words.ts';
import { localDay, formatDay } from '../../ui/days.ts';

const DAY_LENGTH = 10;

function momentIn(at: string, today: string): string {
  return localDay(new Date(at)) === today ? formatTime(at) : briefMoment(at);
}

/** When an event starts: 'Feb 3, 10:00 AM', or its day alone. */
function startIn(start: string, today: string): string {
  return start.length > DAY_LENGTH ? momentIn(start, today) : formatDay(start, 'short');
}

/** The second line of a notice. @param today the reader's */
export function noteOf({ item, at, missed }: Notice, today: string): string {
  const starts = item?.type === 'event' ? `Starts ${startIn(item.start, today)}` : '';
  const when = missed
    ? `Missed at ${momentIn(at, today)}: the server was off`
    : momentIn(at, today);
  return [item?.case?.caseName, starts, when].filter(Boolean).join(' · ');
}

/** Problems with a notice's email; undefined when there is nothing to report. */
export function mailNote({ mailed }: Notice): string | undefined {
  if (mailed === 'no') return 'Not e-mailed: no mail is set up';
  if (mailed === 'failed') return 'Not e-mailed: the mail server refused it';
  return mailed === 'unknown' ? 'Perhaps not e-mailed: no confirmation' : undefined;
}

/** The page that a notice links to. */
export function addressOf({ item, type }: Notice): string | undefined {
  if (item?.type === 'deadline') return `${paths.calendar}?view=deadlines&deadline=${item.id}`;
  if (type === 'account') return paths.account;
  if (item?.type === 'entry' && item.case)
    return `${paths.caseDetails(item.case.id)}#entry-${item.id}`;
  if (item?.type === 'case')
    return type === 'exported' ? paths.caseDetails(item.id) : paths.accessOf(item.id);
  if (item?.type === 'intake') return paths.intake(item.id);
  if (type === 'digest' || type === 'warning') return `${paths.calendar}?view=deadlines`;
  if (!item) return undefined;
  const { start } = item;
  const day = start.length > DAY_LENGTH ? localDay(new Date(start)) : start;
  return item.type === 'event'
    ? paths.event(item.id, day)
    : `${paths.calendar}?view=day&date=${day}`;
}
