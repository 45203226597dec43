// Checks mailboxes for new mail and notifies their owners, from one of several processes.

import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { MailReceived } from '@matterdesk/contract/mails.ts';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import { toGoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, News } from '../../../integrations/google/mailbox.ts';
import * as rules from '../rules.ts';
import * as store from './store.ts';
import { findGrant, type GrantRow } from '../store.ts';
import { type Context, perContext } from '../../../context.ts';
import { forgetMailbox, openMailbox, googleOf } from '../service.access.ts';
/** Milliseconds that shutdown waits. */
const LAST_MOMENT = 1000;
/** Seconds between two checks of a mailbox, and the longest interval after failures. */
const INTERVAL = 20;
const LONGEST_INTERVAL = 900;
/** Seconds between two checks of a watched mailbox, in case a push is lost. */
const SAFETY_INTERVAL = 300;
/** Retries of a read that another process overtook. */
const TRIES = 3;
/** Mailboxes per round, and at the same time. */
const MOST = 50;
const AT_ONCE = 5;
/** Above this number the event carries no ids, and clients refetch. */
const MOST_REPORTED = 100;

const runningOf = perContext(() => new Set<Promise<void>>());
const queueOf = perContext(() => pLimit(AT_ONCE));

/** Waits briefly for running checks; the next start repeats unfinished ones. */
export async function settleMailChecks(context: Context): Promise<void> {
  const all = Promise.all(runningOf(context));
  await Promise.race([all, pause(LAST_MOMENT, undefined, { ref: false })]);
}

/** Checks the due mailboxes of these users. */
export async function checkMailboxes(context: Context, userIds: string[]): Promise<void> {
  const checking = startMailChecks(context, userIds);
  runningOf(context).add(checking);
  await checking;
  runningOf(context).delete(checking);
}

async function startMailChecks(context: Context, userIds: string[]): Promise<void> {
  const { db, log } = context;
  const topic = googleOf(context)?.config.push?.topic ?? null;
  if (userIds.length === 0) return;
  try {
    const watched = { topic, interval: SAFETY_INTERVAL };
    const due = await store.takeDue(db, { userIds, interval: INTERVAL, watched, limit: MOST });
    await Promise.all(due.map((grant) => queueOf(context)(() => readMailChanges(context, grant))));
  } catch (error) {
    log.warn({ err: error }, 'checking for new mail');
  }
}

async function readMailChanges(context: Context, grant: GrantRow, tried = 1): Promise<void> {
  const { db, log } = context;
  try {
    const { historyId, events } = await readNews(
      await openMailbox(context, grant),
      grant.history_id,
    );
    if (await emitMailChanges(context, grant, { historyId, events })) return;
  } catch (error) {
    const { reason, retryAfter = 0 } = toGoogleFailure(error);
    log.warn({ reason }, 'cannot check for new mail');
    if (reason === 'revoked') return forgetMailbox(context, grant);
    const wait = Math.min(INTERVAL * 2 ** (grant.failures + 1), LONGEST_INTERVAL);
    return store.noteFailure(db, grant, Math.max(wait, retryAfter));
  }
  // Mail that arrived after the other process's check is still unreported.
  const now = await findGrant(db, grant.user_id);
  if (now?.fingerprint === grant.fingerprint && tried < TRIES)
    await readMailChanges(context, now, tried + 1);
}

/** @returns false when another process was faster */
async function emitMailChanges(
  context: Context,
  grant: GrantRow,
  { historyId, events }: { historyId: string; events: MailReceived[] },
): Promise<boolean> {
  if (historyId === grant.history_id && grant.failures === 0) return true;
  return context.writer.run(null, async (unit) => {
    if (!(await store.noteNews(unit.trx, grant, historyId))) return false;
    const audience = { userIds: [grant.user_id] };
    for (const event of events) unit.emit('mail.received', event, { audience });
    return true;
  });
}

/** The changes are unknown, so clients refetch. */
const EVERYTHING: MailReceived[] = mailSections.map((section) => ({ section, ids: [] }));

async function readNews(mailbox: Mailbox, since: string) {
  try {
    const news = await mailbox.readNews(since);
    return { historyId: news.historyId, events: toEvents(news) };
  } catch (error) {
    // Google keeps about a week of history; after longer absences everything is refetched.
    if (toGoogleFailure(error).reason !== 'notFound') throw error;
    return { historyId: (await mailbox.readProfile()).historyId, events: EVERYTHING };
  }
}

function toEvents({ added }: News): MailReceived[] {
  const idsOf = (section: MailSection) =>
    added.filter(({ labels }) => labels.includes(rules.LABELS[section])).map(({ id }) => id);
  return mailSections
    .map((section) => ({ section, ids: idsOf(section) }))
    .filter(({ ids }) => ids.length > 0)
    .map(({ section, ids }) => ({ section, ids: ids.length > MOST_REPORTED ? [] : ids }));
}
