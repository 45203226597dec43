import type { Context } from '../../context.ts';
import { MINUTE_SECONDS, DAY_SECONDS } from '../../core/durations.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { raiseAlerts } from './alerts/service.ts';
import { countNewNames, saveCorrespondentNames, saveMissingNames } from './names/service.ts';

/** Seconds; a new name is reported within a minute. */
const SOON_SECONDS = 20;

export function conflictJobs(context: Context): RecurringJob[] {
  return [
    // The first run saves the names of existing rows, beside the running server.
    {
      name: 'names',
      every: DAY_SECONDS,
      isLongRunning: true,
      run: (round) => saveMissingNames(context, round),
    },
    {
      name: 'conflict-alerts',
      every: SOON_SECONDS,
      run: async (round) => {
        await saveCorrespondentNames(context);
        await raiseAlerts(context, round);
      },
    },
    // Searches begin with the rarest words, by these counts.
    { name: 'name-words', every: 10 * MINUTE_SECONDS, run: () => countNewNames(context) },
  ];
}
