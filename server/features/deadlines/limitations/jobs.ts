import type { Round } from '../../../jobs/queue.ts';
import type { LimitationService } from './service.ts';

/** Cases that came without the product, by a restored or seeded database, wait this many seconds. */
const EVERY = 3600;

/** Its first round is the migration of existing cases, beside the running server. */
export function limitationRound(limitations: LimitationService): Round {
  return { name: 'limitations', every: EVERY, run: (round) => limitations.importMissing(round) };
}
