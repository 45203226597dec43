// New mail: polls Google, receives its pushes and keeps these alive. One of several processes checks each mailbox.

import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import { MailPushSchema, mailPushRoutes, type MailReceived } from '@matterdesk/contract/mails.ts';
import { type Context, perContext } from '../../../context.ts';
import { Refusal } from '../../../core/refusal.ts';
import { parseBody } from '../../../http/bodies.ts';
import { validate } from '../../../http/validate.ts';
import { GoogleFailure, toGoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, MailboxChanges } from '../../../integrations/google/mailbox.ts';
import { PushGate } from '../../../integrations/google/sign-in.ts';
import * as rules from '../rules.ts';
import { forgetMailbox, googleOf, openMailbox, toRefusal } from '../service.access.ts';
import { type Arrivals, readArrivals, reportArrivals } from '../service.arrivals.ts';
import * as store from '../store.ts';

/** Milliseconds that shutdown waits. */
const SETTLE_TIMEOUT_MS = 1000;
/** Seconds between two checks of a mailbox, and the longest interval after failures. */
const INTERVAL_SECONDS = 20;
const MAX_INTERVAL_SECONDS = 900;
/** Seconds between two checks of a watched mailbox, in case a push is lost. */
const SAFETY_INTERVAL_SECONDS = 300;
/** Attempts at a check that another process overtakes. */
const MAX_CHECK_TRIES = 3;
/** Attempts to watch a mailbox before the next hourly run. */
const MAX_WATCH_TRIES = 5;
/** Mailboxes per check, and in parallel. */
const MAX_MAILBOXES = 50;
const AT_ONCE = 5;
/** Above this number the event carries no ids, and clients refetch. */
const MAX_REPORTED = 100;

/** Path of the Pub/Sub endpoint below PUBLIC_URL. */
const PUSH_PATH = mailPushRoutes.receivePush.path;
const STEPS = 'Set GOOGLE_PUBSUB_TOPIC and GOOGLE_PUBSUB_ACCOUNT (see docs/google.md).';

const runningOf = perContext(() => new Set<Promise<void>>());
const queueOf = perContext(() => pLimit(AT_ONCE));
const pushGateOf = perContext((context) => {
  const google = googleOf(context);
  const { push } = google?.config ?? {};
  const audience = context.config.publicUrl + PUSH_PATH;
  return google && push && new PushGate({ config: push, signIn: google.signIn, audience });
});

/** Waits briefly for running checks; the next start repeats unfinished ones. */
export async function settleMailChecks(context: Context): Promise<void> {
  const all = Promise.all(runningOf(context));
  await Promise.race([all, pause(SETTLE_TIMEOUT_MS, undefined, { ref: false })]);
}

export async function checkMailboxes(context: Context, userIds: string[]): Promise<void> {
  const checking = checkDueMailboxes(context, userIds);
  runningOf(context).add(checking);
  await checking;
  runningOf(context).delete(checking);
}

async function checkDueMailboxes(context: Context, userIds: string[]): Promise<void> {
  const { db, log } = context;
  const topic = googleOf(context)?.config.push?.topic ?? null;
  if (userIds.length === 0) return;
  try {
    const watched = { topic, interval: SAFETY_INTERVAL_SECONDS };
    const due = await store.claimMailboxes(db, {
      userIds,
      interval: INTERVAL_SECONDS,
      watched,
      limit: MAX_MAILBOXES,
    });
    await Promise.all(due.map((grant) => queueOf(context)(() => readMailChanges(context, grant))));
  } catch (error) {
    log.warn({ err: error }, 'checking for new mail');
  }
}

async function readMailChanges(context: Context, grant: store.GrantRow, tried = 1): Promise<void> {
  const { db, log } = context;
  try {
    const changes = await readHistory(await openMailbox(context, grant), grant.history_id);
    if (await emitMailChanges(context, grant, changes)) return;
  } catch (error) {
    const { reason, retryAfter = 0 } = toGoogleFailure(error);
    log.warn({ reason }, 'cannot check for new mail');
    if (reason === 'revoked') return forgetMailbox(context, grant);
    const wait = Math.min(INTERVAL_SECONDS * 2 ** (grant.failures + 1), MAX_INTERVAL_SECONDS);
    return store.noteFailure(db, grant, Math.max(wait, retryAfter));
  }
  // Mail that arrived after the other process's check is still unreported.
  const now = await store.findGrant(db, grant.user_id);
  if (now?.fingerprint === grant.fingerprint && tried < MAX_CHECK_TRIES)
    await readMailChanges(context, now, tried + 1);
}

