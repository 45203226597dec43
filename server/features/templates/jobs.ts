import type { Context } from '../../context.ts';
import { DAY_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { addStarters, hasTemplates } from './service.ts';

/** Gives a new installation the letters that come with the product. */
export function starterJob(context: Context): RecurringJob {
  return {
    name: 'starters',
    every: DAY_SECONDS,
    isLongRunning: true,
    run: async () => {
      if (!(await hasTemplates(context))) await addStarters(context);
    },
  };
}
