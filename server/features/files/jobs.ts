import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { sweepFiles } from './service.ts';

/**
 * Removes crash leftovers from the store, and files deleted 30 days ago.
 * Only the process that wrote there knows what is still being written, so each has a job of its own.
 */
export function filesJob(context: Context): RecurringJob {
  const place = createHash('sha256').update(context.owner).digest('hex').slice(0, 16);
  return { name: `files-${place}`, every: 3600, run: () => sweepFiles(context) };
}
