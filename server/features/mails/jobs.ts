import { type Context, perContext } from '../../context.ts';
import { HOUR_SECONDS } from '../../core/durations.ts';
import { sweepUploads } from './compose/service.uploads.ts';
import { revokeTokens } from './connect/service.ts';
import { readCorrespondents } from './correspondents/service.ts';
import { checkMailboxes, renewWatches, watchMailbox } from './push/service.ts';
import { googleOf } from './service.access.ts';

/** The check that is under way, which parallel calls share. */
const checkOf = perContext((): { running?: Promise<void> | undefined } => ({}));

export async function startMailJobs(context: Context): Promise<void> {
  const { queue } = context;
  const google = googleOf(context);
  await queue.repeat({
    name: 'mail-uploads',
    every: HOUR_SECONDS,
    run: () => sweepUploads(context),
  });
  if (!google) return;
  await queue.work('revoke', 1, (encrypted) => revokeTokens(context, google, encrypted));
  const every = google.config.waits.tick / 1000;
  await queue.repeat({ name: 'mail-news', every, run: () => checkMail(context) });
  await queue.repeat({
    name: 'mail-correspondents',
    every,
    run: (running) => readCorrespondents(context, running),
  });
  if (!google.config.push) return;
  await queue.work('watch', 1, (userId, { before }) => watchMailbox(context, userId, before));
  await queue.repeat({
    name: 'mail-watches',
    every: HOUR_SECONDS,
    run: () => renewWatches(context),
  });
}

/** Checks for new mail of all users with an open page, in any process. */
export function checkMail(context: Context): Promise<void> {
  const check = checkOf(context);
  check.running ??= context.realtime
    .listeners()
    .then((userIds) => checkMailboxes(context, userIds))
    .finally(() => {
      check.running = undefined;
    });
  return check.running;
}
