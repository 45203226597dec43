import { Temporal } from 'temporal-polyfill';
import type {
  CalendarEvent,
  EventKind,
  EventPatch,
  NewEvent,
} from '@matterdesk/contract/calendar.ts';
import type { Times } from './rules.move.ts';
import { type Repeats, repeatsOf, ruleOf } from './rules.repeats.ts';

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

/** A time that the clock skips is an hour later; what is no time stays as it is, for the server to refuse. */
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

interface Drawn {
  me: string | undefined;
  /** The reader's own zone. */
  timeZone: string;
  /** The span that was drawn, if any. */
  times: Times | null;
}

/** A new event: a drawn span, or an hour on a day in office hours. */
export function emptyInputs(day: string, { me, timeZone, times }: Drawn): EventInputs {
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
