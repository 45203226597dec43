import * as z from 'zod/mini';
import { ChangeSchema, PersonSchema } from './cases.ts';
import { folderName } from './files.ts';
import { messageStatuses } from './message-statuses.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import {
  choice,
  id,
  isHarmless,
  line,
  missingOr,
  optionalLine,
  optionalParagraphs,
  paragraphs,
  QUESTION_MAX,
} from './text.ts';
import { day, instant } from './time.ts';

export const entryKinds = ['note', 'call', 'memo', 'filing'] as const;
export type EntryKind = (typeof entryKinds)[number];
export const otherSources = [
  ...(['mail', 'text', 'file', 'task', 'event', 'deadline', 'check', 'change'] as const),
] as const;
export const streamSources = ['entry', ...otherSources] as const;
export type StreamSource = (typeof streamSources)[number];
/** Chips of the stream: kinds of entries, and the other sources. */
export const streamKinds = [...entryKinds, ...otherSources] as const;
export type StreamKind = (typeof streamKinds)[number];
export const callResults = [
  ...(['reached', 'leftMessage', 'noAnswer', 'busy', 'wrongNumber', 'callBack'] as const),
] as const;
export type CallResult = (typeof callResults)[number];

export const ENTRY_MAX = 20_000;
/** People mentioned in an entry, and files at it. */
export const MENTIONS_MAX = 20;
export const ENTRY_FILES_MAX = 20;
/** Characters of a quotation in an answer; a passage has fewer. */
const QUOTATION_MAX = 4000;
const PAGE_MAX = 999_999_999;
/** Entries of a matter that are pinned at once. */
export const PINS_MAX = 5;
const SECONDS_MAX = 86_400;
const PEOPLE_MAX = 50;
const LIST_MAX = 4000;

export const IN_FUTURE = 'Time must not be in the future';
export const BEFORE_CALLS = 'Time must not be before 1900';

const text = z.string();
const seconds = `Seconds must be a whole number from 0 to ${SECONDS_MAX}`;

const CallInputSchema = z.strictObject({
  direction: choice('Direction', ['in', 'out']),
  contact: z._default(z.nullable(id('Contact must be a contact id')), null),
  name: z._default(z.nullable(optionalLine('Name')), null),
  number: z._default(z.nullable(optionalLine('Number', { max: 40 })), null),
  seconds: z._default(
    z.nullable(z.int(seconds).check(z.minimum(0, seconds), z.maximum(SECONDS_MAX, seconds))),
    null,
  ),
  result: z._default(z.nullable(choice('Result', callResults)), null),
});
export type CallInput = z.infer<typeof CallInputSchema>;

const page = 'Page must be a whole number from 1';

const AnswerInputSchema = z.strictObject({
  question: paragraphs('Question', { max: QUESTION_MAX }),
  quotation: paragraphs('Quotation', { max: QUOTATION_MAX }),
  /** A file's url, with `?version=` for one that was quoted before it was replaced. */
  url: line('Url', { max: 3000 }),
  /** The page on which the quotation begins. */
  page: z.int(page).check(z.minimum(1, page), z.maximum(PAGE_MAX, page)),
});
export type AnswerInput = z.infer<typeof AnswerInputSchema>;

const fields = {
  text: optionalParagraphs('Text', { required: 'Text is required', max: ENTRY_MAX }),
  /** When it happened; now, if it is left out. */
  at: z.nullable(
    instant('Time').check(
      z.refine((time) => time >= '1900-01-01T00:00:00.000Z', { error: BEFORE_CALLS, abort: true }),
    ),
  ),
  call: z.nullable(CallInputSchema),
  mentions: z
    .array(id('Please select any user'), 'Mentions must be a list of user ids')
    .check(z.maxLength(MENTIONS_MAX, `At most ${MENTIONS_MAX} people can be mentioned`)),
  files: z
    .array(line('Url', { max: 3000 }), 'Files must be a list of urls')
    .check(z.maxLength(ENTRY_FILES_MAX, `At most ${ENTRY_FILES_MAX} files can be added`)),
};

/**
 * The service refuses an empty text, except for a call with a result and for an answer. Only the kind 'call' may have
 * `call`, and only the kind 'memo' may have `answer`.
 */
export const NewEntrySchema = z.strictObject({
  kind: choice('Kind', entryKinds),
  text: z._default(fields.text, ''),
  at: z._default(fields.at, null),
  call: z._default(fields.call, null),
  mentions: z._default(fields.mentions, []),
  files: z._default(fields.files, []),
  /** An answer of the AI chat that its reader adds, whose quotation is verified again. */
  answer: z._default(z.nullable(AnswerInputSchema), null),
});
export type NewEntry = z.infer<typeof NewEntrySchema>;

