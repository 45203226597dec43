import type { Database } from '../../db/schema.ts';
import type { Round } from '../../jobs/queue.ts';
import { checkOn } from './seals/service.chain.ts';
import { sealEntries } from './seals/service.ts';

/** Each minute, what came is sealed, and a part of the chain is checked. */
export function sealRound(db: Database): Round {
  return {
    name: 'seals',
    every: 60,
    async run({ signal }) {
      await sealEntries(db);
      await checkOn(db, signal);
    },
  };
}
