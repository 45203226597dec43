import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { raiseAlerts } from './alerts/service.raising.ts';
import {
  refreshNameCounts,
  saveCorrespondentNames,
  saveMissingNames,
} from './names/service.upkeep.ts';

const MINUTE = 60;
/** Seconds; a new name is reported within a minute. */
const SOON = 20;

export function conflictRounds(context: Context): Round[] {
  return [
    // Its first round names what was there before, beside the running server.
    { name: 'names', every: 60 * MINUTE, run: (round) => saveMissingNames(context, round) },
    {
      name: 'conflict-alerts',
      every: SOON,
      run: async (round) => {
        await saveCorrespondentNames(context);
        await raiseAlerts(context, round);
      },
    },
    // Fresh numbers let searches begin with the rarest words.
    { name: 'name-words', every: 10 * MINUTE, run: () => refreshNameCounts(context) },
  ];
}
