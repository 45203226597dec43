import type { Round } from '../../../jobs/queue.ts';
import { importMissingLimitations } from './service.ts';
import type { Context } from '../../../context.ts';

/** Cases that came without the product, by a restored or seeded database, wait this many seconds. */
const EVERY = 3600;

/** Its first round is the migration of existing cases, beside the running server. */
export function limitationRound(context: Context): Round {
  return {
    name: 'limitations',
    every: EVERY,
    run: (round) => importMissingLimitations(context, round),
  };
}
