import type { Context } from '../../context.ts';
import { HOUR_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { workOn } from './service.runs.ts';
import { eraseExpiredUploads } from './service.ts';

/** Works on imports, one at a time. */
export async function startImporting(context: Context): Promise<void> {
  await context.queue.work('import', 1, (id, attempt) => workOn(context, id, attempt));
}

/** Erases uploads after their time. */
export function importJob(context: Context): RecurringJob {
  return { name: 'imports', every: HOUR_SECONDS, run: () => eraseExpiredUploads(context) };
}
