import { type Context, perContext } from '../../context.ts';
import { type TwilioFailure, toFailure } from '../../integrations/twilio/failure.ts';
import {
  backfillTexts,
  dateMessages,
  markCutOffMessages,
  settleMessages,
  settleInbound,
} from './inbound/service.ts';
import { fetchWaitingMedia } from './media/service.ts';
import { refreshRegistrations } from './numbers/service.registrations.ts';
import { reconcilePurchases } from './numbers/service.ts';
import * as rules from './rules.ts';
import { twilioOf } from './service.twilio.ts';
import { purgeNotedStatuses } from './store.ts';

/** Seconds between two runs. */
const EVERY_SECONDS = 15;

/** Days that statuses of unknown messages are kept. */
const STATUS_DAYS = 7;

const runningOf = perContext((): { last: Promise<void> } => ({ last: Promise.resolve() }));

/**
 * Catches up on what webhooks missed.
 * @param isAlone true when no other process can be working, so unfinished sends were interrupted
 */
export async function startMessageJobs(context: Context, isAlone: boolean): Promise<void> {
  if (!twilioOf(context)) return;
  if (isAlone) await markCutOffMessages(context, 0);
  const run = ({ signal, isFirst }: { signal: AbortSignal; isFirst: boolean }) =>
    catchUpOnTexts(context, { signal, isWhole: isFirst });
  await context.queue.repeat({ name: 'texts', every: EVERY_SECONDS, run });
}

/** Waits for the current step. */
export async function stopMessageJobs(context: Context): Promise<void> {
  await runningOf(context).last;
  await settleInbound(context);
}

type Run = { isWhole: boolean; signal?: AbortSignal };

/** Runs one at a time. @param run.isWhole asks about everything, as at startup */
export function catchUpOnTexts(context: Context, run: Run): Promise<void> {
  const running = runningOf(context);
  running.last = running.last.then(() => runSteps(context, run));
  return running.last;
}

async function runSteps(context: Context, { isWhole, signal }: Run): Promise<void> {
  const { db, log } = context;
  const steps = {
    purchases: () => reconcilePurchases(context, isWhole ? 0 : rules.SETTLE_AFTER_SECONDS),
    sends: () => settleMessages(context, isWhole ? 0 : rules.SETTLE_AFTER_SECONDS),
    missed: () => backfillTexts(context, { isDue: isWhole }),
    times: () => dateMessages(context),
    media: () => fetchWaitingMedia(context),
    registrations: () => refreshRegistrations(context, { isDue: isWhole }),
    statuses: () => purgeNotedStatuses(db, STATUS_DAYS),
  };
  for (const [step, take] of Object.entries(steps)) {
    if (signal?.aborted) return;
    await take().catch((error: unknown) => log.warn({ step, ...reasonOf(error) }, 'texts'));
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
