import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { HOUR_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { purgeTaken, takeScans, warnOfInbox } from './service.inbox.ts';
import { purgeTray } from './service.ts';

/** Seconds between two polls of the scanner's folder. */
const POLL_SECONDS = 3;

/** Removes what was filed or dismissed so long ago that it cannot be undone any more. */
export function trayJob(context: Context): RecurringJob {
  return { name: 'tray', every: HOUR_SECONDS, run: () => purgeTray(context) };
}

/** Takes the scanner's papers, where it has a folder. */
export function inboxJobs(context: Context): RecurringJob[] {
  const { inbox } = context.config;
  if (!inbox) return [];
  const { directory } = inbox;
  return [
    {
      name: 'inbox',
      every: POLL_SECONDS,
      run: async ({ signal, isFirst }) => {
        if (isFirst) await warnOfInbox(context, inbox);
        const rest = () => delay(inbox.rest, undefined, { signal });
        await takeScans(context, { directory, rest }, signal);
      },
    },
    { name: 'taken-scans', every: HOUR_SECONDS, run: () => purgeTaken(inbox) },
  ];
}
