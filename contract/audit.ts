import * as z from 'zod/mini';
import { ChangeSchema, PersonSchema } from './cases.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { line } from './text.ts';
import { day, instant } from './time.ts';

const text = z.string();

/** An entry of the audit log; of mails, texts, contacts and intakes it names members only, never values. */
export const EntrySchema = z.object({
  id: text,
  at: text,
  actor: z.nullable(PersonSchema),
  /** IP address and user agent of the request; null for the server's own work. */
  address: z.nullable(text),
  agent: z.nullable(text),
  action: text,
  entity: text,
  /** Null for a failed sign-in to no account. */
  entityId: z.nullable(text),
  /** Today's name of what was changed. */
  name: z.nullable(text),
  caseId: z.nullable(text),
  /** Today's name of the matter. */
  caseName: z.nullable(text),
  requestId: z.nullable(text),
  before: z.nullable(z.unknown()),
  after: z.nullable(z.unknown()),
  /** The same in words: what differs, or all of what was added or deleted. */
  changes: z.array(ChangeSchema),
});
export type Entry = z.infer<typeof EntrySchema>;

const moment = (label: string) =>
  z.optional(z.union([day(label), instant(label)], `${label} must be a date`));
const filters = {
  actor: z.optional(line('Actor')),
  action: z.optional(line('Action')),
  /** A kind of entity, or the id of one. */
  entity: z.optional(line('Entity')),
  caseId: z.optional(line('Case')),
  address: z.optional(line('Address')),
  /** Instants, or days in UTC; the last day is included. */
  from: moment('From'),
  to: moment('To'),
};
const FiltersSchema = z.object(filters);
export type RecordFilters = z.infer<typeof FiltersSchema>;

/** A seal by the first half of its SHA-256 in hexadecimal. */
const seal = z.nullable(text);

export const auditRoutes = {
  listEntries: defineRoute({
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'Entries of the audit log, newest first',
    access: 'admin',
    query: z.object({ ...filters, limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ entries: z.array(EntrySchema), ...pagingReply, sealedUpTo: text }),
    message: 'OK',
  }),
  exportEntries: defineRoute({
    method: 'GET',
    path: '/api/v1/audit/export',
    summary: 'The same entries as CSV',
    access: 'admin',
    cookie: true,
    query: FiltersSchema,
    message: 'OK',
  }),
  checkSeals: defineRoute({
    method: 'GET',
    path: '/api/v1/audit/seals',
    summary: 'Whether every sealed entry is as it was written',
    access: 'admin',
    reply: z.object({
      seal,
      first: z.nullable(z.object({ id: text, at: text })),
      /** The first entry that does not fit its seal, and the history that it belongs to, if not to the record itself. */
      broken: z.nullable(z.object({ entryId: text, of: z.nullable(text) })),
    }),
    message: 'OK',
  }),
  checkSeal: defineRoute({
    method: 'GET',
    path: '/api/v1/audit/{id}/seal',
    summary: 'The seal over an entry, null until the next one, and whether they match',
    access: 'admin',
    reply: z.object({ seal, matches: z.boolean() }),
    message: 'OK',
  }),
};
