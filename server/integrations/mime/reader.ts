import { Worker } from 'node:worker_threads';
import type { ReadAttachment, ReadMail } from './read.ts';

/** Gmail's metadata of a mail. */
export type Whole = { labels: string[]; threadId: string; arrivedAt: number };

/** `json` is Gmail's reply with the raw mail inside. */
export type Errand = { json: ArrayBuffer; wanted: 'mail' | 'raw' | { part: string } };
export type Answer =
  | { failed: true }
  | { whole: Whole; mail?: ReadMail; attachment?: ReadAttachment; bytes?: ArrayBuffer };

/** Limits in MiB and milliseconds that no genuine mail reaches. */
const MEMORY = 700;
const PATIENCE = 20_000;
const AT_ONCE = 2;
/** Idle milliseconds after which a worker ends. */
const IDLE = 60_000;

/** An unreadable mail: broken, or built to exhaust resources. */
export class UnreadableMail extends Error {}

type Waiting = {
  errand: Errand;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
};

/** Parses mails in threads that may be ended at any time. */
export class MailReader {
  readonly #queue: Waiting[] = [];
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #timer: NodeJS.Timeout | undefined;

  /** @throws UnreadableMail */
  async read(errand: Errand): Promise<Exclude<Answer, { failed: true }>> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#queue.push({ errand, resolve, reject });
      this.#next();
    });
    if ('failed' in answer) throw new UnreadableMail('the parser gave up');
    return answer;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #next(): void {
    if (this.#queue.length === 0) return this.#rest();
    const worker = this.#idle.pop() ?? (this.#all.size < AT_ONCE ? this.#start() : undefined);
    const waiting = worker && this.#queue.shift();
    if (worker && waiting) this.#work(worker, waiting);
  }

  #start(): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    worker.unref();
    this.#all.add(worker);
    worker.on('exit', () => this.#forget(worker));
    return worker;
  }

  #work(worker: Worker, { errand, resolve, reject }: Waiting): void {
    clearTimeout(this.#timer);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.removeAllListeners('message').removeAllListeners('error');
      worker.on('error', () => undefined);
      settle();
    };
    const giveUp = () =>
      end(() => {
        this.#forget(worker);
        void worker.terminate();
        reject(new UnreadableMail('it took too much'));
        this.#next();
      });
    const timer = setTimeout(giveUp, PATIENCE);
    worker.once('error', giveUp);
    worker.once('message', (answer: Answer) =>
      end(() => {
        this.#idle.push(worker);
        resolve(answer);
        this.#next();
      }),
    );
    worker.postMessage(errand, []);
  }

  #forget(worker: Worker): void {
    this.#all.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const worker of this.#idle.splice(0)) void worker.terminate();
    }, IDLE);
    this.#timer.unref();
  }
}
