import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { folderOrNone } from './files.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { StreamEntrySchema } from './stream.ts';
import { TaskOfCaseSchema } from './tasks.ts';
import { choice, id, optionalLine } from './text.ts';

export const traySources = ['mail', 'text', 'upload', 'scan'] as const;
export type TraySource = (typeof traySources)[number];

/** Days in which a filing, or a dismissal, can be undone. */
export const UNDO_DAYS = 30;
export const FILED_ALREADY = 'This was filed already';
export const DISMISSED_ALREADY = 'This was dismissed already';

const text = z.string();
const MatterSchema = z.object({ id: text, caseName: text, caseNo: z.nullable(text) });

/** Something that arrived and is in no matter yet, as its reader sees it. */
export const TrayItemSchema = z.object({
  id: text,
  source: z.enum(traySources),
  at: text,
  title: text,
  excerpt: text,
  from: z.nullable(
    z.object({
      name: z.nullable(text),
      email: z.optional(text),
      phoneNumber: z.optional(text),
    }),
  ),
  pages: z.nullable(z.number()),
  proposals: z.array(z.object({ case: MatterSchema, reason: text })),
  /** Null for what no one sent in, as scans. */
  owner: z.nullable(PersonSchema),
  /** Google's id of a mail, for its reader; absent for everything else. */
  mailId: z.optional(text),
  /** The newest file with the same bytes in a matter that the reader sees. */
  duplicateOf: z.nullable(z.object({ case: MatterSchema, url: text })),
});
export type TrayItem = z.infer<typeof TrayItemSchema>;

const CountsSchema = z.record(z.enum(traySources), z.number());
export type TrayCounts = z.infer<typeof CountsSchema>;

/** Items that the receiver may file, by source. */
export const TrayChangedSchema = z.object({ counts: CountsSchema });

const FilingSchema = z.strictObject({
  case: id('Please select any case'),
  /** Without one, the folder of what came from there. */
  folder: z._default(folderOrNone, ''),
  /** Added to the case in the same write; needs editTasks. */
  task: z.optional(z.nullable(TaskOfCaseSchema)),
});
export type Filing = z.infer<typeof FilingSchema>;

const done = z.object({
  item: TrayItemSchema,
  /** Its file; null for a mail or a text, and after an undo. */
  url: z.nullable(text),
  entry: z.nullable(StreamEntrySchema),
});

/** The bytes of an item. */
export function trayContentUrl(itemId: string): string {
  return `/api/v1/tray/${encodeURIComponent(itemId)}/content`;
}

export const trayRoutes = {
  listTray: defineRoute({
    method: 'GET',
    path: '/api/v1/tray',
    summary: 'What arrived and is in no case yet, oldest first',
    access: 'signedIn',
    query: z.object({
      source: z.optional(choice('Source', traySources)),
      limit: pagingQuery.limit,
      cursor: pagingQuery.cursor,
    }),
    reply: z.object({
      items: z.array(TrayItemSchema),
      counts: CountsSchema,
      ...pagingReply,
      /** Papers that could not be taken; for those with sortPapers. */
      problems: z.array(z.object({ name: text, reason: text, at: text })),
    }),
    message: 'OK',
  }),
  readContent: defineRoute({
    method: 'GET',
    path: '/api/v1/tray/{id}/content',
    summary: 'The bytes of a paper, whole or in ranges; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    query: z.object({
      download: z.optional(z.enum(['0', '1'], { error: 'download must be one of 0, 1' })),
    }),
    message: 'OK',
  }),
  fileItem: defineRoute({
    method: 'POST',
    path: '/api/v1/tray/{id}/file',
    summary: 'Makes an item a file of a case, perhaps with a task; this can be undone for 30 days',
    access: 'signedIn',
    body: FilingSchema,
    reply: done,
    message: 'Filed',
    idempotent: true,
  }),
  dismissItem: defineRoute({
    method: 'POST',
    path: '/api/v1/tray/{id}/dismiss',
    summary: 'Takes what is not for a case out of the tray; this can be undone for 30 days',
    access: 'signedIn',
    body: z.strictObject({ reason: z._default(optionalLine('Reason'), '') }),
    reply: done,
    message: 'Dismissed',
    idempotent: true,
  }),
  undoItem: defineRoute({
    method: 'POST',
    path: '/api/v1/tray/{id}/undo',
    summary: 'Puts an item back into the tray; the file that it became goes to the trash',
    access: 'signedIn',
    reply: done,
    message: 'Undone',
  }),
};
