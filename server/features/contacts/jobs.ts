import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { backfillCaseParties } from './service.embedding.ts';

/** Cases that came without the product, by a restored or seeded database, wait this many seconds. */
const EVERY = 3600;

/** Its first round brings existing cases over, beside the running server. */
export function contactRound(context: Context): Round {
  return { name: 'contacts', every: EVERY, run: (round) => backfillCaseParties(context, round) };
}
