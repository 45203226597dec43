// Training and answering; this file connects the models.

import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { ChatModel } from '../../integrations/model/chat.ts';
import { Similarity } from '../../integrations/model/similarity.ts';
import type { Threads } from '../../integrations/threads.ts';
import type { Log } from '../../log.ts';
import { Embeddings } from './retrieval/service.embeddings.ts';

/** Loads the model's library only when a model is configured. */
export async function createChat({ model }: Config): Promise<ChatModel | undefined> {
  if (model?.chatModel === undefined) return undefined;
  const { ChatModel } = await import('../../integrations/model/chat.ts');
  return new ChatModel(model, model.chatModel);
}

type EmbeddingParts = { config: Config; db: Database; log: Log; threads: Threads };

/** @returns undefined without an embedding model: passages are then ranked by their words alone */
export async function createEmbeddings({ config: { model }, db, log, threads }: EmbeddingParts) {
  if (model?.embeddingModel === undefined) return undefined;
  const { Embedder } = await import('../../integrations/model/embedder.ts');
  return new Embeddings({
    db,
    log,
    similarity: new Similarity(threads),
    embedder: new Embedder(model, model.embeddingModel),
  });
}
