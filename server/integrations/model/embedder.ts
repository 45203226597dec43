import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import type { ModelConfig } from '../../config.ts';
import { ModelFailure, toModelFailure } from './failure.ts';

const EMBEDDING_RETRIES = 2;
const BATCH = 96;

/** Unit vectors of texts, from an OpenAI-compatible endpoint. */
export class Embedder {
  readonly name: string;
  readonly #provider: ReturnType<typeof createOpenAICompatible>;

  constructor({ baseUrl, apiKey }: ModelConfig, name: string) {
    this.name = name;
    this.#provider = createOpenAICompatible({
      name: 'model',
      baseURL: baseUrl,
      ...(apiKey !== undefined && { apiKey }),
    });
  }

  /**
   * @param patience milliseconds per hundred texts
   * @throws ModelFailure
   */
  async embed(texts: readonly string[], patience: number): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH)
      vectors.push(...(await this.#embedBatch(texts.slice(from, from + BATCH), patience)));
    const dimensions = vectors[0]?.length;
    if (vectors.some((vector) => vector.length !== dimensions || vector.some(Number.isNaN)))
      throw new ModelFailure('broken');
    return vectors;
  }

  async #embedBatch(values: string[], patience: number): Promise<Float32Array[]> {
    const abortSignal = AbortSignal.timeout(patience);
    try {
      const model = this.#provider.embeddingModel(this.name);
      const { embeddings } = await embedMany({ model, values, maxRetries: EMBEDDING_RETRIES, abortSignal });
      if (embeddings.length !== values.length) throw new ModelFailure('broken');
      return embeddings.map(normalize);
    } catch (error) {
      throw abortSignal.aborted ? new ModelFailure('tooSlow') : toModelFailure(error);
    }
  }
}

function normalize(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
