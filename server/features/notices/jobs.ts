import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { raiseDigests } from './digest/service.ts';
import { raiseDueNotices } from './service.reminders.ts';

/** Seconds, so that due notices are raised within 30. */
const EVERY = 10;
/** Seconds between checks for due digests. */
const DIGESTS_EVERY = 20;

export function noticeRound(context: Context): Round {
  return { name: 'notices', every: EVERY, run: (round) => raiseDueNotices(context, round) };
}

export function digestRound(context: Context): Round {
  return { name: 'digests', every: DIGESTS_EVERY, run: (round) => raiseDigests(context, round) };
}
