import type { Context } from '../../context.ts';
import { HOUR_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { eraseDueIntakes } from './erasure/service.ts';
import { purgeStamps } from './forms/service.ts';

export function erasingJob(context: Context): RecurringJob {
  const run = async () => {
    await purgeStamps(context);
    await eraseDueIntakes(context);
  };
  return { name: 'erasing', every: HOUR_SECONDS, run };
}
