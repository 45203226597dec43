import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { backfillCaseParties } from './service.parties.ts';

/** Seconds. Only cases that another program wrote, such as a restore, lack contacts. */
const EVERY = 3600;

/** Adds missing contacts; the first run covers existing cases beside the running server. */
export function contactRound(context: Context): Round {
  return { name: 'contacts', every: EVERY, run: (round) => backfillCaseParties(context, round) };
}
