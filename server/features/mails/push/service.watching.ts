// Renews Google's push notifications, which expire after a week.
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import { findGrant } from '../store.ts';
import * as store from './store.ts';
import type { Context } from '../../../context.ts';
import { forgetMailbox, openMailbox, googleOf } from '../service.access.ts';
/** Tries before the next hourly round takes over. */
const TRIES = 5;

/** Renews each mailbox once a day, and retries those that failed. */
export async function renewWatches(context: Context): Promise<void> {
  const { writer, queue } = context;
  const google = googleOf(context);
  if (!google?.config.push) return;
  await writer.run(null, async ({ trx }) => {
    for (const userId of await store.takeUnwatched(trx)) await queue.add(trx, 'watch', userId);
  });
  queue.wake();
}

/** @param before number of failed tries */
export async function watchMailbox(
  context: Context,
  userId: string,
  before: number,
): Promise<void> {
  const { db, log } = context;
  const google = googleOf(context);
  const topic = google?.config.push?.topic;
  const grant = await findGrant(db, userId);
  if (!grant || topic === undefined) return;
  try {
    const mailbox = await openMailbox(context, grant);
    await store.noteWatch(db, grant, { topic, until: await mailbox.watch(topic) });
  } catch (error) {
    if (!(error instanceof GoogleFailure)) throw error;
    if (error.reason === 'revoked') return forgetMailbox(context, grant);
    if (before < TRIES) throw error;
    log.warn({ reason: error.reason }, 'Google does not push new mail, so it is polled');
  }
}
