import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { endOpenings } from './service.overrides.ts';

/** Reads stop when an opening ends; its pages are closed within this many seconds. */
const EVERY = 60;

export function accessJob(context: Context): Round {
  return { name: 'access', every: EVERY, run: () => endOpenings(context) };
}
