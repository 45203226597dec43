import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { eraseDueIntakes } from './erasure/service.ts';
import { purgeStamps } from './forms/service.ts';

const HOUR_SECONDS = 3600;

export function erasingJob(context: Context): RecurringJob {
  const run = async () => {
    await purgeStamps(context);
    await eraseDueIntakes(context);
  };
  return { name: 'erasing', every: HOUR_SECONDS, run };
}
