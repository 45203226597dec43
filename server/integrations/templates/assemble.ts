// Templates of letters, read and filled in confined processes that can be ended.

import path from 'node:path';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import * as z from 'zod/mini';
import {
  type PreviewBlock,
  MissingFieldSchema,
  PreviewBlockSchema,
  ProblemSchema,
} from '@matterdesk/contract/templates.ts';
import { type ConfinedProcess, StandbyProcess } from '../confinement/confined-process.ts';
import { UnreadableDocument } from '../documents/messages.ts';
import type { Data, Field } from './fields.ts';

const MEBIBYTE = 1024 * 1024;
/** Resident bytes of a process. */
const MAX_MEMORY_BYTES = 600 * MEBIBYTE;
/** Milliseconds until the template is read, or until the next document of a request is made. */
const STEP_TIMEOUT_MS = 10_000;
/** Bytes of a message: a document, or a description of one. */
const MAX_FRAME_BYTES = 64 * MEBIBYTE;
/** Processes of this server at a time. */
const AT_ONCE = 2;

const program = { script: path.join(import.meta.dirname, 'child.ts'), heap: 450 };
const spare = new StandbyProcess(program, { longest: MAX_FRAME_BYTES, rest: 10_000 });
const limit = pLimit(AT_ONCE);

const TOO_MUCH = 'The template takes too much time or memory. Make it simpler.';
const errors = {
  tooLarge: 'This document would be too large',
  failed: 'The template could not be filled',
  late: 'There was no time left for this document. Make fewer at a time.',
} as const;

type TemplateRequest = { bytes: Buffer; catalog: readonly Field[]; signal: AbortSignal };

/** @throws Unreadable with the sentence for the user, for unsafe and unreadable files */
export async function inspectTemplate(asked: TemplateRequest): Promise<Inspection> {
  const { bytes, catalog } = asked;
  const order = { task: 'inspect', size: bytes.length, catalog } as const;
  const [first] = await collect(asked, order);
  if (first?.type === 'unreadable') throw new UnreadableDocument(first.reason);
  if (first?.type !== 'inspected') throw new UnreadableDocument(TOO_MUCH);
  return first.inspection;
}

type FillRequest = TemplateRequest & {
  /** Whether to make the documents, or only to list their gaps. */
  isWhole: boolean;
  /** The run whose first page is shown. */
  preview?: number | undefined;
  /** The same in each run. */
  data: Data;
  /** Answers by question, or by the path of an empty field. */
  answers: Readonly<Record<string, string>>;
  /** Each run's own data. */
  runs: readonly Data[];
};

/** Why there is no document; `error` is a sentence for people. */
export type Failure = { code: keyof typeof errors; error: string };
export type FillResult = { gaps: Gap[]; bytes?: Buffer; preview?: PreviewBlock[] } | Failure;

/** Fills a template once for each run. @returns in their order; runs that a failure kept from being made say so */
export async function fillTemplate(asked: FillRequest): Promise<FillResult[]> {
  const { bytes, catalog, signal, isWhole, preview = null, data, answers, runs } = asked;
  const filling = { isWhole, preview, data, answers, runs };
  const order = { task: 'fill', size: bytes.length, catalog, ...filling } as const;
  const filled = (await collect(asked, order)).map(toFilled);
  return runs.map((_, at) => filled[at] ?? toFailure(signal.aborted ? 'late' : 'tooLarge'));
}

type ChildReply = Message & { bytes?: Buffer };

function toFilled(message: ChildReply): FillResult {
  if (message.type === 'failed') return toFailure(message.code);
  if (message.type !== 'filled') return { code: 'failed', error: TOO_MUCH };
  const { gaps, preview, bytes } = message;
  return { gaps, ...(preview && { preview }), ...(bytes && { bytes }) };
}

function toFailure(code: Failure['code']): Failure {
  return { code, error: errors[code] };
}

/** Everything that a child says until it ends, or is ended. */
function collect({ bytes, signal }: TemplateRequest, order: Order): Promise<ChildReply[]> {
  return limit(async () => {
    if (signal.aborted) return [];
    const child = await spare.take();
    const end = () => child.kill();
    signal.addEventListener('abort', end);
    child.watchMemory(MAX_MEMORY_BYTES);
    const received: ChildReply[] = [];
    const wanted = order.task === 'fill' ? order.runs.length : 1;
    try {
      const fed = child.feed(order, Readable.from([bytes]));
      while (received.length < wanted) {
        const message = await child.within(STEP_TIMEOUT_MS, () => receive(child));
        if (!message) break;
        received.push(message);
        if (message.type === 'unreadable') break;
      }
      await child.within(STEP_TIMEOUT_MS, () => fed);
      return received;
    } finally {
      signal.removeEventListener('abort', end);
      child.kill();
    }
  });
}

/** Undefined at the end, and after an invalid message, which ends the child. */
async function receive(child: ConfinedProcess): Promise<ChildReply | undefined> {
  try {
    const message = await child.receiveAs(MessageSchema);
    if (message?.type !== 'filled' || !message.hasBytes) return message;
    const bytes = await child.receive();
    return bytes && { ...message, bytes };
  } catch {
    child.kill();
    return undefined;
  }
}

// Orders to the confined process, and its messages.

/** Bytes of the template follow. */
export type Order = { size: number; catalog: readonly Field[] } & (
  | { task: 'inspect' }
  | {
      task: 'fill';
      /** Whether to make the documents, or only to list their gaps. */
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

const GapSchema = z.extend(z.omit(MissingFieldSchema, { for: true }), { isQuestion: z.boolean() });
/** An empty field or an unanswered question that is printed. */
export type Gap = z.infer<typeof GapSchema>;

/** A document may have taken the child over, so that the shape of its messages is checked. */
const MessageSchema = z.discriminatedUnion('type', [
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
