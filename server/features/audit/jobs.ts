import type { Database } from '../../db/schema.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { continueCheck, sealEntries } from './seals/service.ts';

/** Seals new entries each minute, and checks a part of the chain. */
export function sealingJob(db: Database): RecurringJob {
  return {
    name: 'seals',
    every: 60,
    async run({ signal, isFirst }) {
      await sealEntries(db);
      // A start reads no more of the chain than it must.
      if (!isFirst) await continueCheck(db, signal);
    },
  };
}
