import type { Database } from '../../db/schema.ts';
import type { Round } from '../../jobs/queue.ts';
import { continueCheck, sealEntries } from './seals/service.ts';

/** Seals new entries each minute, and checks a part of the chain. */
export function sealingJob(db: Database): Round {
  return {
    name: 'seals',
    every: 60,
    async run({ signal }) {
      await sealEntries(db);
      await continueCheck(db, signal);
    },
  };
}
