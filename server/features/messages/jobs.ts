import { randomUUID } from 'node:crypto';
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
import * as store from './inbound/store.ts';

/** Milliseconds between two rounds. */
const ROUND = 15_000;
/** Seconds that a process may take for a round before another takes over. */
const HOLD = 120;

/** Days that news of a message we never heard of is kept. */
const STATUS_DAYS = 7;

type Parts = Texting & {
  numbers: NumberService;
  registrations: RegistrationService;
  records: RecordService;
  media: MediaService;
  backfill: BackfillService;
  inbound: InboundService;
};

/** Asks Twilio for whatever was missed. Of several processes one does it. */
export class TextKeeper {
  readonly #parts: Parts;
  readonly #name = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param isAlone no other process can be at work: what is unfinished was cut off */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { db, twilio } = this.#parts;
    if (!twilio) return;
    if (isAlone) {
      await store.releaseSync(db);
      await this.#parts.records.markCutOff(0);
    }
    void this.round();
    this.#timer = setInterval(() => void this.#next({ isWhole: false }), ROUND);
  }

  /** Lets a step that has begun come to its end. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#parts.inbound.settle();
  }

  /** Asks about everything there is to ask, as at a start. */
  round(): Promise<void> {
    return this.#next({ isWhole: true });
  }

  /** One round after the other. */
  #next(kind: { isWhole: boolean }): Promise<void> {
    this.#running = this.#running.then(() => this.#round(kind));
    return this.#running;
  }

  async #round({ isWhole }: { isWhole: boolean }): Promise<void> {
    const { db, log, numbers, registrations, records, media, backfill } = this.#parts;
    try {
      if (this.#isStopping || !(await store.holdSync(db, this.#name, HOLD))) return;
    } catch (error) {
      log.warn({ err: error }, 'texts not looked after');
      return;
    }
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
      if (this.#isStopping) return;
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
