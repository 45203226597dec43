import type { Round } from '../../jobs/queue.ts';
import type { Raising } from './alerts/service.raising.ts';
import type { NameUpkeep } from './names/service.upkeep.ts';

const MINUTE = 60;
/** Seconds; a new name is reported within a minute. */
const SOON = 20;

type Repeated = { names: NameUpkeep; raising: Raising };

export function conflictRounds({ names, raising }: Repeated): Round[] {
  return [
    // Its first round names what was there before, beside the running server.
    { name: 'names', every: 60 * MINUTE, run: (round) => names.saveMissing(round) },
    {
      name: 'conflict-alerts',
      every: SOON,
      run: async (round) => {
        await names.saveCorrespondents();
        await raising.round(round);
      },
    },
    // Fresh numbers let searches begin with the rarest words.
    { name: 'name-words', every: 10 * MINUTE, run: () => names.refresh() },
  ];
}
