import ICAL from 'ical.js';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';
import {
  UnreadableCalendar,
  type CalendarResult,
  type CalendarTask,
  MAX_EVENTS,
  type ReadEvent,
  type ReadTime,
} from './reader.ts';
import {
  addDays,
  onlyRuleOf,
  slotsOf,
  UnknownRepeat,
  wallOf,
  instantOf,
  nameOf,
  zoneOf,
  type Zone,
} from './repeats.ts';

/**
 * The events of a calendar that a stranger wrote. Runs where it may be ended: in a thread, or in a confined process.
 * @returns why it cannot be read, or its events
 */
export function readCalendar(task: CalendarTask): CalendarResult {
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

function read(task: CalendarTask): CalendarResult {
  const calendars = parse(task.text);
  const events = calendars.flatMap((calendar) => entriesOf(calendar, task));
  const methods = calendars.map((one) => String(one.getFirstPropertyValue('method') ?? ''));
  return { method: (methods[0] ?? '').toUpperCase(), events };
}

/** A file may hold several calendars, which the parser returns as a list of lists. */
function parse(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text) as unknown[];
  const all = Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed];
  const calendars = all.map((one) => new ICAL.Component(one));
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar'))
    throw new UnreadableCalendar('The file is not a calendar');
  return calendars;
}

const MAX_UID_LENGTH = 500;
const OLDEST = '1900';
const YOUNGEST = '2200';

/** Why an event cannot be taken, for people. */
class Problem extends Error {}

type Context = { calendar: ICAL.Component; task: CalendarTask };

/** The events of a calendar in its order; to-dos, journals and alarms are left. @throws UnreadableCalendar */
function entriesOf(calendar: ICAL.Component, task: CalendarTask): ReadEvent[] {
  const components = calendar.getAllSubcomponents('vevent');
  const moved = new Map<string, Set<string>>();
  const context = { calendar, task };
  const parts = components.filter(isPart).map((part) => partOf(part, context));
  for (const { uid, times } of parts)
    moved.set(uid, new Set([...(moved.get(uid) ?? []), ...times.map(({ slot }) => slot)]));
  const whole = components
    .filter((component) => !isPart(component))
    .map((component) => wholeOf(component, context, moved));
  const found = [...whole, ...parts];
  const count = found.reduce((sum, { times }) => sum + times.length, 0);
  if (count > MAX_EVENTS) throw tooMany();
  return found;
}

function isPart(component: ICAL.Component): boolean {
  return component.getFirstProperty('recurrence-id') !== null;
}

type Place = Pick<ReadEvent, 'allDay' | 'timeZone' | 'times' | 'rule'>;

/** A single event, or a series without the occurrences that were changed. */
function wholeOf(
  event: ICAL.Component,
  { calendar, task }: Context,
  moved: ReadonlyMap<string, ReadonlySet<string>>,
): ReadEvent {
  return readWith(event, { calendar, task }, (about) => {
    const { start, zone, allDay, lasts } = startOf(event, { calendar, task });
    const repeats = ['rrule', 'rdate'].some((name) => event.getFirstProperty(name) !== null);
    const toTime = (slot: string): ReadTime => timeAt(slot, { zone, lasts, allDay });
    const place = { allDay, timeZone: nameOf(zone) };
    if (!repeats) return { ...place, times: [{ ...toTime(start), slot: '' }], rule: null };
    const changed = moved.get(about.uid);
    const slots = slotsOf({ event, start, zone, today: task.today });
    const times = slots.map(toTime).filter(({ slot }) => changed?.has(slot) !== true);
    const isOwn = !changed && 'name' in zone && slots[0] === start;
    return { ...place, times, rule: isOwn ? onlyRuleOf(event, start, zone) : null };
  });
}

/** One occurrence of a series, changed alone. */
function partOf(event: ICAL.Component, context: Context): ReadEvent {
  const read = readWith(event, context, () => {
    const property = event.getFirstProperty('recurrence-id');
    if (!property || property.getParameter('range') !== undefined)
      throw new Problem('It changes an occurrence and those that follow');
    const { start, zone, allDay, lasts } = startOf(event, context);
    const of = zoneOf(property, context.calendar, context.task.timeZone) ?? zone;
    const value = property.getFirstValue();
    if (!(value instanceof ICAL.Time)) throw new Problem('It can’t be read');
    const slot = value.isDate ? wallOf(value) : instantOf(wallOf(value), of);
    const time = timeAt(start, { zone, lasts, allDay });
    return { allDay, timeZone: nameOf(zone), times: [{ ...time, slot }], rule: null };
  });
  return { ...read, isPart: true };
}

