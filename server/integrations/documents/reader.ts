import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { toFrames } from './frames.ts';
import type { Message, Order } from './messages.ts';

const CHILD = path.join(import.meta.dirname, 'child.ts');
const PAGE_BYTES = 4096;
const MS_PER_TICK = 10;
/** MiB of JavaScript objects. */
const HEAP = 400;
/** Milliseconds between memory checks: a bomb grows by half a gigabyte per second. */
const LOOK_EVERY = 50;

/** A process that runs tasks in sequence and may be killed at any time. */
export class Reader {
  readonly #child = start();
  readonly #lines = createInterface({ input: this.#out })[Symbol.asyncIterator]();
  readonly #closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
  /** Resumes the pending write. */
  #resume: () => void = () => undefined;
  #errors = '';
  /** Bytes retained from earlier tasks. */
  kept = 0;
  tasks = 0;
  /** Messages so far. */
  received = 0;

  constructor() {
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
    this.#in.on('error', () => undefined);
    for (const event of ['drain', 'close']) this.#in.on(event, () => this.#resume());
  }

  get #in(): Writable {
    return this.#child.stdin as Writable;
  }

  get #out(): Readable {
    return this.#child.stdio[3] as Readable;
  }

  /** The end of its error output, for the log. */
  get errors(): string {
    return this.#errors;
  }

  get isAlive(): boolean {
    return !this.#child.killed && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Starts a task.
   * @returns the source's error, if any
   */
  async feed(order: Order, body: Readable): Promise<Error | undefined> {
    this.tasks += 1;
    try {
      for await (const frame of toFrames(body, JSON.stringify(order))) {
        // A killed reader stops reading; its reason is handled elsewhere.
        if (!this.#in.writable) return undefined;
        if (!this.#in.write(frame)) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
      return undefined;
    } catch (error) {
      this.kill();
      return error as Error;
    }
  }

  /** @returns undefined at the end */
  async receive(): Promise<Message | undefined> {
    const { value, done } = await this.#lines.next();
    this.received += 1;
    return done ? undefined : (JSON.parse(value) as Message);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async exited(): Promise<void> {
    await this.#closed;
  }

  /** Lets this process exit while the reader is idle. */
  rest(isResting: boolean): void {
    const streams = [this.#in, this.#child.stderr, this.#out] as unknown as Socket[];
    for (const held of [this.#child, ...streams]) {
      if (isResting) held.unref();
      else held.ref();
    }
  }

  /** Total memory in bytes, since typed arrays are outside the heap limit; 0 without /proc. */
  async memory(): Promise<number> {
    const sizes = await readFile(`/proc/${this.#child.pid}/statm`, 'utf8').catch(() => '');
    return Number(sizes.split(' ')[1] ?? 0) * PAGE_BYTES;
  }

  /** CPU milliseconds of all its threads; 0 without /proc. */
  async worked(): Promise<number> {
    const stat = await readFile(`/proc/${this.#child.pid}/stat`, 'utf8').catch(() => '');
    // proc_pid_stat(5): utime and stime are fields 14 and 15; field 2, a name, may contain spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user ?? 0) + Number(system ?? 0)) * MS_PER_TICK;
  }

  /** @returns a function that ends the watch */
  watchMemory(most: number, tooMuch: () => void): () => void {
    const timer = setInterval(() => {
      void this.memory().then((bytes) => bytes > most && tooMuch());
    }, LOOK_EVERY);
    return () => clearInterval(timer);
  }
}

/** Compile cache of the children, which saves two thirds of a start. No other process reads it. */
const COMPILED = path.resolve(import.meta.dirname, '../../../.cache/reader');

/** Without this process's variables, which hold secrets, and without permission to write elsewhere or start processes. */
function start(): ChildProcess {
  const isKept = keepCompiled();
  const may = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'];
  if (isKept) may.push(`--allow-fs-write=${COMPILED}`, `--allow-fs-write=${COMPILED}/*`);
  const flags = [`--max-old-space-size=${HEAP}`, '--no-warnings', ...may];
  const env = isKept ? { NODE_COMPILE_CACHE: COMPILED } : {};
  const stdio = ['pipe' as const, 'ignore' as const, 'pipe' as const, 'pipe' as const];
  return spawn(process.execPath, [...flags, CHILD], { stdio, env });
}

/** @returns false in a read-only checkout, where every start takes its full time */
function keepCompiled(): boolean {
  try {
    mkdirSync(COMPILED, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}
