import { Seal } from '../../db/seal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Letter, Mailer } from '../../integrations/smtp/mailer.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Log } from '../../log.ts';

/** Milliseconds for which an unsent mail is tried again. */
const PATIENCE = 24 * 3600_000;
const PURPOSE = 'system mail';

/** What waits to be sent: a whole mail, or whom to write a link that is made when it is sent. */
type Posted = { letter: Letter } | { forgottenBy: string; askedFrom: string };
type Envelope = Posted & { until: number };

/** Makes the mail for a forgotten password; undefined for an address without an account. */
export type LinkWriter = (email: string, askedFrom: string) => Promise<Letter | undefined>;

type Parts = { queue: Queue; secretKey: string; mailer: Mailer | undefined; log: Log };

/** The system's own mail. It waits sealed in the queue, since it holds links. */
export class Post {
  readonly #parts: Parts;
  readonly #seal: Seal;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#seal = new Seal(parts.secretKey);
  }

  get isOn(): boolean {
    return this.#parts.mailer !== undefined;
  }

  /** Sends it at once. Rejects unless the server accepted it. */
  async deliver(letter: Letter): Promise<void> {
    await this.#parts.mailer?.send(letter);
  }

  async add(unit: Unit, posted: Posted): Promise<void> {
    const { queue } = this.#parts;
    const envelope: Envelope = { ...posted, until: Date.now() + PATIENCE };
    const sealed = this.#seal.close(JSON.stringify(envelope), PURPOSE).toString('base64');
    await queue.add(unit.trx, 'mail', sealed);
    unit.afterCommit(() => queue.wake());
  }

  /** Starts sending. */
  async start(write: LinkWriter): Promise<void> {
    const { mailer, queue } = this.#parts;
    if (mailer) await queue.work('mail', 1, (sealed) => this.#send(mailer, write, sealed));
  }

  async #send(mailer: Mailer, write: LinkWriter, sealed: string): Promise<void> {
    const opened = this.#seal.open(Buffer.from(sealed, 'base64'), PURPOSE);
    const envelope = opened === undefined ? undefined : (JSON.parse(opened) as Envelope);
    if (!envelope || envelope.until < Date.now()) {
      this.#parts.log.warn('a mail of the system was not sent within a day');
      return;
    }
    const letter =
      'letter' in envelope
        ? envelope.letter
        : await write(envelope.forgottenBy, envelope.askedFrom);
    if (letter) await mailer.send(letter);
  }
}