/** With its texts; what cannot be read is a problem of this event alone. */
function readWith(
  event: ICAL.Component,
  { calendar }: Context,
  placed: (about: ReturnType<typeof aboutOf>) => Place,
): ReadEvent {
  const about = aboutOf(event, calendar);
  const nowhere: Place = { allDay: false, timeZone: 'UTC', times: [], rule: null };
  try {
    if (about.uid.length > MAX_UID_LENGTH) throw new Problem('Its UID is too long');
    const place = placed(about);
    if (place.times.length === 0) throw new Problem('It never takes place');
    return { ...about, ...place };
  } catch (error) {
    if (error instanceof UnreadableCalendar) throw error;
    return { ...about, ...nowhere, problem: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof UnknownRepeat) return 'It repeats in a way that is not supported';
  return error instanceof Problem ? error.message : 'It can’t be read';
}

function aboutOf(event: ICAL.Component, calendar: ICAL.Component) {
  const textOf = (name: string) => {
    const value = event.getFirstPropertyValue(name);
    return typeof value === 'string' ? value : '';
  };
  const title = lineOf(textOf('summary')) || 'Untitled';
  const start = event.getFirstProperty('dtstart')?.toICALString() ?? '';
  const method = calendar.getFirstPropertyValue('method');
  const isCanceled = [method, textOf('status')].some((word) => /^cancel/i.test(String(word)));
  const sequence = Number(event.getFirstPropertyValue('sequence') ?? 0);
  return {
    uid: textOf('uid').trim() || `${start} ${title}`,
    sequence: Number.isSafeInteger(sequence) && sequence >= 0 ? Math.min(sequence, 2 ** 31 - 1) : 0,
    stamp: stampOf(event),
    isCanceled: isCanceled && String(method).toUpperCase() !== 'REPLY',
    title,
    location: lineOf(textOf('location')),
    link: linkOf(textOf('url')),
    notes: paragraphsOf(textOf('description')),
    isPart: false,
    organizer: textOf('organizer')
      .replace(/^mailto:/i, '')
      .trim()
      .toLowerCase()
      .slice(0, 254),
    problem: null,
  };
}

function stampOf(event: ICAL.Component): string | null {
  const value = event.getFirstPropertyValue('dtstamp');
  if (!(value instanceof ICAL.Time)) return null;
  const date = new Date(`${wallOf(value)}Z`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

type Start = {
  start: string;
  zone: Zone;
  allDay: boolean;
  /** Milliseconds, or days. */
  lasts: number;
};

/** @throws Problem */
function startOf(event: ICAL.Component, { calendar, task }: Context): Start {
  const property = event.getFirstProperty('dtstart');
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) throw new Problem('It has no start');
  const zone = value.isDate ? { name: task.timeZone } : zoneOf(property, calendar, task.timeZone);
  if (!zone) throw new Problem('Its time zone is unknown');
  const start = wallOf(value);
  if (start < OLDEST || start > YOUNGEST) throw new Problem('Its date is out of range');
  const lasts = value.isDate
    ? daysOf(event, start)
    : millisecondsOf(event, { start, zone, calendar, task });
  if (lasts < 0) throw new Problem('It ends before it starts');
  return { start, zone, allDay: value.isDate, lasts };
}

const DAY = 86_400_000;

/** Days after the first one; the end of a file is the day after the last. */
function daysOf(event: ICAL.Component, start: string): number {
  const end = event.getFirstPropertyValue('dtend');
  const duration = event.getFirstPropertyValue('duration');
  const days =
    end instanceof ICAL.Time
      ? (Date.parse(`${wallOf(end).slice(0, 10)}Z`) - Date.parse(`${start}Z`)) / DAY
      : duration instanceof ICAL.Duration
        ? Math.ceil(duration.toSeconds() / 86_400)
        : 1;
  return days === 0 ? 0 : days - 1;
}

function millisecondsOf(
  event: ICAL.Component,
  { start, zone, calendar, task }: { start: string; zone: Zone } & Context,
): number {
  const property = event.getFirstProperty('dtend');
  const end = property?.getFirstValue();
  const duration = event.getFirstPropertyValue('duration');
  if (property && end instanceof ICAL.Time) {
    const of = zoneOf(property, calendar, task.timeZone) ?? zone;
    return Date.parse(instantOf(wallOf(end), of)) - Date.parse(instantOf(start, zone));
  }
  return duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : 0;
}

/** An occurrence at a wall time or on a day. */
function timeAt(slot: string, { zone, lasts, allDay }: Omit<Start, 'start'>): ReadTime {
  if (allDay) return { start: slot, end: addDays(slot, lasts), slot };
  const start = instantOf(slot, zone);
  return { start, end: new Date(Date.parse(start) + lasts).toISOString(), slot: start };
}

/** Limits of an event, the same as in the calendar's own forms. */
const MAX_LABEL_LENGTH = 200;
const MAX_TEXT_LENGTH = 4000;
const MAX_LINK_LENGTH = 2000;

/** Control characters, lone surrogates, and overrides of the direction of writing, which deceive. */
const HOSTILE = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]+/gu;
const HOSTILE_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

function lineOf(text: string): string {
  const line = normalized(text.slice(0, 4 * MAX_LABEL_LENGTH).replaceAll(HOSTILE, ' ')).trim();
  return truncate(line, MAX_LABEL_LENGTH);
}

function paragraphsOf(text: string): string {
  const written = text.slice(0, 4 * MAX_TEXT_LENGTH).replaceAll(/\r\n?/g, '\n');
  return truncate(normalized(written.replaceAll(HOSTILE_IN_TEXT, '')).trim(), MAX_TEXT_LENGTH);
}

function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`;
}

/** Web addresses only. */
function linkOf(text: string): string {
  const link = text.trim();
  const isLink = /^https?:\/\/[^/?#]/i.test(link) && !/[\s\p{Cc}\p{Cs}]/u.test(link);
  return isLink && link.length <= MAX_LINK_LENGTH ? link : '';
}

/** Properties whose dates are used; of others, old exports are known to invent them. */
const DATED = /^(?:DTSTART|DTEND|DTSTAMP|DUE|EXDATE|RDATE|RECURRENCE-ID|RRULE|EXRULE)(?=[;:])/i;
/** Name and parameters up to the colon; quoted parameters may contain colons too. */
const HEAD = /^[\w-]+(?:;(?:[^":\n]|"[^"\n]*")*)?:/;
const UNTIL = /(?:^|;)UNTIL=([^;]*)/i;
const WRITTEN = /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])[0-5]\d(?:[0-5]\d|60)Z?)?$/;

/**
 * The parser takes February 30 for March 2, and reads other spellings in its own way.
 * @throws UnreadableCalendar
 */
function requireRealDates(text: string): void {
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

/** Characters of a line with its continuations: descriptions are long, but no one reads more. */
const MAX_LINE_LENGTH = 200_000;
const MAX_DEPTH = 5;

/** Before the parser sees it: what would make it slow, or its result too large. @throws UnreadableCalendar */
function requireHarmless(text: string): void {
  let [depth, events, length] = [0, 0, 0];
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isContinued = text[at] === ' ' || text[at] === '\t';
    length = isContinued ? length + end - at : end - at;
    if (length > MAX_LINE_LENGTH) throw new UnreadableCalendar('A line of the file is too long');
    const word = text
      .slice(at, Math.min(end, at + 20))
      .trim()
      .toUpperCase();
    if (word.startsWith('BEGIN:')) depth += 1;
    if (word.startsWith('END:')) depth -= 1;
    if (depth > MAX_DEPTH) throw new UnreadableCalendar('The file is not a calendar');
    if (word === 'BEGIN:VEVENT') events += 1;
    if (events > MAX_EVENTS) throw tooMany();
    at = end + 1;
  }
}

function tooMany(): UnreadableCalendar {
  return new UnreadableCalendar(
    `A file can have up to ${MAX_EVENTS.toLocaleString('en-US')} events`,
  );
}
