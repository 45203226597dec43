import type { Database } from '../../db/schema.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { purgeTasks } from './store.ts';

const KEPT_DAYS = 30;

/** Removes deleted tasks for good after 30 days. */
export function tasksJob(db: Database): RecurringJob {
  return {
    name: 'tasks',
    every: 3600,
    run: () => purgeTasks(db.asSystem('deleted tasks are kept for some days'), KEPT_DAYS),
  };
}
