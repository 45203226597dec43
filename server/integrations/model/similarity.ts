import type { Run, Threads } from '../threads.ts';

/** A vector by its document and its position in it. */
export type VectorMatch = { key: string; ordinal: number; score: number };

/** A document's vectors, concatenated in memory shared by threads. */
export type DocumentVectors = { key: string; vectors: Float32Array; dimensions: number };
export type VectorQuery = { query: Float32Array; documents: DocumentVectors[]; limit: number };

/** Nearest first, and the mean score of all compared vectors. */
export type VectorMatches = { near: VectorMatch[]; usual: number };

const MAX_CACHE_BYTES = 512 * 1024 * 1024;

/** Compares vectors exactly, in a thread, and caches those of recent documents. */
export class Similarity {
  readonly #compare: Run<VectorQuery, VectorMatches>;
  /** Least recently used first. */
  readonly #kept = new Map<string, DocumentVectors>();

  constructor(threads: Threads) {
    const file = new URL('similarity-worker.ts', import.meta.url);
    this.#compare = threads.open({ file, name: 'compare' });
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
      if (oldest === key || size() <= MAX_CACHE_BYTES) return;
      this.#kept.delete(oldest);
    }
  }

  /** The vectors of the given documents that are nearest to `query`. */
  find(query: Float32Array, keys: readonly string[], limit: number): Promise<VectorMatches> {
    const documents = keys.flatMap((key) => this.#kept.get(key) ?? []);
    for (const document of documents) {
      this.#kept.delete(document.key);
      this.#kept.set(document.key, document);
    }
    return this.#compare({ query, documents, limit });
  }
}
