import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** Header of the transcript. */
export type Heading = { title: string; facts: { name: string; value: string }[] };

export type Entry = {
  /** Time, direction and status in one line. */
  head: string;
  body: string;
  /** Attachments and errors. */
  notes: string[];
};

export type Errand = { entries: Entry[] } | { isEnd: true };
export type Made = { chunk: Uint8Array } | { isReady: true } | { isDone: true };

/**
 * A PDF of messages, written by a thread as they are read, so that long transcripts block no one and
 * are never held in memory.
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

/** The worker's messages, in order. */
class Answers {
  readonly #received: (Made | Error)[] = [];
  #wake: () => void = () => undefined;

  constructor(worker: Worker) {
    const receive = (one: Made | Error) => {
      this.#received.push(one);
      this.#wake();
    };
    worker.on('message', receive);
    worker.on('error', (error) => receive(toError(error)));
    worker.on('exit', () => receive(new Error('the transcript was cut off')));
  }

  /** Bytes until the worker is done. */
  async *until(sign: 'isReady' | 'isDone'): AsyncGenerator<Uint8Array> {
    for (;;) {
      const one = this.#received.shift();
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
