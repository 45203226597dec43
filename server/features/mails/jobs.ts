// E-mail: routes, assembly and jobs; the topics are folders.

import type { Database } from '../../db/schema.ts';
import type { Seal } from '../../db/seal.ts';
import type { Queue } from '../../jobs/queue.ts';
import { Mailbox } from '../../integrations/google/mailbox.ts';
import * as rules from './rules.ts';
import type { Google } from './service.access.ts';
import type { NewsService } from './push/service.ts';
import type { UploadService } from './compose/service.uploads.ts';
import type { WatchingService } from './push/service.watching.ts';
import * as store from './store.ts';

type RevokerParts = { db: Database; seal: Seal; queue: Queue; google: Google | undefined };
const HOUR = 3600;

type Parts = RevokerParts & {
  uploads: UploadService;
  news: NewsService;
  watching: WatchingService;
  /** Who has a page open, whichever process it is connected to. */
  listeners: () => Promise<string[]>;
};

/** What goes on without anyone asking, where Google is configured. */
export class MailJobs {
  readonly #parts: Parts;
  #looking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { google, queue, uploads, watching } = this.#parts;
    await queue.repeat({ name: 'mail-uploads', every: HOUR, run: () => uploads.sweep() });
    if (!google) return;
    await new Revoker({ ...this.#parts, google }).start();
    const every = google.config.waits.tick / 1000;
    await queue.repeat({ name: 'mail-news', every, run: () => this.look() });
    if (!google.config.push) return;
    await queue.work('watch', 1, (userId, { before }) => watching.watch(userId, before));
    await queue.repeat({ name: 'mail-watches', every: HOUR, run: () => watching.renew() });
  }

  /** Looks for new mail of everyone who has a page open; of two looks at a time there is one. */
  look(): Promise<void> {
    const { news, listeners } = this.#parts;
    this.#looking ??= listeners()
      .then((userIds) => news.look(userIds))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async stop(): Promise<void> {
    await this.#parts.news.settle();
  }
}

/** Revokes at Google what was disconnected here, again and again until Google has heard of it. */
class Revoker {
  readonly #parts: RevokerParts & { google: Google };

  constructor(parts: RevokerParts & { google: Google }) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.#parts.queue.work('revoke', 1, (sealed) => this.#revoke(sealed));
  }

  async #revoke(sealed: string): Promise<void> {
    const { db, seal, google } = this.#parts;
    const opened = seal.open(Buffer.from(sealed, 'base64'), rules.REVOCATION);
    // Sealed under a lost key, so it is unusable.
    if (opened === undefined) return;
    const { refreshToken, email, isWatched } = JSON.parse(opened) as rules.Revocation;
    // Google revokes all tokens of an account together, so other users of it would lose theirs.
    if (email !== null && (await store.hasGrantOf(db, email))) return;
    if (isWatched) await stopWatch(google, refreshToken);
    await google.signIn.revoke(refreshToken);
  }
}

/** Otherwise Google pushes about the mailbox for another week. */
async function stopWatch({ config, signIn }: Google, refreshToken: string): Promise<void> {
  const mailbox = await Mailbox.open(await signIn.open({ refreshToken }), config);
  await mailbox.stopWatch().catch(() => undefined);
}
