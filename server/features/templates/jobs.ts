import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { addStarters, hasTemplates } from './service.ts';

const DAY_SECONDS = 86_400;

/** Gives a new installation the letters that come with the product. */
export function starterJob(context: Context): RecurringJob {
  return {
    name: 'starters',
    every: DAY_SECONDS,
    isLasting: true,
    run: async () => {
      if (!(await hasTemplates(context))) await addStarters(context);
    },
  };
}
