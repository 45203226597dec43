import type { WholeMail } from './whole-mail.ts';

/** Size limit in bytes, and milliseconds since the last use. */
const MOST_BYTES = 64 * 1024 * 1024;
const LIFE = 5 * 60_000;

type Kept = { mail: Promise<WholeMail>; size: number; at: number };

/** Recently read mails, since their images are requested one by one. */
export class MailCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();

  /**
   * Parallel callers share one read.
   * @param key includes the grant, so that users never share mails
   * @returns a mail that the caller holds, and releases
   */
  async take(key: string, read: () => Promise<WholeMail>): Promise<WholeMail> {
    const now = Date.now();
    this.#shrink(now);
    const kept = this.#kept.get(key) ?? { mail: read(), size: 0, at: now };
    kept.at = now;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    try {
      const mail = await kept.mail;
      mail.hold();
      kept.size = mail.size;
      this.#shrink(now);
      return mail;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #shrink(now: number): void {
    let sum = [...this.#kept.values()].reduce((total, { size }) => total + size, 0);
    for (const [key, { mail, size, at }] of this.#kept) {
      if (sum <= MOST_BYTES && now - at < LIFE) return;
      this.#kept.delete(key);
      void mail.then((dropped) => dropped.release()).catch(() => undefined);
      sum -= size;
    }
  }
}
