import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type * as z from 'zod/mini';
import { frameOf, Frames, toFrames } from './frames.ts';
import { killGroup, startConfined, type Program } from './levels.ts';

const PAGE_BYTES = 4096;
const MS_PER_TICK = 10;
/** Milliseconds between memory checks: a bomb grows by half a gigabyte per second. */
const CHECK_INTERVAL_MS = 50;

/** A process for the bytes of one stranger, which may be killed at any time. */
export class ConfinedProcess {
  readonly #child: ChildProcess;
  readonly #frames: Frames;
  readonly #closed: Promise<void>;
  /** Resumes the pending write. */
  #resume: () => void = () => undefined;
  #errors = '';
  #memoryTimer: NodeJS.Timeout | undefined;
  #worker: number | undefined;
  /** Frames so far. */
  received = 0;

  /** @param longest bytes of a frame that it may send */
  private constructor(child: ChildProcess, longest: number) {
    this.#child = child;
    this.#frames = new Frames(this.#out, longest);
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
    child.once('error', (error) => (this.#errors += String(error)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
    this.#in.on('error', () => undefined);
    this.#out.on('error', () => undefined);
    for (const event of ['drain', 'close']) this.#in.on(event, () => this.#resume());
  }

  static async start(program: Program, longest: number): Promise<ConfinedProcess> {
    return new ConfinedProcess(await startConfined(program), longest);
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
   * Sends a task: an order and the bytes that follow it.
   * @returns the source's error, if any
   */
  async feed(order: object, body: Readable): Promise<Error | undefined> {
    try {
      for await (const frame of toFrames(body, JSON.stringify(order))) {
        // A killed process stops reading; its reason is handled elsewhere.
        if (!this.#in.writable) return undefined;
        if (!this.#in.write(frame)) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
      return undefined;
    } catch (error) {
      this.kill();
      return error as Error;
    }
  }

  /** Answers a message, after the task. */
  reply(answer: object): void {
    if (!this.#in.writable) return;
    for (const part of frameOf(JSON.stringify(answer))) this.#in.write(part);
  }

  /** The next frame, verbatim and not to be trusted; undefined at the end. @throws RangeError */
  async receive(): Promise<Buffer | undefined> {
    const frame = await this.#frames.next();
    this.received += 1;
    return frame;
  }

  /** The next frame as JSON; undefined at the end. @throws for anything else */
  async receiveAs<T>(schema: z.ZodMiniType<T>): Promise<T | undefined> {
    const frame = await this.receive();
    return frame && schema.parse(JSON.parse(frame.toString('utf8')));
  }

  kill(): void {
    clearInterval(this.#memoryTimer);
    killGroup(this.#child);
  }

  async exited(): Promise<void> {
    await this.#closed;
  }

  /** Lets this process exit while the other is idle. */
  rest(isResting: boolean): void {
    const streams = [this.#in, this.#child.stderr, this.#out] as unknown as Socket[];
    for (const handle of [this.#child, ...streams]) {
      if (isResting) handle.unref();
      else handle.ref();
    }
  }

  /** Total memory in bytes, since typed arrays are outside the heap limit; 0 without /proc. */
  async memory(): Promise<number> {
    const sizes = await readProc(await this.#pid(), 'statm');
    return Number(sizes.split(' ')[1] ?? 0) * PAGE_BYTES;
  }

  /** CPU milliseconds of all its threads; 0 without /proc. */
  async worked(): Promise<number> {
    return cpuTimeOf(await this.#pid());
  }

  /** Until it is killed. */
  watchMemory(most: number, tooMuch = () => this.kill()): void {
    this.#memoryTimer = setInterval(() => {
      void this.memory().then((bytes) => bytes > most && tooMuch());
    }, CHECK_INTERVAL_MS);
  }

  /** Kills it unless `work` is done in so many milliseconds. */
  async within<T>(timeout: number, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill(), timeout);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Node itself, below the programs that confine it; final once it has sent something. */
  async #pid(): Promise<number | undefined> {
    if (this.#worker !== undefined) return this.#worker;
    const pid = await findInnermost(this.#child.pid);
    if (this.received > 0) this.#worker = pid;
    return pid;
  }
}

/** The program itself, below those that confine it. */
export async function findInnermost(outer: number | undefined): Promise<number | undefined> {
  let pid = outer;
  for (let next = pid; next; next = await childOf(next)) pid = next;
  return pid;
}

/** CPU milliseconds of all threads; 0 without /proc. */
export async function cpuTimeOf(pid: number | undefined): Promise<number> {
  const stat = await readProc(pid, 'stat');
  // proc_pid_stat(5): utime and stime are fields 14 and 15; field 2, a name, may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) * MS_PER_TICK;
}

async function childOf(pid: number): Promise<number> {
  return Number((await readProc(pid, `task/${pid}/children`)).trim().split(' ')[0]);
}

function readProc(pid: number | undefined, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

type Options = {
  /** Bytes of a frame that a process may send. */
  longest: number;
  /** Milliseconds after which an unused process ends. */
  rest: number;
};

/** Starts each process before it is needed, since one that has read a stranger's bytes reads no other's. */
export class StandbyProcess {
  readonly #program: Program;
  readonly #options: Options;
  #next: Promise<ConfinedProcess> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: Program, options: Options) {
    this.#program = program;
    this.#options = options;
  }

  /** A process that has read nothing. The caller ends it. */
  async take(): Promise<ConfinedProcess> {
    const next = this.#next ?? this.#start();
    this.#prepare();
    const taken = await next;
    taken.rest(false);
    return taken.isAlive ? taken : this.#start();
  }

  #start(): Promise<ConfinedProcess> {
    return ConfinedProcess.start(this.#program, this.#options.longest);
  }

  #prepare(): void {
    const next = this.#start();
    this.#next = next;
    // A failed start is reported to the task that takes it.
    next.then((spare) => spare.rest(true)).catch(() => undefined);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#next === next) this.#next = undefined;
      void next.then((spare) => spare.kill()).catch(() => undefined);
    }, this.#options.rest);
    this.#timer.unref();
  }
}
