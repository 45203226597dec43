// Reads documents of every format, in a process that can be ended.

import type { Readable } from 'node:stream';
import type { Message, Order } from './messages.ts';
import { Reader } from './reader.ts';

const MEBIBYTE = 1024 * 1024;

export type Limits = {
  /** MiB of memory in addition to the document. */
  memory: number;
  /** Milliseconds that the child may work without a message. */
  silence: number;
};

/** On a busy machine a child waits for its turn; after this multiple of its work time it counts as stopped. */
const PATIENCE = 10;
/** Checks per silence limit. */
const LOOKS = 10;

// A scan with two parallel pages in OCR takes up to 730.
const usualLimits: Limits = { memory: 1000, silence: 120_000 };

/** Idle readers for the next task: starting one costs ten times as much as reading a letter. */
const resting: Reader[] = [];
const MOST_RESTING = 2;
/** Milliseconds. */
const LONGEST_REST = 10_000;
/** Tasks, and retained bytes, after which a reader is replaced, to bound leaks. */
const MOST_TASKS = 200;
const MOST_KEPT = 200 * MEBIBYTE;

/** The child was killed, or exited before it was done. */
export class ChildEnded extends Error {
  readonly why: 'memory' | 'silence' | 'crash';

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
};

/**
 * Runs one task in another process and yields its messages.
 * @throws ChildEnded when it exceeds its memory or time, or crashes
 */
export async function* askChild(task: Task): AsyncGenerator<Message> {
  const { memory, silence } = task.limits ?? usualLimits;
  task.signal.throwIfAborted();
  const reader = takeReader();
  let why: ChildEnded['why'] | undefined;
  const end = (reason: ChildEnded['why']) => {
    why ??= reason;
    reader.kill();
  };
  const abort = () => reader.kill();
  task.signal.addEventListener('abort', abort);
  const most = memory * MEBIBYTE + task.size * 2 + reader.kept;
  const stopWatching = reader.watchMemory(most, () => end('memory'));
  let isWaiting = true;
  const stopListening = watchSilence(reader, silence, {
    // Not while the caller still processes the last message.
    isExcused: () => !isWaiting,
    tooLong: () => end('silence'),
  });
  const fed = reader.feed(task.order, task.body);
  let isDone = false;
  let isSound = true;
  try {
    for (let message; !isDone && (message = await reader.receive());) {
      isDone = message.type === 'end';
      isSound &&= !COMPLAINTS.has(message.type);
      isWaiting = false;
      if (!isDone) yield message;
      isWaiting = true;
    }
    const broken = await fed;
    if (!isDone) await reader.exited();
    task.signal.throwIfAborted();
    // A failed source, rather than a child that stopped reading.
    if (broken && !why && !isDone) throw broken;
    if (!isDone || why) throw new ChildEnded(why ?? 'crash', reader.errors);
  } finally {
    stopListening();
    stopWatching();
    task.signal.removeEventListener('abort', abort);
    await leaveReader(reader, isDone && isSound && !why);
  }
}

/** @returns a function that ends the watch */
function watchSilence(
  reader: Reader,
  silence: number,
  { isExcused, tooLong }: { isExcused: () => boolean; tooLong: () => void },
): () => void {
  let received = -1;
  let before = 0;
  let looks = 0;
  const look = async () => {
    const worked = await reader.worked();
    if (received !== reader.received || isExcused()) {
      received = reader.received;
      before = worked;
      looks = 0;
    }
    looks += 1;
    if (worked - before > silence || looks > LOOKS * PATIENCE) tooLong();
  };
  const timer = setInterval(() => void look(), silence / LOOKS);
  return () => clearInterval(timer);
}

/** A failed document may have corrupted the reader. */
const COMPLAINTS = new Set<Message['type']>(['unreadable', 'note']);

function takeReader(): Reader {
  for (let reader; (reader = resting.pop());) {
    if (!reader.isAlive) continue;
    reader.rest(false);
    return reader;
  }
  return new Reader();
}

async function leaveReader(reader: Reader, isSound: boolean): Promise<void> {
  reader.kept = isSound ? await reader.memory() : 0;
  // Where its memory cannot be measured, it serves once.
  const isWorn = reader.tasks >= MOST_TASKS || reader.kept === 0 || reader.kept > MOST_KEPT;
  if (!isSound || isWorn || resting.length >= MOST_RESTING) {
    reader.kill();
    return;
  }
  reader.rest(true);
  resting.push(reader);
  const { tasks } = reader;
  setTimeout(() => {
    const at = resting.indexOf(reader);
    if (at === -1 || reader.tasks !== tasks) return;
    resting.splice(at, 1);
    reader.kill();
  }, LONGEST_REST).unref();
}
