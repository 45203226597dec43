import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Scoped } from '../../../db/schema.ts';
import { ModelFailure } from '../../../integrations/model/failure.ts';
import type { Embedder } from '../../../integrations/model/openai-compatible.ts';
import type { Similarity } from '../../../integrations/model/similarity.ts';
import type { Log } from '../../../log.ts';
import { fuseRanks, liftByMeaning } from './rules.ts';
import { weights } from './rules.weights.ts';
import { type Passage, readTexts, type Retrieved } from './service.ts';
import * as store from './store.passages.ts';
import { listPassages } from './store.passages.ts';

/** Milliseconds for the vector of a question, and for those of a hundred passages. */
const TIMEOUTS = { question: 5000, passages: 60_000 };
/** Milliseconds that a question waits for missing vectors. */
const VECTOR_WAIT_MS = 2000;

/** Passages near in meaning, the similarity of the first, and the usual one of all that were compared. */
type Nearest = { near: Passage[]; likeness: number; usual: number };
const NONE_NEAR: Nearest = { near: [], likeness: 0, usual: 0 };

type Parts = { db: Database; embedder: Embedder; similarity: Similarity; log: Log };

/** Ranks passages by meaning as well as by words, when an embedding model is configured. */
export class Embeddings {
  readonly #parts: Parts;
  /** Vectors belong to contents; the passages come from documents that the asking person may see. */
  readonly #db: Scoped;
  readonly #preparing = new Map<string, Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#db = parts.db.asSystem('vectors belong to contents, not to matters');
  }

  /** Creates the missing vectors of a trained document. Failures are logged, and the next question retries. */
  prepare(documentId: string): Promise<void> {
    const running = this.#preparing.get(documentId);
    if (running) return running;
    const vectorsReady = this.#make(documentId)
      .catch((error: unknown) => this.#logFailure('embedding a document', error))
      .finally(() => this.#preparing.delete(documentId));
    this.#preparing.set(documentId, vectorsReady);
    return vectorsReady;
  }

  async #make(documentId: string): Promise<void> {
    const { embedder } = this.#parts;
    const db = this.#db;
    if (await store.hasVectors(db, documentId, embedder.name)) return;
    const rows = (await listPassages(db, documentId)) ?? [];
    const noSource = { documentId, folder: '', name: '', version: 1 };
    const read = await readTexts(
      db,
      rows.map((row) => ({ ...row, source: noSource })),
    );
    const [first] = read;
    if (!first || read.length < rows.length) return;
    const summary = first.text.slice(0, weights.summaryLength).replaceAll(/\s+/g, ' ');
    const texts = read.map(({ heading, text }) => `${summary}\n${heading}\n${text}`);
    const vectors = await embedder.embed(texts, TIMEOUTS.passages);
    const dimensions = vectors[0]?.length ?? 0;
    const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer)));
    const row = { document_id: documentId, model: embedder.name, dimensions, vectors: bytes };
    await store.insertVectors(db, row);
  }

  /** Fuses the lexical passages with those near in meaning; on failure, returns the lexical ones alone. */
  async fuse(question: string, lexical: Retrieved, limit: number): Promise<Retrieved> {
    try {
      const { near, ...nearest } = await this.#findNear(question, lexical);
      if (near.length === 0) return lexical;
      const known = new Map(lexical.passages.map((passage) => [passage.id, passage]));
      for (const passage of near)
        known.set(passage.id, { ...(known.get(passage.id) ?? passage), isFavored: true });
      const matching = lexical.passages.filter((passage) => passage.score > 0);
      const lists = [matching.slice(0, weights.fusedDepth), near];
      const fused = fuseRanks(
        lists.map((list) => list.map((passage) => passage.id)),
        limit,
      );
      // The passage that the words call an answer stays the first.
      const answers = lexical.confidence === 'answer' ? matching.slice(0, 1) : [];
      const ids = [...new Set([...answers.map((passage) => passage.id), ...fused])].slice(0, limit);
      const confidence = liftByMeaning(lexical.confidence, nearest);
      return { ...lexical, confidence, passages: ids.flatMap((id) => known.get(id) ?? []) };
    } catch (error) {
      this.#logFailure('embedding a question', error);
      return lexical;
    }
  }

  async #findNear(question: string, { documents }: Retrieved): Promise<Nearest> {
    const { embedder, similarity } = this.#parts;
    const db = this.#db;
    const sources = new Map(documents.map((source) => [source.documentId, source]));
    const keys = await this.#load([...sources.keys()]);
    if (keys.length === 0) return NONE_NEAR;
    const [query] = await embedder.embed([question], TIMEOUTS.question);
    if (!query) return NONE_NEAR;
    const { near: places, usual } = await similarity.find(query, keys, weights.fusedDepth);
    const rows = await store.readPassagesAt(db, places);
    const at = (key: string, ordinal: number) =>
      rows.find((row) => row.documentId === key && row.ordinal === ordinal);
    const near = places.flatMap(({ key, ordinal }) => {
      const [row, source] = [at(key, ordinal), sources.get(key)];
      return row && source ? [{ ...row, source }] : [];
    });
    return { near, usual, likeness: places[0]?.score ?? usual };
  }

  /** @returns the documents whose vectors are loaded, after a short wait for missing ones */
  async #load(documentIds: string[]): Promise<string[]> {
    const { embedder, similarity } = this.#parts;
    const db = this.#db;
    const missing = documentIds.filter((id) => !similarity.has(id));
    const keep = async (ids: string[]) => {
      for (const row of await store.readVectors(db, ids, embedder.name))
        similarity.keep(row.documentId, row.vectors, row.dimensions);
    };
    await keep(missing);
    const unprepared = missing.filter((id) => !similarity.has(id));
    if (unprepared.length > 0) {
      const vectorsReady = Promise.all(unprepared.map((id) => this.prepare(id)));
      await Promise.race([vectorsReady, delay(VECTOR_WAIT_MS, undefined, { ref: false })]);
      await keep(unprepared);
    }
    return documentIds.filter((id) => similarity.has(id));
  }

  #logFailure(what: string, error: unknown): void {
    const reason = error instanceof ModelFailure ? error.reason : 'unexpected';
    const { embedder, log } = this.#parts;
    log.warn({ reason, model: embedder.name }, what);
  }
}
