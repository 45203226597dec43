// Background work of the server.

import type { Context } from './context.ts';
import { accessJob } from './features/access/jobs.ts';
import { accountsJob } from './features/accounts/jobs.ts';
import { writeResetLetter } from './features/accounts/passwords/service.ts';
import { startLetterQueue } from './features/accounts/service.letters.ts';
import { Trainer, trainingJob } from './features/ai/training/jobs.ts';
import { sealingJob } from './features/audit/jobs.ts';
import { calendarRound } from './features/calendar/jobs.ts';
import { conflictRounds } from './features/conflicts/jobs.ts';
import { contactRound } from './features/contacts/jobs.ts';
import { idleRound, limitationRound } from './features/deadlines/jobs.ts';
import { filesJob } from './features/files/jobs.ts';
import { importRound, startImporting } from './features/imports/jobs.ts';
import { erasingRound } from './features/intakes/jobs.ts';
import { startMailJobs } from './features/mails/jobs.ts';
import { settleMailChecks } from './features/mails/push/service.ts';
import { closeMailReading } from './features/mails/read/service.ts';
import { startMessageJobs, stopMessageJobs } from './features/messages/jobs.ts';
import { digestRound, noticeRound } from './features/notices/jobs.ts';
import { startNoticeMails } from './features/notices/service.mail.ts';
import { packRound, startPacking } from './features/packs/jobs.ts';
import { tasksJob } from './features/tasks/jobs.ts';
import { starterRound } from './features/templates/jobs.ts';
import { inboxRounds, trayRound } from './features/tray/jobs.ts';
import { startReading } from './features/tray/service.clues.ts';
import type { Round } from './jobs/queue.ts';

/** Repeated work. */
export function roundsOf(context: Context): Round[] {
  return [
    accountsJob(context),
    accessJob(context),
    limitationRound(context),
    idleRound(context),
    tasksJob(context.db),
    calendarRound(context),
    filesJob(context),
    trainingJob(context),
    sealingJob(context.db),
    contactRound(context),
    ...conflictRounds(context),
    noticeRound(context),
    digestRound(context),
    erasingRound(context),
    trayRound(context),
    starterRound(context),
    packRound(context),
    importRound(context),
    ...inboxRounds(context),
  ];
}

type Starting = {
  isAlone: boolean;
  /** Concurrent trainings; 0 where another process trains, undefined for as many as one process takes. */
  trainings: number | undefined;
  /** Names of rounds to leave out. */
  except?: string[] | undefined;
};

export async function startJobs(
  context: Context,
  { isAlone, trainings, except = [] }: Starting,
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
  await startLetterQueue(context, (email, from) => writeResetLetter(context, email, from));
  await queue.repeat(...roundsOf(context).filter(({ name }) => !except.includes(name)));
}

export async function stopJobs(context: Context): Promise<void> {
  await context.queue.stop();
  await stopMessageJobs(context);
  await settleMailChecks(context);
  closeMailReading(context);
  await context.threads.close();
}
