import { Temporal } from 'temporal-polyfill';
import type {
  CalendarEvent,
  EventKind,
  EventPatch,
  NewEvent,
} from '@matterdesk/contract/calendar.ts';
import {
  formatRecurrence,
  OCCURRENCES_MAX,
  parseRecurrence,
} from '@matterdesk/contract/recurrence.ts';
import type { Times } from './rules.move.ts';

const MAX_TITLE_LENGTH = 200;

/** The values of the form's inputs: times of its zone's clock, ids of the matter and of people. */
export type EventInputs = {
  title: string;
  kind: EventKind;
  allDay: boolean;
  start: string;
  end: string;
  case: string | null;
  people: string[];
  location: string;
  link: string;
  notes: string;
  private: boolean;
  /** One guest per line: 'R. Moreau <r.moreau@example.com>', or the address alone. */
  guests: string;
  /** Minutes before the start; null for what is usual for its kind. */
  reminders: string[] | null;
  timeZone: string;
} & Repeats;

/** An instant as a `datetime-local` input shows it in a zone. */
function toWall(instant: string, zone: string): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
  return at.toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/** A time that the clock skips is an hour later; an invalid time stays as it is, for the server to refuse. */
function toInstant(wall: string, zone: string): string {
  try {
    const at = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone);
    return new Date(at.epochMilliseconds).toISOString();
  } catch {
    return wall;
  }
}

/** The time that is saved instead of one that the clock skips, '3:30 AM'; null for all others. */
export function skippedTo(wall: string, zone: string): string | null {
  const instant = toInstant(wall, zone);
  if (instant === wall || toWall(instant, zone) === wall.slice(0, 16)) return null;
  return new Date(instant).toLocaleTimeString('en-US', { timeStyle: 'short', timeZone: zone });
}

interface NewEventContext {
  me: string | undefined;
  /** The reader's own zone. */
  timeZone: string;
  /** The span that was drawn, if any. */
  times: Times | null;
}

/** A new event: a drawn span, or an hour on a day in office hours. */
export function emptyInputs(day: string, { me, timeZone, times }: NewEventContext): EventInputs {
  const { allDay, start, end } = times ?? {
    allDay: false,
    start: toInstant(`${day}T09:00`, timeZone),
    end: toInstant(`${day}T10:00`, timeZone),
  };
  const shown = (time: string) => (allDay ? time : toWall(time, timeZone));
  return {
    title: '',
    kind: 'meeting',
    allDay,
    start: shown(start),
    end: shown(end),
    case: null,
    people: me === undefined ? [] : [me],
    location: '',
    link: '',
    ...repeatsOf(null),
    notes: '',
    private: false,
    guests: '',
    reminders: null,
    timeZone,
  };
}

/** A date that was found in a mail. */
export type FoundInMail = {
  kind: EventKind;
  day: string;
  /** A wall time; null for a whole day. */
  time: string | null;
  subject: string;
  mailId: string;
  caseId: string | null;
};

/** Fills a new event from a found date: an hour, or the day. */
export function foundInputs({ kind, day, time, subject, caseId }: FoundInMail) {
  const about = { kind, title: subject.slice(0, MAX_TITLE_LENGTH), case: caseId };
  if (time === null) return { ...about, allDay: true, start: day, end: day };
  const start = Temporal.PlainDateTime.from(`${day}T${time}`);
  const shown = [start, start.add({ hours: 1 })].map((at) =>
    at.toString({ smallestUnit: 'minute' }),
  );
  return { ...about, allDay: false, start: shown[0] ?? day, end: shown[1] ?? day };
}

export function inputsOf(event: CalendarEvent): EventInputs {
  const { title, kind, allDay, location, link, notes, timeZone } = event;
  const shown = (time: string) => (allDay ? time : toWall(time, timeZone));
  return {
    title,
    kind,
    allDay,
    location,
    link,
    notes,
    start: shown(event.start),
    end: shown(event.end),
    case: event.case?.id ?? null,
    people: event.people.map(({ id }) => id),
    ...repeatsOf(event.recurrence),
    private: event.private,
    guests: event.guests.map(guestLine).join('\n'),
    reminders: event.reminders.map(String),
    timeZone,
  };
}

function guestLine({ name, email }: { name: string; email: string }): string {
  return name === '' ? email : `${name} <${email}>`;
}

function guestsOf(text: string): { name: string; email: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.lastIndexOf('<');
      if (at === -1 || !line.endsWith('>')) return { name: '', email: line };
      return { name: line.slice(0, at).trim(), email: line.slice(at + 1, -1) };
    });
}

