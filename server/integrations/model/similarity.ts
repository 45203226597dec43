import { Worker } from 'node:worker_threads';

/** Where a vector is: a document's key, and its place in it. */
export type Near = { key: string; ordinal: number; score: number };

/** What the worker is told. */
export type Errand =
  | { keep: string; vectors: Uint8Array; dimensions: number }
  | { drop: string }
  | { ask: number; query: Float32Array; keys: string[]; limit: number };
export type Finding = { ask: number } & Nearest;

/** Nearest first, and the mean of everything that was compared. */
export type Nearest = { near: Near[]; usual: number };

const MOST_BYTES = 512 * 1024 * 1024;

/** Compares vectors exactly, in a thread of its own that keeps those of the documents asked about last. */
export class Similarity {
  #worker: Worker | undefined;
  /** Bytes by key, the least recently used first. */
  readonly #kept = new Map<string, number>();
  readonly #waiting = new Map<number, (found: Nearest | Error) => void>();
  #asked = 0;

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** Takes the vectors of a document along, one float32 vector after the other. */
  keep(key: string, vectors: Uint8Array, dimensions: number): void {
    this.#kept.set(key, vectors.byteLength);
    this.#tell({ keep: key, vectors, dimensions });
    const bytes = () => [...this.#kept.values()].reduce((sum, size) => sum + size, 0);
    for (const oldest of this.#kept.keys()) {
      if (oldest === key || bytes() <= MOST_BYTES) return;
      this.#kept.delete(oldest);
      this.#tell({ drop: oldest });
    }
  }

  /** The vectors of the given documents that are nearest to `query`. */
  find(query: Float32Array, keys: readonly string[], limit: number): Promise<Nearest> {
    for (const key of keys) {
      const size = this.#kept.get(key);
      if (size === undefined) continue;
      this.#kept.delete(key);
      this.#kept.set(key, size);
    }
    const ask = (this.#asked += 1);
    this.#tell({ ask, query, keys: [...keys], limit });
    return new Promise((resolve, reject) => {
      this.#waiting.set(ask, (found) => (found instanceof Error ? reject(found) : resolve(found)));
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #tell(errand: Errand): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(errand, []);
  }

  #start(): Worker {
    const worker = new Worker(new URL('similarity-worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', ({ ask, ...found }: Finding) => this.#settle(ask, found));
    const lose = (error: Error) => {
      this.#worker = undefined;
      this.#kept.clear();
      for (const ask of this.#waiting.keys()) this.#settle(ask, error);
    };
    worker.on('error', lose);
    worker.on('exit', () => lose(new Error('the worker for similarity ended')));
    return worker;
  }

  #settle(ask: number, found: Nearest | Error): void {
    this.#waiting.get(ask)?.(found);
    this.#waiting.delete(ask);
  }
}