const EntryPatchSchema = z.partial(z.strictObject(fields));
export type EntryPatch = z.infer<typeof EntryPatchSchema>;

const CallSchema = z.object({
  direction: z.enum(['in', 'out']),
  contact: z.nullable(z.object({ id: text, name: text })),
  name: z.nullable(text),
  number: z.nullable(text),
  seconds: z.nullable(z.number()),
  result: z.nullable(z.enum(callResults)),
});
export type Call = z.infer<typeof CallSchema>;

/** The url is null once the file was deleted, or once the file or the entry is in another matter. */
const AnswerSchema = z.object({
  question: text,
  quotation: text,
  url: z.nullable(text),
  page: z.number(),
});
export type EntryAnswer = z.infer<typeof AnswerSchema>;

/** A task, an event or a deadline that was made from an entry, as it is now. */
const MadeSchema = z.object({
  type: z.enum(['task', 'event', 'deadline']),
  id: text,
  title: text,
  state: text,
});

/** A note, call, memo or filing of a matter. */
export const StreamEntrySchema = z.object({
  id: text,
  case: text,
  kind: z.enum(entryKinds),
  /** Empty after deletion. */
  text,
  /** When it happened, and when it was written. */
  at: text,
  enteredAt: text,
  author: PersonSchema,
  call: z.nullable(CallSchema),
  mentions: z.array(PersonSchema),
  files: z.array(text),
  answer: z.nullable(AnswerSchema),
  editedAt: z.nullable(text),
  deleted: z.boolean(),
  pinned: z.boolean(),
  made: z.array(MadeSchema),
  updatedAt: text,
});
export type StreamEntry = z.infer<typeof StreamEntrySchema>;

/** For those who see the matter that an entry left: the entry's id, and nothing else about it. */
export const EntryMovedSchema = z.object({ id: text, case: z.null() });

const FiledTextSchema = z.object({
  from: text,
  to: text,
  body: text,
  status: z.enum(messageStatuses),
  dateSent: text,
  media: z.array(z.object({ url: text, mimeType: text })),
});

export const StreamItemSchema = z.object({
  id: text,
  source: z.enum(streamSources),
  at: text,
  /** Null for the server itself. */
  actor: z.nullable(PersonSchema),
  /** The kind of an entry; of everything else its verb: created, changed, done, moved, deleted, filed. */
  kind: text,
  title: text,
  excerpt: text,
  /** A file's url, or the application's own address. */
  link: z.nullable(text),
  pinned: z.boolean(),
  canEdit: z.boolean(),
  /** Values before and after, where something existing was changed. */
  changes: z.array(ChangeSchema),
  entry: z.optional(StreamEntrySchema),
  text: z.optional(FiledTextSchema),
});
export type StreamItem = z.infer<typeof StreamItemSchema>;

const kindsText = `Kinds must be one of ${streamKinds.join(', ')}, all`;
const wanted = new Set<string>([...streamKinds, 'all']);

const peopleText = `People must be at most ${PEOPLE_MAX} user ids`;

/** The members of a list in a query, which commas part. */
export function partsOf(list = ''): string[] {
  return list.split(',').filter((part) => part !== '');
}

const filters = {
  kinds: z.optional(
    z.string(kindsText).check(
      z.maxLength(LIST_MAX, { error: kindsText, abort: true }),
      z.refine((list) => partsOf(list).every((kind) => wanted.has(kind)), kindsText),
    ),
  ),
  /** Ids of users who act. */
  people: z.optional(
    z.string(peopleText).check(
      z.maxLength(LIST_MAX, { error: peopleText, abort: true }),
      z.refine((list) => isHarmless(list) && partsOf(list).length <= PEOPLE_MAX, peopleText),
    ),
  ),
  /** Days in the firm's zone, both included. */
  from: z.optional(day('From')),
  to: z.optional(day('To')),
  search: pagingQuery.search,
};
const StreamQuerySchema = z.object({
  ...filters,
  limit: pagingQuery.limit,
  cursor: pagingQuery.cursor,
});
export type StreamQuery = z.infer<typeof StreamQuerySchema>;

/** The filters of the stream, and the folder in which it is saved. */
export const StreamPrintSchema = z.strictObject({ ...filters, folder: folderName });
export type StreamPrint = z.infer<typeof StreamPrintSchema>;

const one = z.object({ entry: StreamEntrySchema });
const entry = { path: '/api/v1/entries/{id}', access: 'signedIn' } as const;

