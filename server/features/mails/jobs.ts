import type { Database } from '../../db/schema.ts';
import type { Seal } from '../../db/seal.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Log } from '../../log.ts';
import type { Realtime } from '../../realtime/publisher.ts';
import { NewsWatcher } from './jobs.news.ts';
import * as rules from './rules.ts';
import type { Google, MailAccess } from './service.access.ts';
import * as store from './store.ts';

type RevokerParts = { db: Database; seal: Seal; queue: Queue; google: Google | undefined };
type Parts = RevokerParts & {
  writer: Writer;
  access: MailAccess;
  log: Log;
  realtime: Realtime;
};

/** What goes on without anybody asking, where Google is configured. */
export class MailJobs {
  readonly #revoker: Revoker;
  readonly #news: NewsWatcher | undefined;

  constructor({ realtime, ...parts }: Parts) {
    this.#revoker = new Revoker(parts);
    const listeners = () => realtime.listeners();
    const tick = parts.google?.config.waits.tick;
    this.#news = tick === undefined ? undefined : new NewsWatcher({ ...parts, listeners, tick });
  }

  async start(): Promise<void> {
    await this.#revoker.start();
    this.#news?.start();
  }

  /** Looks for new mail now. */
  async look(): Promise<void> {
    await this.#news?.look();
  }

  async stop(): Promise<void> {
    await this.#news?.stop();
  }
}

/** Revokes at Google what was disconnected here, again and again until Google has heard of it. */
class Revoker {
  readonly #parts: RevokerParts;

  constructor(parts: RevokerParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { google, queue } = this.#parts;
    if (google) await queue.work('revoke', 1, (sealed) => this.#revoke(google, sealed));
  }

  async #revoke({ signIn }: Google, sealed: string): Promise<void> {
    const { db, seal } = this.#parts;
    const opened = seal.open(Buffer.from(sealed, 'base64'), rules.REVOCATION);
    // Sealed under a key that is lost: nobody can use it any more.
    if (opened === undefined) return;
    const { refreshToken, email } = JSON.parse(opened) as rules.Revocation;
    // Google forgets all tokens of an account together: whoever is still connected to it would lose theirs.
    if (email !== null && (await store.hasGrantOf(db, email))) return;
    await signIn.revoke(refreshToken);
  }
}
