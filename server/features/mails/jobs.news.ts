import { setTimeout as pause } from 'node:timers/promises';
import type { MailReceived } from '@matterdesk/contract/mails.ts';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { toGoogleFailure } from '../../integrations/google/failure.ts';
import type { News } from '../../integrations/google/mailbox.ts';
import type { Log } from '../../log.ts';
import type { MailAccess } from './service.access.ts';
import * as rules from './rules.ts';
import * as store from './store.news.ts';
import type { GrantRow } from './store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  access: MailAccess;
  log: Log;
  /** Who has a page open that is connected to this process. */
  listeners: () => string[];
  /** Milliseconds between two looks at who is due. */
  tick: number;
};

/** Milliseconds that the end waits. */
const LAST_MOMENT = 1000;
/** Seconds between two looks into a mailbox, and the most after failures. */
const INTERVAL = 20;
const LONGEST_INTERVAL = 900;
/** Mailboxes that are looked into in one go, and at a time. */
const MOST = 50;
const AT_ONCE = 5;
/** More than these are not told one by one. */
const MOST_TOLD = 100;

/** Looks for new mail of whoever has the product open; of several processes one looks. */
export class NewsWatcher {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), this.#parts.tick);
    this.#timer.unref();
  }

  /** Looks into every mailbox that is due; of two looks at a time there is one. */
  look(): Promise<void> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Waits a moment for what is being asked; an answer that comes later is asked for again at the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.#running, pause(LAST_MOMENT, undefined, { ref: false })]);
  }

  async #look(): Promise<void> {
    const { db, log, listeners } = this.#parts;
    const userIds = listeners();
    if (userIds.length === 0) return;
    try {
      const due = await store.takeDue(db, { userIds, interval: INTERVAL, limit: MOST });
      const isFree = rules.createTurnstile(AT_ONCE);
      await Promise.all(due.map((grant) => isFree(() => this.#read(grant))));
    } catch (error) {
      log.warn({ err: error }, 'looking for mail');
    }
  }

  async #read(grant: GrantRow): Promise<void> {
    const { access, db, log } = this.#parts;
    try {
      const mailbox = await access.open(grant);
      const news = await mailbox.readNews(grant.history_id).catch((error: unknown) => {
        // Google remembers about a week: who was away for longer begins anew.
        if (toGoogleFailure(error).reason === 'notFound') return undefined;
        throw error;
      });
      if (news) await this.#tell(grant, news.historyId, toTold(news));
      else await this.#tell(grant, (await mailbox.readProfile()).historyId, EVERYTHING);
    } catch (error) {
      const { reason, retryAfter = 0 } = toGoogleFailure(error);
      log.warn({ reason }, 'new mail cannot be looked for');
      if (reason === 'revoked') return access.forget(grant);
      const wait = Math.min(INTERVAL * 2 ** (grant.failures + 1), LONGEST_INTERVAL);
      await store.noteFailure(db, grant, Math.max(wait, retryAfter));
    }
  }

  async #tell(grant: GrantRow, historyId: string, told: MailReceived[]): Promise<void> {
    if (historyId === grant.history_id && grant.failures === 0) return;
    await this.#parts.writer.run(null, async (unit) => {
      if (!(await store.noteNews(unit.trx, grant, historyId))) return;
      for (const one of told) unit.tell('mail.received', one, { userId: grant.user_id });
    });
  }
}

/** Nobody knows what has come: whoever hears this reads afresh. */
const EVERYTHING: MailReceived[] = mailSections.map((section) => ({ section, ids: [] }));

function toTold({ added }: News): MailReceived[] {
  const idsOf = (section: MailSection) =>
    added.filter(({ labels }) => labels.includes(rules.LABELS[section])).map(({ id }) => id);
  return mailSections
    .map((section) => ({ section, ids: idsOf(section) }))
    .filter(({ ids }) => ids.length > 0)
    .map(({ section, ids }) => ({ section, ids: ids.length > MOST_TOLD ? [] : ids }));
}
