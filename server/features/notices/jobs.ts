import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { raiseDigests } from './digest/service.ts';
import { raiseDueNotices } from './service.reminders.ts';

/** Seconds, so that due notices are raised within 30. */
const EVERY_SECONDS = 10;
/** Seconds between checks for due digests. */
const DIGESTS_EVERY_SECONDS = 20;

export function noticeJob(context: Context): RecurringJob {
  return { name: 'notices', every: EVERY_SECONDS, run: (round) => raiseDueNotices(context, round) };
}

export function digestJob(context: Context): RecurringJob {
  return {
    name: 'digests',
    every: DIGESTS_EVERY_SECONDS,
    run: (round) => raiseDigests(context, round),
  };
}
