// Reads documents of every format, in a confined process that can be ended.

import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ConfinedProcess } from '../confinement/confined-process.ts';
import { Spare } from '../confinement/spare.ts';
import { MessageSchema, type Message, type Order } from './messages.ts';

const MEBIBYTE = 1024 * 1024;
const MINUTE = 60_000;

export type Limits = {
  /** MiB of memory in addition to the document. */
  memory: number;
  /** Milliseconds that the child may work without a message. */
  silence: number;
  /** Milliseconds that the child may work. */
  work: number;
};

/** On a busy machine a child waits for its turn; after this multiple of its work time it counts as stopped. */
const PATIENCE = 10;
/** Milliseconds between two looks at what the child has worked, and the number of looks per silence limit. */
const LONGEST_PAUSE = 12_000;
const LOOKS = 10;

export const usualLimits: Limits = { memory: 600, silence: 2 * MINUTE, work: 30 * MINUTE };

const program = { script: path.join(import.meta.dirname, 'child.ts'), heap: 400 };
/** Bytes. */
const LONGEST_MESSAGE = 32 * MEBIBYTE;
const spare = new Spare(program, { longest: LONGEST_MESSAGE, rest: 10_000 });

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
};

/**
 * Runs one task in another process, which ends with it, and yields its messages.
 * @throws ChildEnded when it exceeds its memory or time, or crashes
 */
export async function* askChild(task: Task): AsyncGenerator<Message> {
  const { memory, silence, work } = task.limits ?? usualLimits;
  task.signal.throwIfAborted();
  const child = await spare.take();
  let why: ChildEnded['why'] | undefined;
  const end = (reason: ChildEnded['why']) => {
    why ??= reason;
    child.kill();
  };
  const abort = () => child.kill();
  task.signal.addEventListener('abort', abort);
  if (task.signal.aborted) abort();
  const most = memory * MEBIBYTE + task.size * 2;
  const stopWatching = child.watchMemory(most, () => end('memory'));
  let isWaiting = true;
  const stopListening = watchWork(child, {
    silence,
    work,
    // Not while the caller still processes the last message.
    isExcused: () => !isWaiting,
    tooLong: end,
    onWorked: task.onWorked,
  });
  const fed = child.feed(task.order, task.body);
  let isDone = false;
  try {
    for (let message; !isDone && (message = await receive(child));) {
      isDone = message.type === 'end';
      isWaiting = false;
      if (!isDone) yield message;
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
    stopWatching();
    task.signal.removeEventListener('abort', abort);
    child.kill();
  }
}

/** Undefined at the end, and for anything that is no message: a child that sends that is not asked further. */
async function receive(child: ConfinedProcess): Promise<Message | undefined> {
  try {
    const frame = await child.receive();
    return frame && MessageSchema.parse(JSON.parse(frame.toString('utf8')));
  } catch {
    child.kill();
    return undefined;
  }
}

type Watch = {
  silence: number;
  work: number;
  isExcused: () => boolean;
  tooLong: (why: 'silence' | 'work') => void;
  onWorked: Task['onWorked'];
};

/** @returns a function that ends the watch */
function watchWork(child: ConfinedProcess, watch: Watch): () => void {
  const { silence, work, isExcused, tooLong, onWorked } = watch;
  const pause = Math.min(silence / LOOKS, LONGEST_PAUSE);
  let received = -1;
  let before = 0;
  let looks = 0;
  const look = async () => {
    const worked = await child.worked();
    onWorked?.(worked);
    if (received !== child.received || isExcused()) {
      received = child.received;
      before = worked;
      looks = 0;
    }
    looks += 1;
    if (worked > work) tooLong('work');
    else if (worked - before > silence || looks > LOOKS * PATIENCE) tooLong('silence');
  };
  const timer = setInterval(() => void look(), pause);
  return () => clearInterval(timer);
}
