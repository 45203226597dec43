import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Message, Order } from './messages.ts';

const CHILD = path.join(import.meta.dirname, 'child.ts');
const MEBIBYTE = 1024 * 1024;
const PAGE_BYTES = 4096;

export type Limits = {
  /** MiB of memory besides the document itself. */
  memory: number;
  /** Milliseconds without a word from the child. */
  silence: number;
};

const usualLimits: Limits = { memory: 700, silence: 120_000 };
/** MiB of JavaScript objects. */
const HEAP = 400;
/** Milliseconds between two looks at the child's memory: a bomb grows by half a gigabyte a second. */
const LOOK_EVERY = 50;

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
 * Runs one task in a process of its own and hands on what it says, one message at a time.
 * @throws ChildEnded when it takes too much memory or time, or breaks
 */
export async function* askChild(task: Task): AsyncGenerator<Message> {
  const { memory, silence } = task.limits ?? usualLimits;
  task.signal.throwIfAborted();
  const child = start();
  let why: ChildEnded['why'] | undefined;
  const end = (reason: ChildEnded['why']) => {
    why ??= reason;
    child.kill('SIGKILL');
  };
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const errors = keepEnd(child.stderr);
  const abort = () => child.kill('SIGKILL');
  task.signal.addEventListener('abort', abort);
  const stopWatching = watchMemory(child, memory * MEBIBYTE + task.size * 2, () => end('memory'));
  let isWaiting = true;
  // Not while whoever asked is busy with the last answer.
  const timer = setTimeout(() => (isWaiting ? end('silence') : timer.refresh()), silence);
  const fed = feed(child, task);
  let isDone = false;
  try {
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const message = JSON.parse(line) as Message;
      isDone = message.type === 'end';
      isWaiting = false;
      if (!isDone) yield message;
      isWaiting = true;
      timer.refresh();
    }
    const broken = await fed;
    await closed;
    task.signal.throwIfAborted();
    // A source that broke, and not the child that stopped listening.
    if (broken && !why && !isDone) throw broken;
    if (!isDone || why) throw new ChildEnded(why ?? 'crash', errors());
  } finally {
    clearTimeout(timer);
    stopWatching();
    task.signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}

/** What children have compiled, for the next ones: two thirds of a start. No other process reads it. */
const COMPILED = path.resolve(import.meta.dirname, '../../../.cache/reader');

/** Without this process's variables, which hold secrets, and without the right to write elsewhere or to start anything. */
function start() {
  const isKept = keepCompiled();
  const may = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'];
  if (isKept) may.push(`--allow-fs-write=${COMPILED}`, `--allow-fs-write=${COMPILED}/*`);
  const flags = [`--max-old-space-size=${HEAP}`, '--no-warnings', ...may];
  const stdio = ['pipe', 'ignore', 'pipe', 'pipe'] as const;
  const env = isKept ? { NODE_COMPILE_CACHE: COMPILED } : {};
  const child = spawn(process.execPath, [...flags, CHILD], { stdio: [...stdio], env });
  // The types forget that what is piped is there.
  return child as ChildProcess & { stdin: Writable; stderr: Readable };
}

/** @returns false where the checkout may not be written to, and each start takes its whole time */
function keepCompiled(): boolean {
  try {
    mkdirSync(COMPILED, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

type Child = ReturnType<typeof start>;

/** @returns the error of the source, if it broke */
async function feed(child: Child, { order, body }: Task): Promise<Error | undefined> {
  let broken: Error | undefined;
  body.once('error', (error: Error) => {
    broken = error;
    child.kill('SIGKILL');
  });
  child.stdin.write(`${JSON.stringify(order)}\n`);
  // A child that was killed reads no more; why it was, is known elsewhere.
  await pipeline(body, child.stdin).catch(() => undefined);
  return broken;
}

/** The last of what the child complained of, for the log. */
function keepEnd(stream: Readable): () => string {
  let end = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    end = (end + text).slice(-2000);
  });
  return () => end;
}

/** Typed arrays lie outside the heap's limit, so the whole process is measured. */
function watchMemory(child: ChildProcess, most: number, tooMuch: () => void): () => void {
  const look = async () => {
    const sizes = await fs.readFile(`/proc/${child.pid}/statm`, 'utf8');
    if (Number(sizes.split(' ')[1]) * PAGE_BYTES > most) tooMuch();
  };
  const timer = setInterval(() => {
    // Where there is no /proc the heap's limit is all there is.
    look().catch(() => undefined);
  }, LOOK_EVERY);
  return () => clearInterval(timer);
}
