import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { pagingQuery } from './paging.ts';
import { ProposalSchema } from './proposals.ts';
import { parseRecurrence } from './recurrence.ts';
import { defineRoute } from './route.ts';
import { choice, email, id, line, missingOr, optionalLine, optionalParagraphs } from './text.ts';
import { timeZone, day, instant, UNKNOWN_ZONE } from './time.ts';

export const eventKinds = [
  ...(['courtDate', 'hearing', 'trial', 'deposition'] as const),
  ...(['mediation', 'meeting', 'reminder', 'other'] as const),
] as const;
export type EventKind = (typeof eventKinds)[number];
export const itemTypes = ['event', 'deadline', 'task', 'caseDate'] as const;
/** Values of a query's `kinds`: kinds of events, and the types of everything else. */
export const calendarKinds = [...eventKinds, 'deadline', 'task', 'caseDate'] as const;
export const seriesScopes = ['this', 'following', 'all'] as const;
export type SeriesScope = (typeof seriesScopes)[number];
const sourceTypes = ['mail', 'text', 'file', 'entry'] as const;

/** Days of a query, items of a reply, attending people and guests of an event. */
export const DAYS_MAX = 400;
export const ITEMS_MAX = 5000;
const PEOPLE_MAX = 200;
const GUESTS_MAX = 100;
const REMINDERS_MAX = 5;
const REMINDER_MINUTES_MAX = 40_320;
export const DAY_LENGTH = 10;

export const EVENT_END_BEFORE_START = 'End must not be before start';

export const zone = timeZone('Time zone', { required: UNKNOWN_ZONE, wrong: UNKNOWN_ZONE });

/** A day for all-day events, an instant for others. */
function moment(label: string) {
  const error = missingOr(`${label} is required`, `${label} must be a date`);
  return z.union([day(label), instant(label)], { error });
}

