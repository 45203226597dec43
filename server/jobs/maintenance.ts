import { purgeAttempts } from '../features/accounts/store.attempts.ts';
import { purgeKeys } from '../db/idempotency.ts';
import type { Database } from '../db/schema.ts';
import { purgeSessions } from '../db/sessions.ts';
import * as accounts from '../features/accounts/rules.ts';
import type { TrainingService } from '../features/ai/training/service.ts';
import type { FileService } from '../features/files/service.ts';
import type { UploadService } from '../features/mails/compose/service.uploads.ts';
import type { WatchingService } from '../features/mails/push/service.watching.ts';
import { purgeDeleted } from '../features/tasks/service.ts';
import type { Log } from '../log.ts';

const INTERVAL = 3600_000;

/** Hourly, and once at the start: what has run out goes. Several processes may do it at once. */
type Parts = {
  db: Database;
  files: FileService;
  training: TrainingService;
  mailUploads: UploadService;
  mailWatches: WatchingService;
  log: Log;
};

export function startMaintenance({ log, ...parts }: Parts): () => Promise<void> {
  const run = () =>
    tidy(parts).catch((error: unknown) => log.warn({ err: error }, 'maintenance failed'));
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, INTERVAL);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function tidy({ db, files, training, mailUploads, mailWatches }: Omit<Parts, 'log'>) {
  const { SESSION_IDLE: idle, SESSION_LIFE: life, SESSION_TOUCH: touch } = accounts;
  await purgeSessions(db, { idle, life, touch });
  await purgeAttempts(db, accounts.ATTEMPT_WINDOW);
  await purgeKeys(db);
  await purgeDeleted(db);
  await files.sweep();
  await training.sweep();
  await mailUploads.sweep();
  await mailWatches.renew();
}
