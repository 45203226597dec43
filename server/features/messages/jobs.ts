// Text messages: routes, assembly and jobs; the topics are folders.

import { type TwilioFailure, toFailure } from '../../integrations/twilio/failure.ts';
import * as rules from './rules.ts';
import { purgeNotedStatuses } from './store.ts';
import { dateMessages, markCutOffMessages, settleMessages } from './inbound/service.records.ts';
import { settleInbound } from './inbound/service.ts';
import { reconcilePurchases } from './numbers/service.ts';
import { backfillTexts } from './inbound/service.backfill.ts';
import { fetchWaitingMedia } from './media/service.ts';
import { refreshRegistrations } from './numbers/service.registrations.ts';
import { type Context, perContext } from '../../context.ts';
import { twilioOf } from './service.parts.ts';

/** Seconds between rounds. */
const EVERY = 15;

/** Days that statuses of unknown messages are kept. */
const STATUS_DAYS = 7;

const runningOf = perContext((): { round: Promise<void> } => ({ round: Promise.resolve() }));

/**
 * Catches up on what webhooks missed.
 * @param isAlone true when no other process can be working, so unfinished sends were interrupted
 */
export async function startMessageJobs(context: Context, isAlone: boolean): Promise<void> {
  if (!twilioOf(context)) return;
  if (isAlone) await markCutOffMessages(context, 0);
  const run = ({ signal, isFirst }: { signal: AbortSignal; isFirst: boolean }) =>
    catchUpOnTexts(context, { signal, isWhole: isFirst });
  await context.queue.repeat({ name: 'texts', every: EVERY, run });
}

/** Waits for the current step. */
export async function stopMessageJobs(context: Context): Promise<void> {
  await runningOf(context).round;
  await settleInbound(context);
}

type Kind = { isWhole: boolean; signal?: AbortSignal };

/** Runs one at a time. @param kind.isWhole asks about everything, as at startup */
export function catchUpOnTexts(context: Context, kind: Kind): Promise<void> {
  const running = runningOf(context);
  running.round = running.round.then(() => runSteps(context, kind));
  return running.round;
}

async function runSteps(context: Context, { isWhole, signal }: Kind): Promise<void> {
  const { db, log } = context;
  const steps = {
    purchases: () => reconcilePurchases(context, isWhole ? 0 : rules.SETTLE_AFTER),
    sends: () => settleMessages(context, isWhole ? 0 : rules.SETTLE_AFTER),
    missed: () => backfillTexts(context, { isDue: isWhole }),
    times: () => dateMessages(context),
    media: () => fetchWaitingMedia(context),
    registrations: () => refreshRegistrations(context, { isDue: isWhole }),
    statuses: () => purgeNotedStatuses(db, STATUS_DAYS),
  };
  for (const [step, run] of Object.entries(steps)) {
    if (signal?.aborted) return;
    await run().catch((error: unknown) => log.warn({ step, ...reasonOf(error) }, 'texts'));
  }
}

/** Safe to log: Twilio's failure kind or the database's code, without any text. */
function reasonOf(error: unknown) {
  const { kind, code }: TwilioFailure = toFailure(error);
  return { kind, code: code ?? (error as { code?: unknown }).code, error: nameOf(error) };
}

function nameOf(error: unknown) {
  return error instanceof Error ? error.constructor.name : typeof error;
}
