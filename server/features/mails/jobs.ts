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
import type { Correspondents } from './correspondents/service.ts';
import * as store from './store.ts';

type RevokerParts = { db: Database; seal: Seal; queue: Queue; google: Google | undefined };
const HOUR = 3600;

type Parts = RevokerParts & {
  uploads: UploadService;
  news: NewsService;
  watching: WatchingService;
  correspondents: Correspondents;
  /** Ids of users with an open page in any process. */
  listeners: () => Promise<string[]>;
};

/** Background jobs of e-mail. */
export class MailJobs {
  readonly #parts: Parts;
  #checking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { correspondents, google, queue, uploads, watching } = this.#parts;
    await queue.repeat({ name: 'mail-uploads', every: HOUR, run: () => uploads.sweep() });
    if (!google) return;
    await new Revoker({ ...this.#parts, google }).start();
    const every = google.config.waits.tick / 1000;
    await queue.repeat({ name: 'mail-news', every, run: () => this.check() });
    await queue.repeat({
      name: 'mail-correspondents',
      every,
      run: (round) => correspondents.round(round),
    });
    if (!google.config.push) return;
    await queue.work('watch', 1, (userId, { before }) => watching.watch(userId, before));
    await queue.repeat({ name: 'mail-watches', every: HOUR, run: () => watching.renew() });
  }

  /** Checks for new mail of all users with an open page; parallel calls share one check. */
  check(): Promise<void> {
    const { news, listeners } = this.#parts;
    this.#checking ??= listeners()
      .then((userIds) => news.check(userIds))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async stop(): Promise<void> {
    await this.#parts.news.settle();
  }
}

/** Revokes tokens of disconnected accounts at Google, retrying until it succeeds. */
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
