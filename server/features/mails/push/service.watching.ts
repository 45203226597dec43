import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { Queue } from '../../../jobs/queue.ts';
import type { Log } from '../../../log.ts';
import type { Google, MailAccess } from '../service.access.ts';
import { findGrant } from '../store.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  queue: Queue;
  access: MailAccess;
  google: Google | undefined;
  log: Log;
};

/** Tries before the next hourly round takes over. */
const TRIES = 5;

/** Renews Google's push notifications, which expire after a week. */
export class WatchingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Renews each mailbox once a day, and retries those that failed. */
  async renew(): Promise<void> {
    const { google, writer, queue } = this.#parts;
    if (!google?.config.push) return;
    await writer.run(null, async ({ trx }) => {
      for (const userId of await store.takeUnwatched(trx)) await queue.add(trx, 'watch', userId);
    });
    queue.wake();
  }

  /** @param before number of failed tries */
  async watch(userId: string, before: number): Promise<void> {
    const { db, access, google, log } = this.#parts;
    const topic = google?.config.push?.topic;
    const grant = await findGrant(db, userId);
    if (!grant || topic === undefined) return;
    try {
      const mailbox = await access.open(grant);
      await store.noteWatch(db, grant, { topic, until: await mailbox.watch(topic) });
    } catch (error) {
      if (!(error instanceof GoogleFailure)) throw error;
      if (error.reason === 'revoked') return access.forget(grant);
      if (before < TRIES) throw error;
      log.warn({ reason: error.reason }, 'Google does not push new mail, so it is polled');
    }
  }
}
