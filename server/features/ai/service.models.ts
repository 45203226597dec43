// Training and answering; this file connects the models.

import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { ChatModel } from '../../integrations/model/chat.ts';
import { Similarity } from '../../integrations/model/similarity.ts';
import type { Log } from '../../log.ts';
import { Embeddings } from './retrieval/service.embeddings.ts';

/** Its library is read only where a model is configured. */
export async function createChat({ model }: Config): Promise<ChatModel | undefined> {
  if (model?.chatModel === undefined) return undefined;
  const { ChatModel } = await import('../../integrations/model/chat.ts');
  return new ChatModel(model, model.chatModel);
}

type EmbeddingParts = { config: Config; db: Database; log: Log; http: FastifyInstance };

/** The same; absent: passages are ranked by their words alone. */
export async function createEmbeddings({ config: { model }, db, log, http }: EmbeddingParts) {
  if (model?.embeddingModel === undefined) return undefined;
  const { Embedder } = await import('../../integrations/model/embedder.ts');
  const similarity = new Similarity();
  http.addHook('onClose', () => similarity.close());
  return new Embeddings({
    db,
    log,
    similarity,
    embedder: new Embedder(model, model.embeddingModel),
  });
}
