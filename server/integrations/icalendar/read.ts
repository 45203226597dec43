import ICAL from 'ical.js';
import { entriesOf } from './entries.ts';
import { requireHarmless } from './bounds.ts';
import { requireRealDates } from './dates.ts';
import { UnreadableCalendar, type Reading, type Task } from './answers.ts';

/**
 * The events of a calendar that a stranger wrote. Runs where it may be ended: in a thread, or in a confined process.
 * @returns why it cannot be read, or its events
 */
export function readCalendar(task: Task): Reading {
  try {
    requireHarmless(task.text);
    requireRealDates(task.text);
    return read(task);
  } catch (error) {
    if (error instanceof UnreadableCalendar) return { problem: error.message };
    // A parser's own message may quote the file.
    return { problem: 'The file is not a calendar' };
  }
}

function read(task: Task): Reading {
  const calendars = parse(task.text);
  const events = calendars.flatMap((calendar) => entriesOf(calendar, task));
  const methods = calendars.map((one) => String(one.getFirstPropertyValue('method') ?? ''));
  return { method: (methods[0] ?? '').toUpperCase(), events };
}

/** A file may hold several calendars, of which the parser makes a list in a list. */
function parse(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text) as unknown[];
  const all = Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed];
  const calendars = all.map((one) => new ICAL.Component(one));
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar'))
    throw new UnreadableCalendar('The file is not a calendar');
  return calendars;
}
