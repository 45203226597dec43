import type { Readable } from 'node:stream';
import type { Message, Order } from './messages.ts';
import { Reader } from './reader.ts';

const MEBIBYTE = 1024 * 1024;

export type Limits = {
  /** MiB of memory besides the document itself. */
  memory: number;
  /** Milliseconds that the child may work without a word. */
  silence: number;
};

/** On a busy machine it waits for its turn; one that waits so much longer than it works has stopped. */
const PATIENCE = 10;
/** Looks at a silent child in the time that it has. */
const LOOKS = 10;

// A scan whose pages are recognised two at a time takes up to 730.
const usualLimits: Limits = { memory: 1000, silence: 120_000 };

/** Readers that wait for the next task: a start costs ten times what a letter does. */
const resting: Reader[] = [];
const MOST_RESTING = 2;
/** Milliseconds. */
const LONGEST_REST = 10_000;
/** After so many, or with so many bytes that it does not let go of, a reader is ended: what leaks, leaks into few. */
const MOST_TASKS = 200;
const MOST_KEPT = 200 * MEBIBYTE;

/** The child had to be ended, or ended by itself before it was done. */
export class ChildEnded extends Error {
  readonly why: 'memory' | 'silence' | 'crash';

  constructor(why: ChildEnded['why'], detail = '') {
    super(`the reading process ended: ${why} ${detail}`.trim());
    this.why = why;
  }
}

type Task = {
  order: Order;
  /** Bytes behind the order. */
  body: Readable;
  /** Bytes that the child will hold anyway. */
  size: number;
  limits?: Limits | undefined;
  signal: AbortSignal;
};

/**
 * Runs one task in another process and hands on what it says, one message at a time.
 * @throws ChildEnded when it takes too much memory or time, or breaks
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
    // Not while whoever asked is busy with the last answer.
    isExcused: () => !isWaiting,
    tooLong: () => end('silence'),
  });
  const fed = reader.feed(task.order, task.body);
  let isDone = false;
  let isSound = true;
  try {
    for (let message; !isDone && (message = await reader.hear());) {
      isDone = message.type === 'end';
      isSound &&= !COMPLAINTS.has(message.type);
      isWaiting = false;
      if (!isDone) yield message;
      isWaiting = true;
    }
    const broken = await fed;
    if (!isDone) await reader.gone();
    task.signal.throwIfAborted();
    // A source that broke, and not the child that stopped listening.
    if (broken && !why && !isDone) throw broken;
    if (!isDone || why) throw new ChildEnded(why ?? 'crash', reader.errors);
  } finally {
    stopListening();
    stopWatching();
    task.signal.removeEventListener('abort', abort);
    await leaveReader(reader, isDone && isSound && !why);
  }
}

/** @returns what ends the watch */
function watchSilence(
  reader: Reader,
  silence: number,
  { isExcused, tooLong }: { isExcused: () => boolean; tooLong: () => void },
): () => void {
  let heard = -1;
  let before = 0;
  let looks = 0;
  const look = async () => {
    const worked = await reader.worked();
    if (heard !== reader.heard || isExcused()) {
      heard = reader.heard;
      before = worked;
      looks = 0;
    }
    looks += 1;
    if (worked - before > silence || looks > LOOKS * PATIENCE) tooLong();
  };
  const timer = setInterval(() => void look(), silence / LOOKS);
  return () => clearInterval(timer);
}

/** A document that made trouble may have spoilt the reader for the next one. */
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
  // Where its memory cannot be seen it serves once.
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
