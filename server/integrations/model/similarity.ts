import type { Run, Threads } from '../threads.ts';

/** A vector by its document and its position in it. */
export type Near = { key: string; ordinal: number; score: number };

/** A document's vectors, concatenated in memory shared by threads. */
export type Kept = { key: string; vectors: Float32Array; dimensions: number };
export type Question = { query: Float32Array; documents: Kept[]; limit: number };

/** Nearest first, and the mean score of all compared vectors. */
export type Nearest = { near: Near[]; usual: number };

const MOST_BYTES = 512 * 1024 * 1024;

/** Compares vectors exactly, in a thread, and caches those of recent documents. */
export class Similarity {
  readonly #compare: Run<Question, Nearest>;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();

  constructor(threads: Threads) {
    const file = new URL('similarity-worker.ts', import.meta.url);
    this.#compare = threads.open({ file, name: 'compare', atOnce: 1 });
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** @param bytes concatenated float32 vectors of a document */
  keep(key: string, bytes: Uint8Array, dimensions: number): void {
    const shared = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(shared).set(bytes);
    this.#kept.set(key, { key, vectors: new Float32Array(shared), dimensions });
    const size = () =>
      [...this.#kept.values()].reduce((sum, { vectors }) => sum + vectors.byteLength, 0);
    for (const oldest of this.#kept.keys()) {
      if (oldest === key || size() <= MOST_BYTES) return;
      this.#kept.delete(oldest);
    }
  }

  /** The vectors of the given documents that are nearest to `query`. */
  find(query: Float32Array, keys: readonly string[], limit: number): Promise<Nearest> {
    const documents = keys.flatMap((key) => this.#kept.get(key) ?? []);
    for (const document of documents) {
      this.#kept.delete(document.key);
      this.#kept.set(document.key, document);
    }
    return this.#compare({ query, documents, limit });
  }
}
