import type { Round } from '../../../jobs/queue.ts';
import type { IdleCases } from './service.ts';

/** Seconds; only a database of an older version lacks anything. */
const EVERY = 3600;

/** Its first round fills in existing cases beside the running server. */
export function idleRound(idle: IdleCases): Round {
  return { name: 'ahead', every: EVERY, run: (round) => idle.fill(round) };
}
