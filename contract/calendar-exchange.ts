import * as z from 'zod/mini';
import { eventKinds, calendarKinds, EventSchema } from './calendar.ts';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, email, optionalParagraphs } from './text.ts';

/** Bytes of an .ics file. */
export const ICS_BYTES_MAX = 5 * 1024 * 1024;

const eventImportActions = ['add', 'update', 'cancel', 'skip'] as const;
export type EventImportAction = (typeof eventImportActions)[number];

const text = z.string();

/** The outcome of an import for an event of its file, done or previewed. */
const ImportItemSchema = z.object({
  title: text,
  /** An instant or a day; empty for an event that cannot be read. */
  start: text,
  action: z.enum(eventImportActions),
  problem: z.nullable(text),
});
export type EventImportItem = z.infer<typeof ImportItemSchema>;

const kind = choice('Kind', eventKinds);

export const exchangeRoutes = {
  readEventFile: defineRoute({
    method: 'GET',
    path: '/api/v1/calendar/events/{id}/file',
    summary: 'One event as an .ics file; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    message: 'OK',
  }),
  importEvents: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/import',
    summary:
      'Takes the events of an .ics file, or none of them; with dryRun it says what it would do',
    access: 'signedIn',
    query: z.object({
      dryRun: z.optional(z.enum(['0', '1'], { error: 'dryRun must be one of 0, 1' })),
    }),
    file: 'file',
    fields: ['caseId', 'kind'],
    optionalParts: ['caseId', 'kind'],
    fileBytes: ICS_BYTES_MAX,
    reply: z.object({ items: z.array(ImportItemSchema) }),
    status: 201,
    otherStatus: 200,
    message: 'Events imported',
  }),
};

/** The kind that an import gives to its events. */
export const EventImportFieldsSchema = z.strictObject({ kind: z._default(kind, 'other') });

/** Detail that a feed shares of each item: kind and case number, everything, or only that its people are busy. */
const feedDetails = ['brief', 'full', 'busy'] as const;
export type FeedDetail = (typeof feedDetails)[number];
export const FEEDS_MAX = 20;
const PEOPLE_MAX = 200;
const KINDS_MAX = calendarKinds.length;

export const NewFeedSchema = z.strictObject({
  name: line('Name'),
  /** Empty for everyone. */
  people: z._default(
    z
      .array(id('Please select any user'), 'People must be a list of user ids')
      .check(z.maxLength(PEOPLE_MAX, `People can have at most ${PEOPLE_MAX} entries`)),
    [],
  ),
  /** Empty for all kinds. */
  kinds: z._default(
    z
      .array(choice('Kind', calendarKinds), 'Kinds must be a list')
      .check(z.maxLength(KINDS_MAX, `Kinds can have at most ${KINDS_MAX} entries`)),
    [],
  ),
  case: z._default(z.nullable(id('Please select any case')), null),
  detail: z._default(choice('Detail', feedDetails), 'brief'),
});
export type NewFeed = z.input<typeof NewFeedSchema>;

const FeedSchema = z.object({
  id: text,
  name: text,
  people: z.array(PersonSchema),
  kinds: z.array(z.enum(calendarKinds)),
  case: z.nullable(z.object({ id: text, caseName: text })),
  detail: z.enum(feedDetails),
  createdAt: text,
  /** When a program last read it. */
  readAt: z.nullable(text),
});
export type Feed = z.infer<typeof FeedSchema>;

const path = '/api/v1/calendar/feeds';

export const feedRoutes = {
  listFeeds: defineRoute({
    method: 'GET',
    path,
    summary: 'The calendar feeds of the caller, newest first',
    access: 'signedIn',
    reply: z.object({ feeds: z.array(FeedSchema) }),
    message: 'OK',
  }),
  // Without an idempotency key, whose stored outcome would keep the address.
  addFeed: defineRoute({
    method: 'POST',
    path,
    summary: 'Makes a feed for other calendar programs; its address is in this reply alone',
    access: 'signedIn',
    body: NewFeedSchema,
    reply: z.object({ feed: FeedSchema, url: text }),
    status: 201,
    message: 'Feed created',
  }),
  revokeFeed: defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Revokes a feed',
    access: 'signedIn',
    reply: z.null(),
    message: 'Feed revoked',
  }),
  readFeed: defineRoute({
    method: 'GET',
    path: '/api/v1/calendar/feed/{token}.ics',
    summary: 'A feed as text/calendar, for any program that has its address',
    access: 'anyone',
    message: 'OK',
  }),
};

const GUESTS_MAX = 100;

const InviteSchema = z.strictObject({
  /** Addresses of guests of the event. */
  guests: z
    .array(email('Guest email'), 'Guests must be a list of addresses')
    .check(
      z.minLength(1, 'Choose a guest'),
      z.maxLength(GUESTS_MAX, `Guests can have at most ${GUESTS_MAX} entries`),
    ),
  /** Shown in the mail above the invitation. */
  text: z._default(optionalParagraphs('Message'), ''),
});
export type Invite = z.output<typeof InviteSchema>;

const TakeInvitationSchema = z.strictObject({
  /** An event already on the calendar keeps its matter. */
  case: z._default(z.nullable(id('Please select any case')), null),
  kind: z._default(choice('Kind', eventKinds), 'meeting'),
  private: z._default(z.boolean('Private must be true or false'), false),
});
export type TakeInvitation = z.output<typeof TakeInvitationSchema>;

export const eventInvitationRoutes = {
  inviteGuests: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/events/{id}/invitations',
    summary:
      'Sends an event, its change or its cancellation to guests, from the caller’s Google account',
    access: 'signedIn',
    needs: 'google',
    body: InviteSchema,
    reply: EventSchema,
    message: 'Invitations sent',
    idempotent: true,
  }),
  takeInvitation: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/fromMail/{mailId}',
    summary: 'Takes the invitation in one of the caller’s mails, or what it changes',
    access: 'signedIn',
    needs: 'google',
    body: TakeInvitationSchema,
    reply: EventSchema,
    status: 201,
    message: 'Added to the calendar',
    idempotent: true,
  }),
};
