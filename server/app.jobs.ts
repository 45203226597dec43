// Background work of the server.

import type { Context } from './context.ts';
import { accessJob } from './features/access/jobs.ts';
import { accountsJob } from './features/accounts/jobs.ts';
import { writeResetMail } from './features/accounts/passwords/service.ts';
import { startSystemMailQueue } from './features/accounts/service.mail.ts';
import { Trainer, trainingJob } from './features/ai/training/jobs.ts';
import { sealingJob } from './features/audit/jobs.ts';
import { calendarJob } from './features/calendar/jobs.ts';
import { conflictJobs } from './features/conflicts/jobs.ts';
import { contactJob } from './features/contacts/jobs.ts';
import { idleJob, limitationJob } from './features/deadlines/jobs.ts';
import { filesJob } from './features/files/jobs.ts';
import { importJob, startImporting } from './features/imports/jobs.ts';
import { erasingJob } from './features/intakes/jobs.ts';
import { startMailJobs } from './features/mails/jobs.ts';
import { settleMailChecks } from './features/mails/push/service.ts';
import { closeMailReading } from './features/mails/read/service.ts';
import { startMessageJobs, stopMessageJobs } from './features/messages/jobs.ts';
import { digestJob, noticeJob } from './features/notices/jobs.ts';
import { startNoticeMails } from './features/notices/service.mail.ts';
import { packJob, startPacking } from './features/packs/jobs.ts';
import { tasksJob } from './features/tasks/jobs.ts';
import { starterJob } from './features/templates/jobs.ts';
import { inboxJobs, trayJob } from './features/tray/jobs.ts';
import { startReading } from './features/tray/service.clues.ts';
import type { RecurringJob } from './jobs/queue.ts';

/** Repeated work. */
export function recurringJobs(context: Context): RecurringJob[] {
  return [
    accountsJob(context),
    accessJob(context),
    limitationJob(context),
    idleJob(context),
    tasksJob(context.db),
    calendarJob(context),
    filesJob(context),
    trainingJob(context),
    sealingJob(context.db),
    contactJob(context),
    ...conflictJobs(context),
    noticeJob(context),
    digestJob(context),
    erasingJob(context),
    trayJob(context),
    starterJob(context),
    packJob(context),
    importJob(context),
    ...inboxJobs(context),
  ];
}

type JobOptions = {
  isAlone: boolean;
  /** Concurrent trainings; 0 where another process trains, undefined for as many as one process takes. */
  trainings: number | undefined;
  /** Names of recurring jobs to leave out. */
  except?: string[] | undefined;
};

export async function startJobs(
  context: Context,
  { isAlone, trainings, except = [] }: JobOptions,
): Promise<void> {
  const { queue } = context;
  await queue.start();
  await startMessageJobs(context, isAlone);
  if (trainings !== 0) {
    await new Trainer(context).start(trainings);
    await startReading(context);
    await startPacking(context);
    await startImporting(context);
  }
  await startMailJobs(context);
  await startNoticeMails(context);
  await startSystemMailQueue(context, (email, from) => writeResetMail(context, email, from));
  await queue.repeat(...recurringJobs(context).filter(({ name }) => !except.includes(name)));
}

export async function stopJobs(context: Context): Promise<void> {
  await context.queue.stop();
  await stopMessageJobs(context);
  await settleMailChecks(context);
  closeMailReading(context);
  await context.threads.close();
}
