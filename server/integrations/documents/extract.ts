// Reads documents of every format, in a confined process that can be ended.

import path from 'node:path';
import { Readable } from 'node:stream';
import { withShortRuns } from '@matterdesk/contract/normalization.ts';
import { type ConfinedProcess, StandbyProcess } from '../confinement/confined-process.ts';
import { hasPages, type DocumentKind } from './kinds.ts';
import {
  type Page,
  pageOf,
  type Passage,
  MessageSchema,
  type Message,
  type Order,
  reasons,
  UnreadableDocument,
} from './messages.ts';
import { PictureService } from './tesseract.ts';

/** Crashing pages after which the rest of the document is skipped. */
const MAX_CRASHING_PAGES = 5;

export type Extraction = {
  kind: DocumentKind;
  /** Bytes. */
  size: number;
  /** Opened again for each attempt. */
  open: () => Promise<Readable>;
  /** First missing page. */
  from: number;
  signal: AbortSignal;
  limits?: Limits;
  /** The program that reads pictures; without it, the reading process does so itself. */
  tesseract?: string | undefined;
};

export type ExtractedPage =
  | { type: 'begin'; pages: number }
  | { type: 'page'; page: Page }
  /** Names what was skipped, in words for users. */
  | { type: 'note'; text: string };

/** The document reached its limit of work; the pages read so far are kept. */
export class WorkLimitReached extends UnreadableDocument {}

/**
 * Yields the pages of a document in order. A page that crashes the reading process stays empty and
 * reading resumes after it, so that good pages survive.
 * @throws Unreadable with the reason for the user; WorkLimitReached when its work is used up
 */
export async function* extractPages(extraction: Extraction): AsyncGenerator<ExtractedPage> {
  const { kind, size } = extraction;
  if (size === 0) throw new UnreadableDocument(reasons.empty);
  const state: State = { next: extraction.from, pages: 0, worked: 0, isInTurn: false };
  for (let killers = 0; ;) {
    try {
      yield* readOn(extraction, state);
      return;
    } catch (error) {
      if (!(error instanceof ChildEnded)) throw error;
      if (error.why === 'work') throw new WorkLimitReached(reasonAfter(state), { cause: error });
      if (state.pages < 2 || !hasPages(kind))
        throw new UnreadableDocument(reasonOf(error), { cause: error });
      if (!state.isInTurn) {
        // Any of the pages that were begun may have done it.
        state.isInTurn = true;
        continue;
      }
      const isLast = killers === MAX_CRASHING_PAGES || state.next === state.pages;
      yield { type: 'note', text: noteOn(state, isLast) };
      yield { type: 'page', page: pageOf(state.next) };
      state.next += 1;
      killers += 1;
      if (isLast) return;
    }
  }
}

type State = {
  next: number;
  pages: number;
  /** Milliseconds, of all attempts. */
  worked: number;
  /** Reads one page after the other, to find which of them crashes. */
  isInTurn: boolean;
};

async function* readOn(
  { kind, size, open, signal, tesseract, limits: given = usualLimits }: Extraction,
  state: State,
): AsyncGenerator<ExtractedPage> {
  const { worked: before, pages: known } = state;
  const limits = { ...given, work: given.work - before };
  const timeoutMs = limits.silence * STALL_FACTOR;
  const pictures = await PictureService.open(tesseract, { work: limits.silence, timeoutMs });
  const ahead = Math.min(pictures.ahead, state.isInTurn ? 1 : Number.POSITIVE_INFINITY);
  state.isInTurn ||= ahead === 0;
  const order = { task: 'extract', kind, size, from: state.next, ahead } as const;
  const onWorked = (worked: number) => (state.worked = before + worked);
  const body = await open();
  const task = { order, body, size, signal, limits, onWorked, pictures };
  for await (const message of askChild(task)) {
    if (message.type === 'unreadable') throw new UnreadableDocument(message.reason);
    // A child that counts otherwise was taken over.
    if (message.type === 'page' && message.page.page !== state.next) throw new ChildEnded('crash');
    if (message.type === 'begin') {
      state.pages = message.pages;
      if (known > 0) continue;
    }
    if (message.type === 'page') {
      state.next = message.page.page + 1;
      // The database normalizes the text of pages, too.
      yield { ...message, page: { ...message.page, text: withShortRuns(message.page.text) } };
    }
    if (message.type === 'note' || message.type === 'begin') yield message;
  }
}

function reasonAfter({ next, pages }: State): string {
  return reasons.workedEnough(next - 1, pages);
}

function reasonOf({ why }: ChildEnded): string {
  if (why === 'memory') return reasons.tooMuch;
  return why === 'silence' ? reasons.tooLong : reasons.gaveUp;
}

function noteOn({ next, pages }: State, isLast: boolean): string {
  return isLast && next < pages
    ? `Pages ${next} to ${pages} could not be read.`
    : `Page ${next} could not be read.`;
}

/**
 * Splits a document's pages into passages, also in its own process.
 * @throws ChildEnded
 */
export async function* dividePagesConfined(
  kind: DocumentKind,
  pages: AsyncIterable<Page>,
  signal: AbortSignal,
): AsyncGenerator<Passage> {
  const order = { task: 'divide', hasPages: hasPages(kind) } as const;
  const body = Readable.from(asLines(pages));
  for await (const message of askChild({ order, body, size: 0, signal }))
    if (message.type === 'passage') yield message.passage;
}

