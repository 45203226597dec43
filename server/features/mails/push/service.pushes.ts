import { MailPushSchema, mailPushRoutes } from '@matterdesk/contract/mail-push.ts';
import type { Database } from '../../../db/schema.ts';
import { parseJson } from '../../../http/json-body.ts';
import { Refusal } from '../../../core/refusal.ts';
import { validate } from '../../../http/validate.ts';
import type { PushGate } from '../../../integrations/google/push-gate.ts';
import type { Log } from '../../../log.ts';
import { toRefusal } from '../service.access.ts';
import type { NewsService } from './service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  /** Undefined when not configured. */
  gate: PushGate | undefined;
  news: NewsService;
  log: Log;
};

/** Path of the Pub/Sub endpoint below PUBLIC_URL. */
export const PUSH_PATH = mailPushRoutes.receivePush.path;
const STEPS = 'Set GOOGLE_PUBSUB_TOPIC and GOOGLE_PUBSUB_ACCOUNT (see docs/google.md).';

/** Receives Google's push notifications. The token is verified before anything else is read. */
export class PushService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Replies at once, and checks the mailboxes after.
   * @throws Refusal notConfigured, notPermitted unless Google signed it, invalidInput
   */
  async receive(authorization: string | undefined, body: unknown): Promise<void> {
    const { db, news, log } = this.#parts;
    await this.#requireGoogle(authorization);
    const { message } = validate(MailPushSchema, parseJson(body));
    const change = rules.readChange(message.data);
    // Accepted, since Pub/Sub resends a refused push for days.
    if (!change) return log.warn('Google’s push is not a mailbox change');
    const grants = await store.listGrantsOf(db, change.emailAddress);
    const outdated = grants.filter((grant) => rules.isNewer(change.historyId, grant.history_id));
    const userIds = outdated.map((grant) => grant.user_id);
    if (userIds.length === 0) return;
    await store.makeDue(db, userIds);
    void news.check(userIds);
  }

  async #requireGoogle(authorization: string | undefined): Promise<void> {
    const { gate } = this.#parts;
    if (!gate) throw new Refusal('notConfigured', "Google push isn't set up.", { steps: STEPS });
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const isGoogle = await gate.isFromGoogle(token).catch((error: unknown) => {
      throw toRefusal(error);
    });
    if (!isGoogle) throw new Refusal('notPermitted');
  }
}
