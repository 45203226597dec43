import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { backfillCaseParties } from './service.parties.ts';

/** Seconds, a day. Only cases that another program wrote lack contacts. */
const EVERY_SECONDS = 86_400;

/** Adds missing contacts; the first run covers existing cases beside the running server. */
export function contactJob(context: Context): RecurringJob {
  return {
    name: 'contacts',
    every: EVERY_SECONDS,
    isLongRunning: true,
    run: (round) => backfillCaseParties(context, round),
  };
}
