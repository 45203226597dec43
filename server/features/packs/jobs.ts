import type { Context } from '../../context.ts';
import { HOUR_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { erasePacks, writePack } from './service.ts';

/** Packs matters, one at a time. */
export async function startPacking(context: Context): Promise<void> {
  await context.queue.work('pack', 1, (id, attempt) => writePack(context, id, attempt));
}

/** Erases packs after their time. */
export function packJob(context: Context): RecurringJob {
  return { name: 'packs', every: HOUR_SECONDS, run: () => erasePacks(context) };
}