/** @returns false when another process was faster */
async function emitMailChanges(
  context: Context,
  grant: store.GrantRow,
  { historyId, events, arrived }: Changes,
): Promise<boolean> {
  if (historyId === grant.history_id && grant.failures === 0) return true;
  return context.writer.run(null, async (unit) => {
    if (!(await store.noteHistory(unit.trx, grant, historyId))) return false;
    const audience = { userIds: [grant.user_id] };
    for (const event of events) unit.emit('mail.received', event, { audience });
    await reportArrivals(context, unit, { userId: grant.user_id, mails: arrived });
    return true;
  });
}

type Changes = { historyId: string; events: MailReceived[]; arrived: Arrivals };

/** The changes are unknown, so clients refetch. */
const EVERYTHING: MailReceived[] = mailSections.map((section) => ({ section, ids: [] }));

async function readHistory(mailbox: Mailbox, since: string): Promise<Changes> {
  try {
    const news = await mailbox.readNews(since);
    const { historyId } = news;
    return { historyId, events: toEvents(news), arrived: await readArrivals(mailbox, news) };
  } catch (error) {
    // Google keeps about a week of history; after longer absences everything is refetched.
    if (toGoogleFailure(error).reason !== 'notFound') throw error;
    const { historyId } = await mailbox.readProfile();
    return { historyId, events: EVERYTHING, arrived: [] };
  }
}

function toEvents({ added }: MailboxChanges): MailReceived[] {
  const idsOf = (section: MailSection) =>
    added.filter(({ labels }) => labels.includes(rules.LABELS[section])).map(({ id }) => id);
  return mailSections
    .map((section) => ({ section, ids: idsOf(section) }))
    .filter(({ ids }) => ids.length > 0)
    .map(({ section, ids }) => ({ section, ids: ids.length > MAX_REPORTED ? [] : ids }));
}

/**
 * Replies to Google at once; the checks run afterwards.
 * @throws Refusal notConfigured, notPermitted unless Google signed it, invalidInput
 */
export async function receivePush(
  context: Context,
  authorization: string | undefined,
  body: unknown,
): Promise<void> {
  const { db, log } = context;
  await requireGoogleSignature(context, authorization);
  const { message } = validate(MailPushSchema, parseBody(body));
  const change = rules.readChange(message.data);
  // Accepted, since Pub/Sub resends a refused push for days.
  if (!change) return log.warn('Google’s push is not a mailbox change');
  const grants = await store.listGrantsOf(db, change.emailAddress);
  const outdated = grants.filter((grant) => rules.isNewer(change.historyId, grant.history_id));
  const userIds = outdated.map((grant) => grant.user_id);
  if (userIds.length === 0) return;
  await store.makeDue(db, userIds);
  void checkMailboxes(context, userIds);
}

async function requireGoogleSignature(
  context: Context,
  authorization: string | undefined,
): Promise<void> {
  const gate = pushGateOf(context);
  if (!gate) throw new Refusal('notConfigured', "Google push isn't set up.", { steps: STEPS });
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const isGoogle = await gate.isFromGoogle(token).catch((error: unknown) => {
    throw toRefusal(error);
  });
  if (!isGoogle) throw new Refusal('notPermitted');
}

/** Renews Google's pushes for each mailbox once a day: they expire after a week. */
export async function renewWatches(context: Context): Promise<void> {
  const { writer, queue } = context;
  const google = googleOf(context);
  if (!google?.config.push) return;
  await writer.run(null, async (unit) =>
    queue.add(unit, 'watch', await store.claimUnwatched(unit.trx)),
  );
}

/** @param before failed attempts */
export async function watchMailbox(
  context: Context,
  userId: string,
  before: number,
): Promise<void> {
  const { db, log } = context;
  const google = googleOf(context);
  const topic = google?.config.push?.topic;
  const grant = await store.findGrant(db, userId);
  if (!grant || topic === undefined) return;
  try {
    const mailbox = await openMailbox(context, grant);
    await store.noteWatch(db, grant, { topic, until: await mailbox.watch(topic) });
  } catch (error) {
    if (!(error instanceof GoogleFailure)) throw error;
    if (error.reason === 'revoked') return forgetMailbox(context, grant);
    if (before < MAX_WATCH_TRIES) throw error;
    log.warn({ reason: error.reason }, 'Google does not push new mail, so it is polled');
  }
}
