import type { Run, Threads } from '../threads.ts';
import type { ReadAttachment, ReadMail } from './read.ts';

/** What Gmail says about a mail beside its bytes. */
export type Whole = { labels: string[]; threadId: string; arrivedAt: number };

/** `json` is Gmail's answer with the raw mail in it. */
export type Errand = { json: ArrayBuffer; wanted: 'mail' | 'raw' | { part: string } };
export type Answer = {
  whole: Whole;
  mail?: ReadMail;
  attachment?: ReadAttachment;
  bytes?: ArrayBuffer;
};

/** The mail is damaged, or parsing it takes too much time or memory. */
export class UnreadableMail extends Error {}

/** Parses mails in threads, within the time limit of a task. */
export class MailReader {
  readonly #run: Run<Errand, Answer>;

  constructor(threads: Threads) {
    const file = new URL('worker.ts', import.meta.url);
    this.#run = threads.open({ file, name: 'answer', atOnce: 2, patience: 20_000 });
  }

  /** @throws UnreadableMail */
  async read(errand: Errand): Promise<Answer> {
    try {
      return await this.#run(errand);
    } catch {
      // The cause is dropped, since a parser's message may quote the mail.
      throw new UnreadableMail('the parser gave up, or it took too much');
    }
  }
}
