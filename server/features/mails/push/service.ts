import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { MailReceived } from '@matterdesk/contract/mails.ts';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { toGoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, News } from '../../../integrations/google/mailbox.ts';
import type { Log } from '../../../log.ts';
import type { MailAccess } from '../service.access.ts';
import * as rules from '../rules.ts';
import * as store from './store.ts';
import { findGrant, type GrantRow } from '../store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  access: MailAccess;
  log: Log;
  /** Topic for Google's pushes; null without pushes. */
  topic: string | null;
};

/** Milliseconds that shutdown waits. */
const LAST_MOMENT = 1000;
/** Seconds between two checks of a mailbox, and the longest interval after failures. */
const INTERVAL = 20;
const LONGEST_INTERVAL = 900;
/** Seconds between two checks of a watched mailbox, in case a push is lost. */
const SAFETY_INTERVAL = 300;
/** Retries of a read that another process overtook. */
const TRIES = 3;
/** Mailboxes per round, and at the same time. */
const MOST = 50;
const AT_ONCE = 5;
/** Above this number the event carries no ids, and clients refetch. */
const MOST_REPORTED = 100;

/** Checks mailboxes for new mail and notifies their owners, from one of several processes. */
export class NewsService {
  readonly #parts: Parts;
  readonly #queue = pLimit(AT_ONCE);
  readonly #running = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Waits briefly for running checks; the next start repeats unfinished ones. */
  async settle(): Promise<void> {
    const all = Promise.all(this.#running);
    await Promise.race([all, pause(LAST_MOMENT, undefined, { ref: false })]);
  }

  /** Checks the due mailboxes of these users. */
  async check(userIds: string[]): Promise<void> {
    const checking = this.#check(userIds);
    this.#running.add(checking);
    await checking;
    this.#running.delete(checking);
  }

  async #check(userIds: string[]): Promise<void> {
    const { db, log, topic } = this.#parts;
    if (userIds.length === 0) return;
    try {
      const watched = { topic, interval: SAFETY_INTERVAL };
      const due = await store.takeDue(db, { userIds, interval: INTERVAL, watched, limit: MOST });
      await Promise.all(due.map((grant) => this.#queue(() => this.#read(grant))));
    } catch (error) {
      log.warn({ err: error }, 'checking for new mail');
    }
  }

  async #read(grant: GrantRow, tried = 1): Promise<void> {
    const { access, db, log } = this.#parts;
    try {
      const { historyId, events } = await readNews(await access.open(grant), grant.history_id);
      if (await this.#emit(grant, historyId, events)) return;
    } catch (error) {
      const { reason, retryAfter = 0 } = toGoogleFailure(error);
      log.warn({ reason }, 'cannot check for new mail');
      if (reason === 'revoked') return access.forget(grant);
      const wait = Math.min(INTERVAL * 2 ** (grant.failures + 1), LONGEST_INTERVAL);
      return store.noteFailure(db, grant, Math.max(wait, retryAfter));
    }
    // Mail that arrived after the other process's check is still unreported.
    const now = await findGrant(db, grant.user_id);
    if (now?.fingerprint === grant.fingerprint && tried < TRIES) await this.#read(now, tried + 1);
  }

  /** @returns false when another process was faster */
  async #emit(grant: GrantRow, historyId: string, events: MailReceived[]): Promise<boolean> {
    if (historyId === grant.history_id && grant.failures === 0) return true;
    return this.#parts.writer.run(null, async (unit) => {
      if (!(await store.noteNews(unit.trx, grant, historyId))) return false;
      const audience = { userIds: [grant.user_id] };
      for (const event of events) unit.emit('mail.received', event, { audience });
      return true;
    });
  }
}

/** The changes are unknown, so clients refetch. */
const EVERYTHING: MailReceived[] = mailSections.map((section) => ({ section, ids: [] }));

async function readNews(mailbox: Mailbox, since: string) {
  try {
    const news = await mailbox.readNews(since);
    return { historyId: news.historyId, events: toEvents(news) };
  } catch (error) {
    // Google keeps about a week of history; after longer absences everything is refetched.
    if (toGoogleFailure(error).reason !== 'notFound') throw error;
    return { historyId: (await mailbox.readProfile()).historyId, events: EVERYTHING };
  }
}

function toEvents({ added }: News): MailReceived[] {
  const idsOf = (section: MailSection) =>
    added.filter(({ labels }) => labels.includes(rules.LABELS[section])).map(({ id }) => id);
  return mailSections
    .map((section) => ({ section, ids: idsOf(section) }))
    .filter(({ ids }) => ids.length > 0)
    .map(({ section, ids }) => ({ section, ids: ids.length > MOST_REPORTED ? [] : ids }));
}
