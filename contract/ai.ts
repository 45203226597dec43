import * as z from 'zod/mini';
import { BareRefusalSchema } from './errors.ts';
import { defineRoute } from './route.ts';
import { id, line, optionalParagraphs, paragraphs, QUESTION_MAX } from './text.ts';

const text = z.string();
const span = { start: z.number(), end: z.number() };

/** Shown in the popup when there is nothing to send. */
export const NOT_READY = 'Please wait until the AI model is trained, or enter a message.';
export const POLL_INTERVAL_MS = 5000;

const folder = line('folder', { max: 300 });
const fileName = line('file_name', { max: 300 });

export const TrainSchema = z.strictObject({
  case_id: id('case_id is required'),
  folder_to_download: folder,
  file_name: fileName,
});
export type TrainRequest = z.infer<typeof TrainSchema>;

export const CheckSchema = z.strictObject({
  case_id: id('case_id is required'),
  folder,
  file_name: fileName,
});
export type CheckRequest = z.infer<typeof CheckSchema>;

export const QuestionSchema = z.strictObject({
  case_id: id('case_id is required'),
  folder: z.optional(folder),
  file_name: z.optional(fileName),
  question: paragraphs('question', { max: QUESTION_MAX }),
  history: z.optional(
    z
      .array(
        z.strictObject({
          question: paragraphs('question', { max: QUESTION_MAX }),
          answer: optionalParagraphs('answer', { max: 20_000 }),
        }),
        'history must be a list of questions and answers',
      )
      .check(z.maxLength(20, 'history must have at most 20 turns')),
  ),
});
export type Question = z.infer<typeof QuestionSchema>;

export const CitationSchema = z.object({
  /** Number of the citation in the answer. */
  n: z.number(),
  folder: text,
  file_name: text,
  /** The version of the file that the quote is from. */
  version: z.optional(z.number()),
  page: z.number(),
  location: z.nullable(text),
  /** UTF-16 offsets into the extracted text. */
  ...span,
  /** Verbatim the text at `start..end`. */
  quote: text,
  /** The most relevant part of the quote, in the same units. */
  sentence: z.object(span),
});
export type Citation = z.infer<typeof CitationSchema>;

export const AnswerSchema = z.object({
  answer: text,
  citations: z.array(CitationSchema),
  found: z.boolean(),
  /** For generated answers: every sentence is cited, some are not, or the model found nothing. */
  confidence: z.enum(['answer', 'possible', 'none']),
  /** With `none`: the first citation's sentence may answer all the same. */
  mayAnswer: z.optional(z.boolean()),
  mode: z.enum(['extractive', 'generated']),
  notice: z.nullable(text),
  /** Sentences of the answer without a verified citation, as offsets into `answer`. */
  unsupported: z.array(z.object(span)),
});
export type Answer = z.infer<typeof AnswerSchema>;

/** Streamed events: `done` replaces everything streamed so far, `error` ends the stream without an answer. */
export const AskEventSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('citations'),
    data: z.object({ citations: z.array(CitationSchema) }),
  }),
  z.object({ event: z.literal('delta'), data: z.object({ text }) }),
  z.object({ event: z.literal('done'), data: AnswerSchema }),
  z.object({ event: z.literal('error'), data: BareRefusalSchema }),
]);
export type AskEvent = z.infer<typeof AskEventSchema>;

const StatusSchema = z.object({
  status: z.union([z.number(), text]),
  message: text,
  progress: z.optional(z.number()),
});
export type AiStatus = z.infer<typeof StatusSchema>;

export const aiRoutes = {
  train: defineRoute({
    method: 'POST',
    path: '/ai/generate-embedding',
    summary: 'Queues training of a file; "200" once the job is durable',
    access: 'signedIn',
    body: TrainSchema,
    bare: true,
    reply: StatusSchema,
    message: 'Training started',
  }),
  check: defineRoute({
    method: 'POST',
    path: '/ai/check_embeddings',
    summary: '201 trained, 202 working, 404 not trained, 500 failed with the reason',
    access: 'signedIn',
    body: CheckSchema,
    bare: true,
    reply: StatusSchema,
    message: 'OK',
  }),
  ask: defineRoute({
    method: 'POST',
    path: '/ai/chat',
    summary: 'Answers a question from a file, a folder or all trained files of a case',
    access: 'signedIn',
    body: QuestionSchema,
    bare: true,
    reply: AnswerSchema,
    message: 'OK',
  }),
};
