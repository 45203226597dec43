import ICAL from 'ical.js';
import {
  EVENTS_MAX,
  UnreadableCalendar,
  type ReadEvent,
  type ReadTime,
  type Task,
} from './answers.ts';
import { tooMany } from './bounds.ts';
import { addDays, onlyRuleOf, slotsOf, UnknownRepeat, wallOf } from './repeats.ts';
import { lineOf, linkOf, paragraphsOf } from './texts.ts';
import { instantOf, nameOf, zoneOf, type Zone } from './zones.ts';

const LONGEST_UID = 500;
const OLDEST = '1900';
const YOUNGEST = '2200';

/** Why an event cannot be taken, for people. */
class Problem extends Error {}

type Context = { calendar: ICAL.Component; task: Task };

/** The events of a calendar in its order; to-dos, journals and alarms are left. @throws UnreadableCalendar */
export function entriesOf(calendar: ICAL.Component, task: Task): ReadEvent[] {
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
  if (count > EVENTS_MAX) throw tooMany();
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
    if (about.uid.length > LONGEST_UID) throw new Problem('Its UID is too long');
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
