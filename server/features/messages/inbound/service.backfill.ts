import type { ProviderMessage, TwilioClient } from '../../../integrations/twilio/client.ts';
import type { NewsService } from '../service.news.ts';
import type { Texting } from '../service.parts.ts';
import type { RecordService } from './service.records.ts';
import * as store from '../store.ts';
import * as sync from './store.ts';

/** Milliseconds between two rounds. */
const EVERY = 240_000;
/** Milliseconds before the last complete round that are read again, since callbacks can be delayed. */
const OVERLAP = 3600_000;
/** Pages per round; the next round continues there. */
const PAGES = 20;

type Neighbours = { news: NewsService; records: RecordService };

/** Fetches texts and states from Twilio that no webhook delivered. */
export class BackfillService {
  readonly #parts: Texting;
  readonly #neighbours: Neighbours;

  constructor(parts: Texting, neighbours: Neighbours) {
    this.#parts = parts;
    this.#neighbours = neighbours;
  }

  /** Runs when due. @param isDue runs in any case @throws TwilioFailure */
  async run({ isDue }: { isDue: boolean }): Promise<void> {
    const { db, twilio } = this.#parts;
    const state = await sync.readSync(db);
    const isResting = state.looked_at && Date.now() - state.looked_at.getTime() < EVERY;
    // An incomplete round continues without a pause.
    if (!twilio || (isResting && !state.look_from && !isDue)) return;
    const first = await sync.firstPurchase(db);
    if (!first) return;
    await this.#fetch(twilio, state, first);
  }

  async #fetch(twilio: TwilioClient, state: sync.SyncRow, first: Date): Promise<void> {
    const { db } = this.#parts;
    const begun = state.look_from ?? new Date();
    const since = new Date((state.complete_until ?? first).getTime() - OVERLAP);
    const before = state.look_back_to;
    const window = { after: since, ...(before && { before }) };
    let next: string | undefined;
    let reached: Date | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const found = await twilio.listMessages(window, next);
      for (const message of found.messages) await this.#take(twilio, message);
      reached = found.messages.at(-1)?.sentAt ?? found.messages.at(-1)?.createdAt ?? reached;
      next = found.next;
      if (!next) break;
    }
    const looked = { looked_at: new Date() };
    await sync.writeSync(
      db,
      // Without progress the same pages would be read forever.
      next && reached && reached.getTime() !== before?.getTime()
        ? { ...looked, look_from: begun, look_back_to: reached }
        : { ...looked, complete_until: begun, look_from: null, look_back_to: null },
    );
  }

  async #take(twilio: TwilioClient, record: ProviderMessage): Promise<void> {
    const known = await store.findTextBySid(this.#parts.db, record.sid);
    if (known) await this.#neighbours.records.apply(known.id, record);
    else if (record.isInbound) await this.#receive(twilio, record);
    else await this.#neighbours.news.adopt(record);
  }

  async #receive(twilio: TwilioClient, record: ProviderMessage): Promise<void> {
    const { sid, from, to, body, sentAt, createdAt, mediaCount } = record;
    const media = mediaCount > 0 ? await twilio.listMedia(sid) : [];
    const text = { sid, own: to, other: from, body, media, sentAt: sentAt ?? createdAt };
    await this.#neighbours.news.receive(text);
  }
}
