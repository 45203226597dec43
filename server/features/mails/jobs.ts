// E-mail: routes, assembly and jobs; the topics are folders.
import { Mailbox } from '../../integrations/google/mailbox.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { sweepUploads } from './compose/service.uploads.ts';
import { readCorrespondents } from './correspondents/service.ts';
import { renewWatches, watchMailbox } from './push/service.watching.ts';
import { checkMailboxes } from './push/service.ts';
import { type Context, perContext } from '../../context.ts';
import { googleOf, mailSealOf, type Google } from './service.access.ts';

const HOUR = 3600;

/** The check that is under way, which parallel calls share. */
const checkOf = perContext((): { running?: Promise<void> | undefined } => ({}));

export async function startMailJobs(context: Context): Promise<void> {
  const { queue } = context;
  const google = googleOf(context);
  await queue.repeat({ name: 'mail-uploads', every: HOUR, run: () => sweepUploads(context) });
  if (!google) return;
  await queue.work('revoke', 1, (sealed) => revoke(context, google, sealed));
  const every = google.config.waits.tick / 1000;
  await queue.repeat({ name: 'mail-news', every, run: () => checkMail(context) });
  await queue.repeat({
    name: 'mail-correspondents',
    every,
    run: (round) => readCorrespondents(context, round),
  });
  if (!google.config.push) return;
  await queue.work('watch', 1, (userId, { before }) => watchMailbox(context, userId, before));
  await queue.repeat({ name: 'mail-watches', every: HOUR, run: () => renewWatches(context) });
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

/** Revokes the tokens of a disconnected account at Google. */
async function revoke(context: Context, google: Google, sealed: string): Promise<void> {
  const opened = mailSealOf(context).open(Buffer.from(sealed, 'base64'), rules.REVOCATION);
  // Sealed under a lost key, so it is unusable.
  if (opened === undefined) return;
  const { refreshToken, email, isWatched } = JSON.parse(opened) as rules.Revocation;
  // Google revokes all tokens of an account together, so other users of it would lose theirs.
  if (email !== null && (await store.hasGrantOf(context.db, email))) return;
  if (isWatched) await stopWatch(google, refreshToken);
  await google.signIn.revoke(refreshToken);
}

/** Otherwise Google pushes about the mailbox for another week. */
async function stopWatch({ config, signIn }: Google, refreshToken: string): Promise<void> {
  const mailbox = await Mailbox.open(await signIn.open({ refreshToken }), config);
  await mailbox.stopWatch().catch(() => undefined);
}
