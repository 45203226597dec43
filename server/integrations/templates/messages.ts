// Orders to the confined process, and its messages.

import * as z from 'zod/mini';
import type { Data, Field } from './catalog.ts';

/** Bytes of the template follow. */
export type Order = { size: number; catalog: readonly Field[] } & (
  | { task: 'inspect' }
  | {
      task: 'fill';
      wants: Wants;
      /** The same in each run. */
      data: Data;
      answers: Readonly<Record<string, string>>;
      runs: readonly Data[];
    }
);
/** Gaps alone, with the first page, or with the document. */
export type Wants = 'gaps' | 'preview' | 'document';

const text = z.string().check(z.maxLength(40_000));
const texts = z.array(text).check(z.maxLength(10_000));

const ProblemSchema = z.object({ place: text, message: text });
/** `place` is 'Page n', 'Paragraph n', 'Table n, row m', 'Header', 'Footer', 'Footnote' or 'Endnote'. */
export type Problem = z.infer<typeof ProblemSchema>;

const InspectionSchema = z.object({
  /** Paths of all fields that are named. */
  fields: texts,
  questions: texts,
  usesLists: z.boolean(),
  problems: z.array(ProblemSchema).check(z.maxLength(100)),
});
export type Inspection = z.infer<typeof InspectionSchema>;

const GapSchema = z.object({
  /** The whole path of a field, or the question. */
  path: text,
  label: text,
  isQuestion: z.boolean(),
  places: texts,
  count: z.number(),
});
/** An empty field or an unanswered question that is printed. */
export type Gap = z.infer<typeof GapSchema>;

const is = z.optional(z.literal(true));
const RunSchema = z.object({
  text,
  bold: is,
  italic: is,
  underline: is,
  /** Half points. */
  size: z.optional(z.number()),
  /** Path of the blank. */
  gap: z.optional(text),
});
export type PreviewRun = z.infer<typeof RunSchema>;
const BlockSchema = z.object({
  align: z.optional(z.enum(['center', 'right', 'both'])),
  /** Levels. */
  indent: z.optional(z.number()),
  /** '1.' or '•' */
  marker: z.optional(text),
  /** Whether a line is drawn under it. */
  rule: is,
  runs: z.array(RunSchema),
  /** Cells of a table's row. */
  row: z.optional(z.array(z.array(RunSchema))),
});
export type PreviewBlock = z.infer<typeof BlockSchema>;

/** A document may have taken the child over, so that the shape of its messages is checked. */
export const MessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('inspected'), inspection: InspectionSchema }),
  /** Bytes follow in a frame of their own. */
  z.object({
    type: z.literal('filled'),
    gaps: z.array(GapSchema),
    preview: z.optional(z.array(BlockSchema)),
    hasBytes: z.boolean(),
  }),
  /** This run alone failed. */
  z.object({ type: z.literal('failed'), error: text }),
  z.object({ type: z.literal('unreadable'), reason: text }),
]);
export type Message = z.infer<typeof MessageSchema>;
