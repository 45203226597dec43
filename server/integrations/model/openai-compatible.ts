import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText, embedMany } from 'ai';
import type { ModelConfig } from '../../config.ts';
import { ModelFailure, toModelFailure } from './failure.ts';

/** Milliseconds until the first piece, and in total. */
export type ChatTimeouts = { firstWord: number; whole: number };

export type Message = { instructions: string; prompt: string };

const CHAT_TIMEOUTS_MS: ChatTimeouts = { firstWord: 20_000, whole: 120_000 };
const MAX_CHAT_RETRIES = 2;

type ProviderOptions = Parameters<typeof createOpenAICompatible>[0];

function providerOf({ baseUrl, apiKey }: ModelConfig, options: Partial<ProviderOptions> = {}) {
  const key = apiKey !== undefined && { apiKey };
  return createOpenAICompatible({ name: 'model', baseURL: baseUrl, ...options, ...key });
}

/** Calls chat/completions of an OpenAI-compatible endpoint, in plain text. */
export class ChatModel {
  readonly name: string;
  readonly #provider: ReturnType<typeof providerOf>;
  readonly #timeouts: ChatTimeouts;

  constructor(config: ModelConfig, name: string, timeouts: ChatTimeouts = CHAT_TIMEOUTS_MS) {
    this.name = name;
    this.#timeouts = timeouts;
    this.#provider = providerOf(config, { includeUsage: false, fetch: fetchStream });
  }

  /**
   * Yields the model's text in pieces. Temporary refusals are retried before the first piece.
   * @throws ModelFailure even mid-stream, and when `signal` is aborted
   */
  async *write(
    message: Message,
    signal: AbortSignal,
    timeouts: ChatTimeouts = this.#timeouts,
  ): AsyncGenerator<string> {
    const clock = new ResponseTimeouts(timeouts);
    try {
      for await (const text of this.#stream(message, AbortSignal.any([signal, clock.signal]))) {
        clock.answered();
        yield text;
      }
    } catch (error) {
      if (signal.aborted) throw new ModelFailure('aborted');
      throw clock.signal.aborted ? new ModelFailure('tooSlow') : toModelFailure(error);
    } finally {
      clock.stop();
    }
  }

  async *#stream({ instructions, prompt }: Message, abortSignal: AbortSignal) {
    const { stream } = streamText({
      model: this.#provider.chatModel(this.name),
      instructions,
      prompt,
      temperature: 0,
      maxRetries: MAX_CHAT_RETRIES,
      abortSignal,
      onError: () => undefined,
    });
    for await (const part of stream) {
      if (part.type === 'text-delta') yield part.text;
      else if (part.type === 'error') throw toModelFailure(part.error);
      else if (part.type === 'abort') throw new ModelFailure('aborted');
      else if (part.type === 'finish' && !isWhole(part.finishReason))
        throw new ModelFailure('broken');
    }
  }
}

type Completion = { choices?: { message?: object }[] };

/** Endpoints that reply at once despite `stream` become a stream of one piece. */
async function fetchStream(...asked: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...asked);
  const isWhole = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  if (!response.ok || !isWhole) return response;
  const { choices = [], ...rest } = (await response.json()) as Completion;
  const pieces = choices.map(({ message, ...choice }) => ({ ...choice, delta: message }));
  const event = `data: ${JSON.stringify({ ...rest, choices: pieces })}\n\ndata: [DONE]\n\n`;
  return new Response(event, { headers: { 'content-type': 'text/event-stream' } });
}

/** Aborts a call that stays silent or runs for too long. */
class ResponseTimeouts {
  readonly #controller = new AbortController();
  readonly #first: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout;

  constructor({ firstWord, whole }: ChatTimeouts) {
    this.#first = setTimeout(() => this.#controller.abort(), firstWord);
    this.#whole = setTimeout(() => this.#controller.abort(), whole);
  }

  get signal() {
    return this.#controller.signal;
  }

  answered() {
    clearTimeout(this.#first);
  }

  stop() {
    clearTimeout(this.#first);
    clearTimeout(this.#whole);
  }
}

/** A truncated stream has no finish reason. */
function isWhole(finishReason: string) {
  return finishReason === 'stop' || finishReason === 'length';
}

const MAX_EMBEDDING_RETRIES = 2;
const BATCH = 96;

/** Unit vectors of texts, from an OpenAI-compatible endpoint. */
export class Embedder {
  readonly name: string;
  readonly #provider: ReturnType<typeof providerOf>;

  constructor(config: ModelConfig, name: string) {
    this.name = name;
    this.#provider = providerOf(config);
  }

  /**
   * @param timeout milliseconds per hundred texts
   * @throws ModelFailure
   */
  async embed(texts: readonly string[], timeout: number): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH)
      vectors.push(...(await this.#embedBatch(texts.slice(from, from + BATCH), timeout)));
    const dimensions = vectors[0]?.length;
    if (vectors.some((vector) => vector.length !== dimensions || vector.some(Number.isNaN)))
      throw new ModelFailure('broken');
    return vectors;
  }

  async #embedBatch(values: string[], timeout: number): Promise<Float32Array[]> {
    const abortSignal = AbortSignal.timeout(timeout);
    try {
      const model = this.#provider.embeddingModel(this.name);
      const { embeddings } = await embedMany({
        model,
        values,
        maxRetries: MAX_EMBEDDING_RETRIES,
        abortSignal,
      });
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
