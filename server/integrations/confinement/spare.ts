import { ConfinedProcess } from './confined-process.ts';
import type { Program } from './levels.ts';

type Options = {
  /** Bytes of a frame that a process may send. */
  longest: number;
  /** Milliseconds after which an unused process ends. */
  rest: number;
};

/** Starts each process before it is needed, since one that has read a stranger's bytes reads no other's. */
export class Spare {
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
