import type {
  CalendarEvent,
  EventKind,
  EventPatch,
  NewEvent,
} from '@matterdesk/contract/calendar.ts';
import type { Times } from './rules.move.ts';

/** The values of the form's inputs: times of the reader's clock, ids of the matter and of people. */
export type EventInputs = {
  title: string;
  kind: EventKind;
  allDay: boolean;
  start: string;
  end: string;
  case: string;
  people: string[];
  location: string;
  link: string;
  repeats: string;
  notes: string;
  private: boolean;
};

const HOUR = 3_600_000;

/** An instant as a `datetime-local` input shows it where the reader is. */
function toLocalInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toInstant(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

interface Drawn {
  me: string | undefined;
  /** The span that was drawn, if any. */
  times: Times | null;
}

/** A new event: a drawn span, or an hour on a day in office hours. */
export function emptyInputs(day: string, { me, times }: Drawn): EventInputs {
  const nine = new Date(`${day}T09:00`);
  const { allDay, start, end } = times ?? {
    allDay: false,
    start: nine.toISOString(),
    end: new Date(nine.getTime() + HOUR).toISOString(),
  };
  const shown = (time: string) => (allDay ? time : toLocalInput(new Date(time)));
  return {
    title: '',
    kind: 'meeting',
    allDay,
    start: shown(start),
    end: shown(end),
    case: '',
    people: me === undefined ? [] : [me],
    location: '',
    link: '',
    repeats: '',
    notes: '',
    private: false,
  };
}

export function inputsOf(event: CalendarEvent): EventInputs {
  const { title, kind, allDay, location, link, notes } = event;
  const shown = (time: string) => (allDay ? time : toLocalInput(new Date(time)));
  return {
    title,
    kind,
    allDay,
    location,
    link,
    notes,
    start: shown(event.start),
    end: shown(event.end),
    case: event.case?.id ?? '',
    people: event.people.map(({ id }) => id),
    repeats: event.recurrence ?? '',
    private: event.private,
  };
}

const weekday = (day: string) =>
  ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'MO';

/** How an event on a day can repeat, and in words. */
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

/** The inputs as the server takes them. */
export function toNewEvent(inputs: EventInputs, timeZone: string): NewEvent {
  const { repeats, case: of, start, end, ...others } = inputs;
  return {
    ...others,
    ...(inputs.allDay
      ? { start: start.slice(0, 10), end: end.slice(0, 10) }
      : { start: toInstant(start), end: toInstant(end) }),
    case: of || null,
    recurrence: repeats || null,
    timeZone,
  };
}

/** What a form changes: others may have changed the rest meanwhile. An event keeps its zone. */
export function changesOf(opened: EventInputs, inputs: EventInputs): EventPatch {
  const all = toNewEvent(inputs, 'UTC');
  const isMoved = (['start', 'end', 'allDay'] as const).some(
    (name) => opened[name] !== inputs[name],
  );
  const { repeats, start: _start, end: _end, allDay: _allDay, ...others } = inputs;
  const names = Object.keys(others) as (keyof typeof others)[];
  const changed = names.filter(
    (name) => JSON.stringify(opened[name]) !== JSON.stringify(inputs[name]),
  );
  return {
    ...Object.fromEntries(changed.map((name) => [name, all[name]])),
    ...(isMoved && { start: all.start, end: all.end, allDay: inputs.allDay }),
    ...(repeats !== opened.repeats && { recurrence: all.recurrence }),
  };
}