const reminderText = `Reminders must be at most ${REMINDERS_MAX} numbers of minutes`;
const optional = {
  case: z.nullable(id('Please select any case')),
  allDay: z.boolean('All day must be true or false'),
  timeZone: zone,
  location: optionalLine('Location'),
  link: optionalLine('Link', { max: 2000 }).check(
    z.refine(
      (text) => text === '' || (/^https?:\/\/[^/?#]/i.test(text) && !/\s/.test(text)),
      'Link must be an http or https address',
    ),
  ),
  notes: optionalParagraphs('Notes'),
  people: z
    .array(id('Please select any user'), 'People must be a list of user ids')
    .check(z.maxLength(PEOPLE_MAX, `People can have at most ${PEOPLE_MAX} entries`)),
  guests: z
    .array(
      z.strictObject({ name: z._default(optionalLine('Name'), ''), email: email('Guest email') }),
      'Guests must be a list of names and addresses',
    )
    .check(z.maxLength(GUESTS_MAX, `Guests can have at most ${GUESTS_MAX} entries`)),
  private: z.boolean('Private must be true or false'),
  source: z.nullable(
    z.strictObject(
      { type: choice('Source', sourceTypes), id: line('Source', { max: 500 }) },
      'Source must have a type and an id',
    ),
  ),
  cancelled: z.boolean('Canceled must be true or false'),
  recurrence: z.nullable(
    line('Recurrence').check(
      z.refine((rule) => parseRecurrence(rule) !== undefined, 'Recurrence is not supported'),
    ),
  ),
  /** Minutes before the start. */
  reminders: z
    .array(
      z
        .number(reminderText)
        .check(
          z.refine((n) => Number.isInteger(n) && n >= 0 && n <= REMINDER_MINUTES_MAX, reminderText),
        ),
      reminderText,
    )
    .check(z.maxLength(REMINDERS_MAX, reminderText)),
};
const required = {
  title: line('Title'),
  kind: choice('Kind', eventKinds),
  start: moment('Start'),
  end: moment('End'),
};

type Times = { start: string; end: string; allDay?: boolean | undefined };
/** Days and instants are never mixed, and both compare as texts. */
const endsAfterStart = z.refine<Times>(
  ({ start, end }) => isAllDay(start) !== isAllDay(end) || end >= start,
  {
    error: EVENT_END_BEFORE_START,
    path: ['end'],
  },
);
export function isAllDay(text: string) {
  return text.length === DAY_LENGTH;
}
/** Whether both times are days for an all-day event, or instants for any other. */
export function areTimesOf(allDay: boolean, { start, end }: Times): boolean {
  return isAllDay(start) === allDay && isAllDay(end) === allDay;
}

const { cancelled: _, ...optionalAtFirst } = optional;
export const NewEventSchema = z
  .strictObject({ ...required, ...z.partial(z.strictObject(optionalAtFirst)).shape })
  .check(endsAfterStart);
export type NewEvent = z.infer<typeof NewEventSchema>;
/** The service compares the times with the stored ones. */
export const EventPatchSchema = z.partial(z.strictObject({ ...required, ...optional }));
export type EventPatch = z.infer<typeof EventPatchSchema>;

const text = z.string();
const caseName = z.nullable(z.object({ id: text, caseName: text }));

export const EventSchema = z.object({
  id: text,
  /** The series that it is an occurrence of. */
  series: z.nullable(text),
  title: text,
  kind: z.enum(eventKinds),
  case: caseName,
  allDay: z.boolean(),
  /** Instants; for all-day events, the first and last days. */
  start: text,
  end: text,
  timeZone: text,
  location: text,
  link: text,
  notes: text,
  people: z.array(PersonSchema),
  guests: z.array(
    z.object({
      name: text,
      email: text,
      invited: z.nullable(
        z.object({ sequence: z.number(), at: text, state: z.enum(['sent', 'failed', 'unknown']) }),
      ),
    }),
  ),
  private: z.boolean(),
  /** Its origin, for its organizer alone. */
  source: z.nullable(z.object({ type: z.enum(sourceTypes), id: text })),
  cancelled: z.boolean(),
  recurrence: z.nullable(text),
  reminders: z.array(z.number()),
  sequence: z.number(),
  organizer: PersonSchema,
  /** Whether the reader may change it. */
  canEdit: z.boolean(),
  updatedAt: text,
});
export type CalendarEvent = z.infer<typeof EventSchema>;

/** Occurrences changed: browsers that show some refetch. `series` is null where a single event left the matter. */
export const SeriesChangedSchema = z.object({ series: z.nullable(text), case: z.nullable(text) });

/** Another event at the same time, and who attends both. */
export const ClashSchema = z.object({
  id: text,
  title: text,
  start: text,
  end: text,
  people: z.array(PersonSchema),
});
export type Clash = z.infer<typeof ClashSchema>;

export const CalendarItemSchema = z.object({
  type: z.enum(itemTypes),
  id: text,
  title: text,
  /** Set for events and deadlines; null for tasks and case dates. */
  kind: z.nullable(text),
  case: caseName,
  people: z.array(PersonSchema),
  allDay: z.boolean(),
  start: text,
  end: text,
  private: z.boolean(),
  cancelled: z.boolean(),
  hard: z.boolean(),
  /** A deadline's status; `done` for finished tasks. */
  status: z.nullable(text),
  /** The day to which a deadline moves once another person agrees. */
  proposed: z.optional(text),
  /** Only for the second of a deadline, who is to verify its date by entering it again: it is not shown until then. */
  toVerify: z.optional(z.literal(true)),
  canEdit: z.boolean(),
});
export type CalendarItem = z.infer<typeof CalendarItemSchema>;

function listOf(label: string) {
  return z.optional(line(label, { max: 8000 }));
}

export const CalendarQuerySchema = z
  .object({
    from: day('From'),
    to: day('To'),
    timeZone: z.optional(zone),
    people: listOf('People'),
    kinds: z.optional(
      z
        .string()
        .check(
          z.refine(
            (kinds) =>
              kinds.split(',').every((kind) => calendarKinds.some((known) => known === kind)),
            `Kinds must be some of ${calendarKinds.join(', ')}`,
          ),
        ),
    ),
    case: z.optional(line('Case')),
    search: pagingQuery.search,
  })
  .check(
    z.refine(({ from, to }) => to >= from, { error: 'To must not be before from', path: ['to'] }),
    z.refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < DAYS_MAX, {
      error: `At most ${DAYS_MAX} days`,
      path: ['to'],
    }),
  );
export type CalendarQuery = z.output<typeof CalendarQuerySchema>;

export const calendarRoutes = {
  readCalendar: defineRoute({
    method: 'GET',
    path: '/api/v1/calendar',
    summary: 'Events, deadlines, tasks and case dates between two days; at most 5,000',
    access: 'signedIn',
    query: CalendarQuerySchema,
    reply: z.object({
      items: z.array(CalendarItemSchema),
      isCut: z.boolean(),
      /** The last day up to which endless series have occurrences. */
      expandedTo: text,
    }),
    message: 'OK',
  }),
  addEvent: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/events',
    summary: 'Adds an event, or a series of them',
    access: 'signedIn',
    body: NewEventSchema,
    reply: z.object({ event: EventSchema, clashes: z.array(ClashSchema) }),
    status: 201,
    message: 'Event created',
    idempotent: true,
  }),
  readEvent: defineRoute({
    method: 'GET',
    path: '/api/v1/calendar/events/{id}',
    summary: 'One event',
    access: 'signedIn',
    reply: EventSchema,
    message: 'OK',
  }),
  changeEvent: defineRoute({
    method: 'PATCH',
    path: '/api/v1/calendar/events/{id}',
    summary: 'Changes an event, of a series also those that follow, or all; canceling is a change',
    access: 'signedIn',
    query: z.object({ scope: z.optional(choice('Scope', seriesScopes)) }),
    body: EventPatchSchema,
    reply: z.object({
      event: EventSchema,
      clashes: z.array(ClashSchema),
      /** Proposals for deadlines that count from the event. */
      proposal: z.nullable(ProposalSchema),
    }),
    message: 'Event updated',
  }),
};
