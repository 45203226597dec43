import type { FirmClock } from '../../core/mornings.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Letter } from '../../integrations/smtp/mailer.ts';
import type { Queue } from '../../jobs/queue.ts';
import * as rules from './rules.mailing.ts';
import * as store from './store.mailing.ts';

/** Attempts of a mail that its server refuses. */
const TRIES = 5;
const WHY = 'a mail belongs to the person of its notice, who is checked to see the matter';

type Parts = {
  writer: Writer;
  queue: Queue;
  firm: { read: () => Promise<FirmClock> };
  publicUrl: string;
  /** The system's own mail. */
  post: { isOn: boolean; deliver: (letter: Letter) => Promise<void> };
  /** From the person's own account to the same; false without one. */
  own: { send: (userId: string, letter: rules.NoticeLetter) => Promise<boolean> };
};

/** Mails notices to those who wish it: each once, and once more when no one can know whether it arrived. */
export class Mailing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.#parts.queue.work('notice', 1, (id) => this.#mail(id));
  }

  /** A repeated job continues where the first one ended. */
  async #mail(id: string): Promise<void> {
    const { writer, firm, publicUrl } = this.#parts;
    const claimed = await writer.runAsSystem(null, WHY, ({ trx }) => store.claim(trx, id));
    if (!claimed) return;
    const letter = rules.letterOf(claimed, await firm.read(), publicUrl);
    try {
      const isSent = await this.#send(claimed.user_id, letter);
      await this.#settle(id, isSent ? 'sent' : 'no');
    } catch (error) {
      await this.#fail(claimed, error);
    }
  }

  async #send(userId: string, letter: rules.NoticeLetter): Promise<boolean> {
    const { post, own } = this.#parts;
    if (!post.isOn) return own.send(userId, letter);
    await post.deliver(letter);
    return true;
  }

  /** @throws the error unless it was the last attempt, so that the queue repeats the job */
  async #fail({ id, mail_tries: tries, mail_state: state }: store.Claimed, error: unknown) {
    const isRepeated = state === 'again';
    if (isRepeated) return this.#settle(id, 'unknown');
    // Otherwise it counts as being sent, and is repeated once.
    if (!rules.isUnsure(error)) await this.#settle(id, tries >= TRIES ? 'failed' : 'waiting');
    if (tries < TRIES || rules.isUnsure(error)) throw error;
  }

  async #settle(id: string, state: store.Settled): Promise<void> {
    const { writer } = this.#parts;
    await writer.runAsSystem(null, WHY, ({ trx }) => store.settle(trx, id, state));
  }
}
