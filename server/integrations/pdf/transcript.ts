import { on } from 'node:events';
import { Readable } from 'node:stream';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Run, Threads } from '../threads.ts';

/** Title and facts above the entries, and what the last line counts. */
export type Heading = {
  title: string;
  facts: { name: string; value: string }[];
  ending: { of: string; entries: string };
};

/** One message of a transcript. */
export type Entry = {
  /** Time, direction and status on one line. */
  head: string;
  body: string;
  /** Attachments and errors. */
  notes: string[];
};

export type Task = { heading: Heading; port: MessagePort };
export type WriterMessage = { entries: Entry[] } | { isEnd: true };
export type WorkerReply = { chunk: Uint8Array } | { isReady: true } | { isDone: true };

/** Streams PDFs of messages from a thread while the messages are read. */
export class TranscriptWriter {
  readonly #run: Run<Task, void>;

  constructor(threads: Threads) {
    const file = new URL('transcript-worker.ts', import.meta.url);
    this.#run = threads.open({ file, name: 'writeTranscript' });
  }

  write(heading: Heading, batches: AsyncIterable<Entry[]>): Readable {
    return Readable.from(this.#write(heading, batches));
  }

  async *#write(heading: Heading, batches: AsyncIterable<Entry[]>) {
    const { port1: port, port2 } = new MessageChannel();
    const [left, lost] = [new AbortController(), new AbortController()];
    const task = { heading, port: port2 };
    const made = this.#run(task, { transferList: [port2], signal: left.signal }).catch(
      (error: unknown) => lost.abort(error),
    );
    const answers = on(port, 'message', { signal: lost.signal });
    try {
      for await (const entries of batches) {
        port.postMessage({ entries } satisfies WriterMessage, []);
        yield* until('isReady', answers);
      }
      port.postMessage({ isEnd: true } satisfies WriterMessage, []);
      yield* until('isDone', answers);
      await made;
    } finally {
      left.abort();
      port.close();
    }
  }
}

/** Yields bytes until the worker's sign. */
async function* until(sign: 'isReady' | 'isDone', answers: AsyncIterator<unknown[]>) {
  for (;;) {
    const { value } = (await answers.next()) as IteratorYieldResult<[WorkerReply]>;
    const [made] = value;
    if ('chunk' in made) yield made.chunk;
    else if (sign in made) return;
  }
}
