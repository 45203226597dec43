import { Worker } from 'node:worker_threads';

/** A vector's document key and its index. */
export type Near = { key: string; ordinal: number; score: number };

/** Messages to the worker. */
export type Errand =
  | { keep: string; vectors: Uint8Array; dimensions: number }
  | { drop: string }
  | { ask: number; query: Float32Array; keys: string[]; limit: number };
export type Finding = { ask: number } & Nearest;

/** Nearest first, and the mean of all compared vectors. */
export type Nearest = { near: Near[]; usual: number };

const MOST_BYTES = 512 * 1024 * 1024;

/** Exact vector comparison in a thread that caches recently used documents. */
export class Similarity {
  #worker: Worker | undefined;
  /** Bytes by key, least recently used first. */
  readonly #kept = new Map<string, number>();
  readonly #waiting = new Map<number, (found: Nearest | Error) => void>();
  #asked = 0;

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** Adds a document's vectors, concatenated float32. */
  keep(key: string, vectors: Uint8Array, dimensions: number): void {
    this.#kept.set(key, vectors.byteLength);
    this.#post({ keep: key, vectors, dimensions });
    const bytes = () => [...this.#kept.values()].reduce((sum, size) => sum + size, 0);
    for (const oldest of this.#kept.keys()) {
      if (oldest === key || bytes() <= MOST_BYTES) return;
      this.#kept.delete(oldest);
      this.#post({ drop: oldest });
    }
  }

  /** Nearest vectors to `query` among the given documents. */
  find(query: Float32Array, keys: readonly string[], limit: number): Promise<Nearest> {
    for (const key of keys) {
      const size = this.#kept.get(key);
      if (size === undefined) continue;
      this.#kept.delete(key);
      this.#kept.set(key, size);
    }
    const ask = (this.#asked += 1);
    this.#post({ ask, query, keys: [...keys], limit });
    return new Promise((resolve, reject) => {
      this.#waiting.set(ask, (found) => (found instanceof Error ? reject(found) : resolve(found)));
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #post(errand: Errand): void {
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
