import * as z from 'zod/mini';
import { wantedKinds } from './calendar.ts';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import { choice, id, line } from './text.ts';

/** Detail of a feed's items: kind and case number, everything, or only that people are busy. */
export const feedDetails = ['brief', 'full', 'busy'] as const;
export type FeedDetail = (typeof feedDetails)[number];
export const FEEDS_MAX = 20;
const PEOPLE_MAX = 200;
const KINDS_MAX = wantedKinds.length;

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
      .array(choice('Kind', wantedKinds), 'Kinds must be a list')
      .check(z.maxLength(KINDS_MAX, `Kinds can have at most ${KINDS_MAX} entries`)),
    [],
  ),
  case: z._default(z.nullable(id('Please select any case')), null),
  detail: z._default(choice('Detail', feedDetails), 'brief'),
});
export type NewFeed = z.input<typeof NewFeedSchema>;

const text = z.string();

export const FeedSchema = z.object({
  id: text,
  name: text,
  people: z.array(PersonSchema),
  kinds: z.array(z.enum(wantedKinds)),
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