async function* asLines(pages: AsyncIterable<Page>): AsyncGenerator<string> {
  for await (const page of pages) yield `${JSON.stringify(page)}\n`;
}

const MEBIBYTE = 1024 * 1024;
const MINUTE = 60_000;

type Limits = {
  /** MiB of memory in addition to the document. */
  memory: number;
  /** Milliseconds that the child may work without a message. */
  silence: number;
  /** Milliseconds that the child may work. */
  work: number;
};

/** On a busy machine a child waits for its turn; after this multiple of its work time it counts as stopped. */
const STALL_FACTOR = 10;
/** Most milliseconds between two checks of the child's work, and the number of checks per silence limit. */
const MAX_CHECK_INTERVAL_MS = 12_000;
const CHECKS_PER_SILENCE = 10;

export const usualLimits: Limits = { memory: 600, silence: 2 * MINUTE, work: 30 * MINUTE };

const program = { script: path.join(import.meta.dirname, 'child.ts'), heap: 400 };
/** Bytes. */
const MAX_MESSAGE_BYTES = 32 * MEBIBYTE;
const spare = new StandbyProcess(program, { longest: MAX_MESSAGE_BYTES, rest: 10_000 });

/** The child was killed, or exited before it was done. */
export class ChildEnded extends Error {
  readonly why: 'memory' | 'silence' | 'work' | 'crash';

  constructor(why: ChildEnded['why'], detail = '') {
    super(`the reading process ended: ${why} ${detail}`.trim());
    this.why = why;
  }
}

type Task = {
  order: Order;
  /** Bytes that follow the order. */
  body: Readable;
  /** Bytes that the child holds in any case. */
  size: number;
  limits?: Limits | undefined;
  signal: AbortSignal;
  /** Receives the milliseconds that the child worked. */
  onWorked?: ((milliseconds: number) => void) | undefined;
  /** Reads pictures that the child sends. */
  pictures?: PictureService;
};

/**
 * Runs one task in another process, which ends with it, and yields its messages.
 * @throws ChildEnded when it exceeds its memory or time, or crashes
 */
async function* askChild(task: Task): AsyncGenerator<Message> {
  const { memory, silence, work } = task.limits ?? usualLimits;
  task.signal.throwIfAborted();
  const child = await spare.take();
  let why: ChildEnded['why'] | undefined;
  const end = (reason: ChildEnded['why']) => {
    why ??= reason;
    child.kill();
  };
  const { pictures } = task;
  const abort = () => child.kill();
  task.signal.addEventListener('abort', abort);
  if (task.signal.aborted) abort();
  const most = memory * MEBIBYTE + task.size * 2;
  child.watchMemory(most, () => end('memory'));
  let isWaiting = true;
  const stopListening = watchWork(child, {
    silence,
    work,
    // Not while the caller still processes the last message, or another process reads pictures.
    isExcused: () => !isWaiting || pictures?.isBusy === true,
    workedBeside: () => pictures?.worked ?? 0,
    tooLong: end,
    onWorked: task.onWorked,
  });
  const fed = child.feed(task.order, task.body);
  let isDone = false;
  try {
    for (let message; !isDone && (message = await receive(child, pictures));) {
      isDone = message.type === 'end';
      isWaiting = false;
      if (!isDone && message.type !== 'picture') yield message;
      isWaiting = true;
    }
    const broken = await fed;
    if (!isDone) await child.exited();
    task.signal.throwIfAborted();
    // A failed source, rather than a child that stopped reading.
    if (broken && !why && !isDone) throw broken;
    if (!isDone || why) throw new ChildEnded(why ?? 'crash', child.errors);
  } finally {
    stopListening();
    pictures?.close();
    task.signal.removeEventListener('abort', abort);
    child.kill();
  }
}

/** Undefined at the end, and for anything that is no message: a child that sends that is not asked further. */
async function receive(
  child: ConfinedProcess,
  pictures?: PictureService,
): Promise<Message | undefined> {
  try {
    const message = await child.receiveAs(MessageSchema);
    if (message?.type === 'picture') await pictures?.take(child, message.id);
    return message;
  } catch {
    child.kill();
    return undefined;
  }
}

type WatchLimits = {
  silence: number;
  work: number;
  isExcused: () => boolean;
  /** Milliseconds that other processes worked for the child. */
  workedBeside: () => number;
  tooLong: (why: 'silence' | 'work') => void;
  onWorked: Task['onWorked'];
};

/** @returns a function that ends the watch */
function watchWork(child: ConfinedProcess, watch: WatchLimits): () => void {
  const { silence, work, isExcused, workedBeside, tooLong, onWorked } = watch;
  const pause = Math.min(silence / CHECKS_PER_SILENCE, MAX_CHECK_INTERVAL_MS);
  let received = -1;
  let before = 0;
  let checks = 0;
  const check = async () => {
    const worked = (await child.worked()) + workedBeside();
    onWorked?.(worked);
    if (received !== child.received || isExcused()) {
      received = child.received;
      before = worked;
      checks = 0;
    }
    checks += 1;
    if (worked > work) tooLong('work');
    else if (worked - before > silence || checks > CHECKS_PER_SILENCE * STALL_FACTOR)
      tooLong('silence');
  };
  const timer = setInterval(() => void check(), pause);
  return () => clearInterval(timer);
}
