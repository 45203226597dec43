import * as z from 'zod/mini';
import { eventKinds } from './calendar.ts';
import { defineRoute } from './route.ts';
import { choice } from './text.ts';

/** Bytes of an .ics file. */
export const ICS_MAX = 5 * 1024 * 1024;

export const importActions = ['add', 'update', 'cancel', 'skip'] as const;
export type ImportAction = (typeof importActions)[number];

const text = z.string();

/** The outcome of an import for an event of its file, done or previewed. */
export const ImportItemSchema = z.object({
  title: text,
  /** An instant or a day; empty for an event that cannot be read. */
  start: text,
  action: z.enum(importActions),
  problem: z.nullable(text),
});
export type ImportItem = z.infer<typeof ImportItemSchema>;

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
    fileBytes: ICS_MAX,
    reply: z.object({ items: z.array(ImportItemSchema) }),
    status: 201,
    message: 'Events imported',
  }),
};

/** The kind that an import gives to its events. */
export const ImportKindSchema = z.strictObject({ kind: z._default(kind, 'other') });
