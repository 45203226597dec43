import type { Database } from '../../db/schema.ts';
import type { Round } from '../../jobs/queue.ts';
import { sealEntries } from './seals/service.ts';

/** Each minute, what came is sealed. */
export function sealRound(db: Database): Round {
  return {
    name: 'seals',
    every: 60,
    async run() {
      await sealEntries(db);
    },
  };
}
