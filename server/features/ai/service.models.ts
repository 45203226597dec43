// The models that a firm may connect; their libraries load only when one is configured.

import { type Context, perContext } from '../../context.ts';
import type { ChatModel } from '../../integrations/model/openai-compatible.ts';
import { Similarity } from '../../integrations/model/similarity.ts';
import { Embeddings } from './retrieval/service.embeddings.ts';

export const chatOf = perContext(async ({ config }): Promise<ChatModel | undefined> => {
  const { model } = config;
  if (model?.chatModel === undefined) return undefined;
  const { ChatModel } = await import('../../integrations/model/openai-compatible.ts');
  return new ChatModel(model, model.chatModel);
});

/** Undefined without an embedding model: passages are then ranked by their words alone. */
export const embeddingsOf = perContext(
  async (context: Context): Promise<Embeddings | undefined> => {
    const { config, db, log, threads } = context;
    const { model } = config;
    if (model?.embeddingModel === undefined) return undefined;
    const { Embedder } = await import('../../integrations/model/openai-compatible.ts');
    return new Embeddings({
      db,
      log,
      similarity: new Similarity(threads),
      embedder: new Embedder(model, model.embeddingModel),
    });
  },
);