/** The inputs as the server takes them. */
export function toNewEvent(inputs: EventInputs): NewEvent {
  const { repeats, ends, until, count, case: of, start, end, timeZone, ...others } = inputs;
  const { guests, reminders, ...plain } = others;
  return {
    ...plain,
    ...(inputs.allDay
      ? { start: start.slice(0, 10), end: end.slice(0, 10) }
      : { start: toInstant(start, timeZone), end: toInstant(end, timeZone) }),
    case: of,
    recurrence: ruleOf({ repeats, ends, until, count }),
    timeZone,
    guests: guestsOf(guests),
    ...(reminders && { reminders: reminders.map(Number) }),
  };
}

/** Inputs that are one member on the wire. */
const times = ['start', 'end', 'allDay', 'timeZone'] as const;
const rule = ['repeats', 'ends', 'until', 'count'] as const;
const isJoined = new Set<string>([...times, ...rule]);

/** The changed members only: others may have changed the rest meanwhile. */
export function changesOf(opened: EventInputs, inputs: EventInputs): EventPatch {
  const all = toNewEvent(inputs);
  const differs = (name: keyof EventInputs) =>
    JSON.stringify(opened[name]) !== JSON.stringify(inputs[name]);
  const names = Object.keys(inputs) as (keyof EventInputs)[];
  const plain = names.filter((name) => !isJoined.has(name) && differs(name));
  const wire: Record<string, unknown> = all;
  return {
    ...Object.fromEntries(plain.map((name) => [name, wire[name]])),
    ...(times.some(differs) && { start: all.start, end: all.end, allDay: inputs.allDay }),
    ...(differs('timeZone') && { timeZone: inputs.timeZone }),
    ...(rule.some(differs) && { recurrence: all.recurrence }),
  };
}

/** An event's recurrence as form inputs: the rule without its end, and the end. */
type Repeats = {
  repeats: string;
  ends: '' | 'until' | 'count';
  until: string;
  count: string;
};

const NEVER: Repeats = { repeats: '', ends: '', until: '', count: '' };

export function repeatsOf(rule: string | null): Repeats {
  const read = rule === null ? undefined : parseRecurrence(rule);
  if (!read) return { ...NEVER, repeats: rule ?? '' };
  const { until, count } = read;
  return {
    repeats: formatRecurrence({ ...read, until: null, count: null }),
    ends: until !== null ? 'until' : count !== null ? 'count' : '',
    until: until ?? '',
    count: count === null ? '' : String(count),
  };
}

/** The rule of a form's inputs; null for an event that does not repeat. */
export function ruleOf({ repeats, ends, until, count }: Repeats): string | null {
  if (repeats === '') return null;
  if (ends === 'until') return `${repeats};UNTIL=${until.replaceAll('-', '')}`;
  return ends === 'count' ? `${repeats};COUNT=${count}` : repeats;
}

/** Validation error for the end of a rule, with the name of its input. */
export function endErrorOf({ repeats, ends, until, count }: Repeats) {
  if (repeats === '' || ends === '') return null;
  if (ends === 'until') {
    return until === '' ? ({ name: 'until', message: 'Last day is required' } as const) : null;
  }
  const isCount = /^[1-9]\d*$/.test(count) && Number(count) <= OCCURRENCES_MAX;
  const message = `Events must be a number from 1 to ${OCCURRENCES_MAX}`;
  return isCount ? null : ({ name: 'count', message } as const);
}

const weekday = (day: string) =>
  ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'MO';

/** Recurrence options for an event on a day, with labels. */
export function repetitionsOf(start: string): { value: string; label: string }[] {
  const day = start.slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return [];
  const name = new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const date = Number(day.slice(8));
  const tomorrow = new Date(`${day}T00:00:00Z`);
  tomorrow.setUTCDate(date + 1);
  const isLast = tomorrow.getUTCDate() === 1;
  return [
    { value: 'FREQ=DAILY', label: 'Every day' },
    { value: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: 'Every weekday' },
    { value: `FREQ=WEEKLY;BYDAY=${weekday(day)}`, label: `Every week on ${name}` },
    { value: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday(day)}`, label: `Every 2 weeks on ${name}` },
    { value: `FREQ=MONTHLY;BYMONTHDAY=${date}`, label: `Every month on day ${date}` },
    ...(isLast
      ? [{ value: 'FREQ=MONTHLY;BYMONTHDAY=-1', label: 'Every month on its last day' }]
      : []),
    { value: 'FREQ=YEARLY', label: 'Every year' },
  ];
}
