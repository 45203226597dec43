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

/** Seconds between two rounds. */
const EVERY = 15;

/** Days that news of a message we never heard of is kept. */
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

/** Asks Twilio for whatever was missed. */
export class TextKeeper {
  readonly #parts: Parts;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param isAlone no other process can be at work: what is unfinished was cut off */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { twilio, queue, records } = this.#parts;
    if (!twilio) return;
    if (isAlone) await records.markCutOff(0);
    const run = ({ signal, isFirst }: { signal: AbortSignal; isFirst: boolean }) =>
      this.round({ signal, isWhole: isFirst });
    await queue.repeat({ name: 'texts', every: EVERY, run });
  }

  /** Lets a step that has begun come to its end. */
  async stop(): Promise<void> {
    await this.#running;
    await this.#parts.inbound.settle();
  }

  /** One round after the other. @param isWhole asks about everything, as at a start */
  round(kind: { isWhole: boolean; signal?: AbortSignal }): Promise<void> {
    this.#running = this.#running.then(() => this.#round(kind));
    return this.#running;
  }

  async #round({ isWhole, signal }: { isWhole: boolean; signal?: AbortSignal }): Promise<void> {
    const { db, log, numbers, registrations, records, media, backfill } = this.#parts;
    const steps = {
      purchases: () => numbers.reconcile(isWhole ? 0 : rules.BUYING_LIFE / 2),
      sends: () => records.settle(isWhole ? 0 : rules.SETTLE_AFTER),
      missed: () => backfill.look({ isDue: isWhole }),
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

/** Nothing of a text: Twilio's failures name a kind, the database's a code. */
function reasonOf(error: unknown) {
  const { kind, code }: TwilioFailure = toFailure(error);
  return { kind, code: code ?? (error as { code?: unknown }).code, error: nameOf(error) };
}

function nameOf(error: unknown) {
  return error instanceof Error ? error.constructor.name : typeof error;
}
