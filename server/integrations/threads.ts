import type { Transferable } from 'node:worker_threads';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';

/** Milliseconds without work after which a thread ends. */
const IDLE_TIMEOUT_MS = 60_000;

type Kind = {
  file: URL;
  /** The function that the file exports for it. */
  name: string;
  /** Milliseconds from the beginning of a task to the end of its thread. */
  timeoutMs?: number;
};
type Options = { transferList?: Transferable[]; signal?: AbortSignal };
export type Run<Task, Result> = (task: Task, options?: Options) => Promise<Result>;

/**
 * Work that would block the server, or that a stranger's bytes may break, in one pool of threads that may be ended
 * at any time.
 */
export class Threads {
  readonly #pool: Piscina;

  /** @param memory mebibytes of a thread's own memory; a task that takes more ends its thread */
  constructor(memory = 700) {
    this.#pool = new Piscina({
      minThreads: 0,
      // As many as tasks of all kinds at a time: none waits inside the pool, where its time would already count.
      maxThreads: 4,
      idleTimeout: IDLE_TIMEOUT_MS,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memory },
      recordTiming: false,
    });
  }

  /** Returns the function that runs tasks of this kind, one at a time. Its promises reject when the thread was ended. */
  open<Task, Result>({ file, name, timeoutMs }: Kind): Run<Task, Result> {
    const limit = pLimit(1);
    const filename = file.href;
    return (task, { transferList = [], signal } = {}) =>
      limit(() => {
        const signals = [signal, timeoutMs && AbortSignal.timeout(timeoutMs)].filter(
          (one) => !!one,
        );
        const options = { filename, name, transferList, signal: AbortSignal.any(signals) };
        return this.#pool.run(task, options) as Promise<Result>;
      });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
