import * as z from 'zod/mini';

/** UTF-16 units, at most; numbers that no document reaches. */
const offset = z.int().check(z.nonnegative());
const pageNumber = z.int().check(z.positive(), z.lte(1_000_000));

/** Start of a heading, paragraph or row in a page's text. */
const MarkSchema = z.object({
  /** UTF-16 units from the start of the page. */
  at: offset,
  /** 1 to 9 for a heading, 0 for certainly none; absent: judge by the text. */
  level: z.optional(z.int()),
  /** Location in formats without pages: 'Sheet 2, row 14'. */
  location: z.optional(z.string()),
});
export type Mark = z.infer<typeof MarkSchema>;

const PageSchema = z.object({
  page: pageNumber,
  text: z.string(),
  marks: z.array(MarkSchema),
  isScanned: z.boolean(),
});
export type Page = z.infer<typeof PageSchema>;

export function pageOf(page: number, text = ''): Page {
  return { page, text, marks: [], isScanned: false };
}

const PassageSchema = z.object({
  page: pageNumber,
  /** UTF-16 units from the start of the document. */
  start: offset,
  end: offset,
  /** 'Article 5 › Limitation of liability'; empty without a heading. */
  heading: z.string(),
  location: z.nullable(z.string()),
  text: z.string(),
});
export type Passage = z.infer<typeof PassageSchema>;

/** Order to the child, before the bytes or the pages. */
export type Order =
  | {
      task: 'extract';
      kind: string;
      /** Bytes that follow. */
      size: number;
      /** First missing page. */
      from: number;
      /** Pages to read at a time, whose pictures are read outside; 0 where the child reads its pictures itself. */
      ahead: number;
    }
  | { task: 'divide'; hasPages: boolean };

/** Messages of the child, one JSON text each. A document may have taken it over, so their shape is checked. */
export const MessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), pages: offset }),
  z.object({ type: z.literal('page'), page: PageSchema }),
  z.object({ type: z.literal('passage'), passage: PassageSchema }),
  /** Names what was skipped, in words for users. */
  z.object({ type: z.literal('note'), text: z.string() }),
  /** Asks for the text of a picture, whose bytes are the next frame. */
  z.object({ type: z.literal('picture'), id: offset }),
  /** A heartbeat while work goes on. */
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('unreadable'), reason: z.string() }),
  z.object({ type: z.literal('end') }),
]);
export type Message = z.infer<typeof MessageSchema>;

/** The answer to a picture; null: read it yourself. */
export type PictureReply = { id: number; text: string | null };

/** An unreadable document. The message is for users. */
export class UnreadableDocument extends Error {}

export const reasons = {
  empty: 'The file is empty.',
  encrypted: 'The file is password-protected. Save a copy without the password and upload that.',
  broken: (what: string) =>
    `The file is damaged or isn’t ${what}. Check that it opens on your computer and upload it again.`,
  noText: 'No text found in this file.',
  noTextInScan: 'No readable text in this image. A sharper scan, right side up, may help.',
  tooMuch:
    'The file expands to far more than its size, so it may be damaged or harmful. It wasn’t read.',
  tooLong: 'Reading the file took too long.',
  deleted: 'The file was deleted.',
  workedEnough: (read: number, pages: number) =>
    `Reading stopped after 30 minutes of work, at page ${read} of ${pages}. Train the file again to continue.`,
  gaveUp: 'Couldn’t read the file. Try again, or upload it in another format.',
} as const;
