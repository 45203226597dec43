import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { fillIdleCases } from './service.idle.ts';
import { importMissingLimitations } from './service.limitations.ts';

/** Seconds, a day. Only cases that another program wrote lack anything. */
const EVERY_SECONDS = 86_400;

/** Adds missing limitations; the first run migrates existing cases beside the running server. */
export function limitationJob(context: Context): RecurringJob {
  return {
    name: 'limitations',
    every: EVERY_SECONDS,
    isLongRunning: true,
    run: (round) => importMissingLimitations(context, round),
  };
}

/** Computes missing next dates; the first run fills in existing cases beside the running server. */
export function idleJob(context: Context): RecurringJob {
  return {
    name: 'ahead',
    every: EVERY_SECONDS,
    isLongRunning: true,
    run: (round) => fillIdleCases(context, round),
  };
}
