import type { Round } from '../../../jobs/queue.ts';
import { fillIdleCases } from './service.ts';
import type { Context } from '../../../context.ts';

/** Seconds; only a database of an older version lacks anything. */
const EVERY = 3600;

/** Its first round fills in existing cases beside the running server. */
export function idleRound(context: Context): Round {
  return { name: 'ahead', every: EVERY, run: (round) => fillIdleCases(context, round) };
}
