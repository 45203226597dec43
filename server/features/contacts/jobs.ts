import type { Round } from '../../jobs/queue.ts';
import type { EmbeddingService } from './service.embedding.ts';

/** Cases that came without the product, by a restored or seeded database, wait this many seconds. */
const EVERY = 3600;

/** Its first round brings existing cases over, beside the running server. */
export function contactRound(embedding: EmbeddingService): Round {
  return { name: 'contacts', every: EVERY, run: (round) => embedding.bringOver(round) };
}