export const PEOPLE_SEARCH_MIN = 3;
const lookText = `Search must have ${PEOPLE_SEARCH_MIN} to 100 characters`;

const FoundPersonSchema = z.object({
  contact: z.object({ id: text, name: text }),
  phoneNumber: z.nullable(text),
  matters: z.array(z.object({ id: text, caseName: text, caseNo: z.nullable(text) })),
});
export type FoundPerson = z.infer<typeof FoundPersonSchema>;

export const streamRoutes = {
  readStream: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/stream',
    summary: 'What happened in a case, newest first, with how much there is of each kind',
    access: 'signedIn',
    query: StreamQuerySchema,
    reply: z.object({
      items: z.array(StreamItemSchema),
      /** Whatever the filters, on the first page. */
      pinned: z.array(StreamItemSchema),
      counts: z.record(text, z.number()),
      ...pagingReply,
    }),
    message: 'OK',
  }),
  printStream: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/stream/print',
    summary:
      'Saves a PDF of what everyone with access sees in the stream, with the files of the case',
    access: 'signedIn',
    body: StreamPrintSchema,
    reply: z.object({ url: text }),
    status: 201,
    message: 'Stream saved',
  }),
  addEntry: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/entries',
    summary: 'Adds a note, a call, a memo or a filing to a case',
    access: 'signedIn',
    body: NewEntrySchema,
    reply: one,
    status: 201,
    message: 'Entry added',
    idempotent: true,
  }),
  readEntry: defineRoute({
    ...entry,
    method: 'GET',
    summary: 'An entry of a case with its earlier texts, oldest first',
    reply: z.object({
      entry: StreamEntrySchema,
      versions: z.array(z.object({ text, at: text, by: PersonSchema })),
    }),
    message: 'OK',
  }),
  changeEntry: defineRoute({
    ...entry,
    method: 'PATCH',
    summary: 'Changes an entry, which its author alone may; earlier texts stay',
    body: EntryPatchSchema,
    reply: one,
    message: 'Entry updated',
  }),
  deleteEntry: defineRoute({
    ...entry,
    method: 'DELETE',
    summary: 'Empties an entry, and leaves who deleted it',
    reply: one,
    message: 'Entry deleted',
  }),
  pinEntry: defineRoute({
    ...entry,
    method: 'PUT',
    path: '/api/v1/entries/{id}/pin',
    summary: 'Pins an entry to the top of its case, or takes it from there',
    body: z.strictObject({ pinned: z.boolean('Pinned must be true or false') }),
    reply: one,
    message: 'Entry updated',
  }),
  moveEntry: defineRoute({
    ...entry,
    method: 'POST',
    path: '/api/v1/entries/{id}/move',
    summary: 'Moves an entry to another case; both say so',
    body: z.strictObject({
      case: id('Please select any case'),
      reason: line('Reason', { required: 'Please enter a reason', max: 500 }),
    }),
    reply: one,
    message: 'Entry moved',
  }),
  lookForCallers: defineRoute({
    method: 'GET',
    path: '/api/v1/calls/look',
    summary: 'Contacts by a part of their name or number, with their active cases',
    access: 'signedIn',
    query: z.object({
      q: z
        .string({ error: missingOr(lookText, lookText) })
        .check(
          z.trim(),
          z.minLength(PEOPLE_SEARCH_MIN, { error: lookText, abort: true }),
          z.maxLength(100, { error: lookText, abort: true }),
          z.refine(isHarmless, lookText),
        ),
    }),
    reply: z.object({ people: z.array(FoundPersonSchema) }),
    message: 'OK',
  }),
};

/** Texts that are filed at once. */
export const TEXTS_MAX = 100;
const batchText = `Send 1 to ${TEXTS_MAX} message ids`;
const texts = {
  path: '/api/v1/messages/file',
  access: 'signedIn',
  body: z.strictObject({
    case: id('Please select any case'),
    messageIds: z
      .array(id('Select a text'), batchText)
      .check(z.minLength(1, batchText), z.maxLength(TEXTS_MAX, batchText)),
  }),
} as const;

export const textFilingRoutes = {
  fileTexts: defineRoute({
    ...texts,
    method: 'POST',
    summary: "Files the caller's texts to a case, where everyone with access reads them",
    reply: z.object({ filed: z.number() }),
    message: 'Texts filed',
  }),
  unfileTexts: defineRoute({
    ...texts,
    method: 'DELETE',
    summary: 'Takes texts from a case again',
    reply: z.object({ unfiled: z.number() }),
    message: 'Texts unfiled',
  }),
};
