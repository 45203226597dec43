// Text messages: routes, assembly and jobs; the topics are folders.

import type { TwilioFailure } from '../../integrations/twilio/failure.ts';
import { toFailure } from '../../integrations/twilio/failure.ts';
import * as rules from './rules.ts';
import type { BackfillService } from './inbound/service.backfill.ts';
import type { InboundService } from './inbound/service.ts';
import type { MediaService } from './media/service.ts';
import type { NumberService } from './numbers/service.ts';
import type { Texting } from './service.parts.ts';
import type { RecordService } from './inbound/service.records.ts';
import { purgeNotedStatuses } from './store.ts';
import type { RegistrationService } from './numbers/service.registrations.ts';
import type { Queue } from '../../jobs/queue.ts';

/** Seconds between rounds. */
const EVERY = 15;

/** Days that statuses of unknown messages are kept. */
const STATUS_DAYS = 7;

type Parts = Texting & {
  queue: Queue;
  numbers: NumberService;
  registrations: RegistrationService;
  records: RecordService;
  media: MediaService;
  backfill: BackfillService;
  inbound: InboundService;
};

/** Background jobs of text messages: catches up on what webhooks missed. */
export class MessageJobs {
  readonly #parts: Parts;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param isAlone true when no other process can be working, so unfinished sends were interrupted */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { twilio, queue, records } = this.#parts;
    if (!twilio) return;
    if (isAlone) await records.markCutOff(0);
    const run = ({ signal, isFirst }: { signal: AbortSignal; isFirst: boolean }) =>
      this.round({ signal, isWhole: isFirst });
    await queue.repeat({ name: 'texts', every: EVERY, run });
  }

  /** Waits for the current step. */
  async stop(): Promise<void> {
    await this.#running;
    await this.#parts.inbound.settle();
  }

  /** Rounds run one at a time. @param isWhole asks about everything, as at startup */
  round(kind: { isWhole: boolean; signal?: AbortSignal }): Promise<void> {
    this.#running = this.#running.then(() => this.#round(kind));
    return this.#running;
  }

  async #round({ isWhole, signal }: { isWhole: boolean; signal?: AbortSignal }): Promise<void> {
    const { db, log, numbers, registrations, records, media, backfill } = this.#parts;
    const steps = {
      purchases: () => numbers.reconcile(isWhole ? 0 : rules.SETTLE_AFTER),
      sends: () => records.settle(isWhole ? 0 : rules.SETTLE_AFTER),
      missed: () => backfill.run({ isDue: isWhole }),
      times: () => records.dateAll(),
      media: () => media.fetchWaiting(),
      registrations: () => registrations.refresh({ isDue: isWhole }),
      statuses: () => purgeNotedStatuses(db, STATUS_DAYS),
    };
    for (const [step, run] of Object.entries(steps)) {
      if (signal?.aborted) return;
      await run().catch((error: unknown) => log.warn({ step, ...reasonOf(error) }, 'texts'));
    }
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
