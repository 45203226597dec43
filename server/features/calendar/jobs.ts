import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { extendSeries, updateInstants } from './service.series.ts';

/** Extends endless series, and computes instants again when time zone rules change. */
export function calendarJob(context: Context): RecurringJob {
  return {
    name: 'calendar',
    every: 3600,
    run: async () => {
      await updateInstants(context);
      await extendSeries(context);
    },
  };
}
