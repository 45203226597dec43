import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** What stands above the messages. */
export type Heading = { title: string; facts: { name: string; value: string }[] };

/** One message of a transcript. */
export type Entry = {
  /** Its time, its direction and its state, in one line. */
  head: string;
  body: string;
  /** What else there is to say of it: attachments, errors. */
  notes: string[];
};

export type Errand = { entries: Entry[] } | { isEnd: true };
export type Made = { chunk: Uint8Array } | { isReady: true } | { isDone: true };

/**
 * A PDF of messages, made in a thread of its own while they are read, so that a long one keeps nobody
 * waiting; nothing of it stays in memory when it is done.
 */
export function writeTranscript(heading: Heading, batches: AsyncIterable<Entry[]>): Readable {
  return Readable.from(write(heading, batches));
}

async function* write(heading: Heading, batches: AsyncIterable<Entry[]>) {
  const file = new URL('transcript-worker.ts', import.meta.url);
  const worker = new Worker(file, { workerData: heading });
  const answers = new Answers(worker);
  try {
    for await (const entries of batches) {
      worker.postMessage({ entries } satisfies Errand, []);
      yield* answers.until('isReady');
    }
    worker.postMessage({ isEnd: true } satisfies Errand, []);
    yield* answers.until('isDone');
  } finally {
    await worker.terminate();
  }
}

/** What the worker says, in order, for whoever asks for it. */
class Answers {
  readonly #heard: (Made | Error)[] = [];
  #wake: () => void = () => undefined;

  constructor(worker: Worker) {
    const hear = (one: Made | Error) => {
      this.#heard.push(one);
      this.#wake();
    };
    worker.on('message', hear);
    worker.on('error', (error) => hear(toError(error)));
    worker.on('exit', () => hear(new Error('the transcript was cut off')));
  }

  /** The bytes until the worker says so. */
  async *until(sign: 'isReady' | 'isDone'): AsyncGenerator<Uint8Array> {
    for (;;) {
      const one = this.#heard.shift();
      if (one === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if (one instanceof Error) throw one;
      else if ('chunk' in one) yield one.chunk;
      else if (sign in one) return;
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
