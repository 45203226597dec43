import type { Context } from '../../context.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { endOpenings } from './service.overrides.ts';

/** Reads stop when an opening ends; its pages are closed within this many seconds. */
const EVERY_SECONDS = 60;

export function accessJob(context: Context): RecurringJob {
  return { name: 'access', every: EVERY_SECONDS, run: () => endOpenings(context) };
}
