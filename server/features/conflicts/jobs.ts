import type { Round } from '../../jobs/queue.ts';
import type { NameUpkeep } from './names/service.upkeep.ts';

const MINUTE = 60;

type Repeated = { names: NameUpkeep };

export function conflictRounds({ names }: Repeated): Round[] {
  return [
    // Its first round names what was there before, beside the running server.
    { name: 'names', every: 60 * MINUTE, run: (round) => names.saveMissing(round) },
    // Fresh numbers let searches begin with the rarest words.
    { name: 'name-words', every: 10 * MINUTE, run: () => names.refresh() },
  ];
}
