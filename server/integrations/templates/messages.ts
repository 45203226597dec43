// Orders to the confined process, and its messages.

import * as z from 'zod/mini';
import {
  MissingSchema,
  PreviewBlockSchema,
  ProblemSchema,
} from '@matterdesk/contract/templates.ts';
import type { Data, Field } from './catalog.ts';

/** Bytes of the template follow. */
export type Order = { size: number; catalog: readonly Field[] } & (
  | { task: 'inspect' }
  | {
      task: 'fill';
      /** Whether the documents are wanted, and not only what they lack. */
      isWhole: boolean;
      /** The run whose first page is shown. */
      preview: number | null;
      /** The same in each run. */
      data: Data;
      answers: Readonly<Record<string, string>>;
      runs: readonly Data[];
    }
);

const text = z.string().check(z.maxLength(40_000));
const texts = z.array(text).check(z.maxLength(10_000));

const InspectionSchema = z.object({
  /** Paths of all fields that are named. */
  fields: texts,
  questions: texts,
  usesLists: z.boolean(),
  problems: z.array(ProblemSchema).check(z.maxLength(100)),
});
export type Inspection = z.infer<typeof InspectionSchema>;

const GapSchema = z.extend(z.omit(MissingSchema, { for: true }), { isQuestion: z.boolean() });
/** An empty field or an unanswered question that is printed. */
export type Gap = z.infer<typeof GapSchema>;

/** A document may have taken the child over, so that the shape of its messages is checked. */
export const MessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('inspected'), inspection: InspectionSchema }),
  /** Bytes follow in a frame of their own. */
  z.object({
    type: z.literal('filled'),
    gaps: z.array(GapSchema),
    preview: z.optional(z.array(PreviewBlockSchema)),
    hasBytes: z.boolean(),
  }),
  /** This run alone failed. */
  z.object({ type: z.literal('failed'), code: z.enum(['tooLarge', 'failed']) }),
  z.object({ type: z.literal('unreadable'), reason: text }),
]);
export type Message = z.infer<typeof MessageSchema>;
