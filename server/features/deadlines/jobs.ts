import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { fillIdleCases } from './service.idle.ts';
import { importMissingLimitations } from './service.limitations.ts';

/** Seconds. Only cases that another program wrote, such as a restore, lack anything. */
const EVERY = 3600;

/** Adds missing limitations; the first run migrates existing cases beside the running server. */
export function limitationRound(context: Context): Round {
  return {
    name: 'limitations',
    every: EVERY,
    run: (round) => importMissingLimitations(context, round),
  };
}

/** Computes missing next dates; the first run fills in existing cases beside the running server. */
export function idleRound(context: Context): Round {
  return { name: 'ahead', every: EVERY, run: (round) => fillIdleCases(context, round) };
}
