/** Size limit in bytes, and milliseconds since the last use. */
const MOST_BYTES = 64 * 1024 * 1024;
const LIFE = 5 * 60_000;

type Kept = { bytes: Promise<ArrayBuffer>; size: number; at: number };

/** Recently read mails, since their images are requested one by one. */
export class MailCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();

  /**
   * Parallel callers share one read.
   * @param key includes the grant, so that users never share mails
   */
  async take(key: string, read: () => Promise<ArrayBuffer>): Promise<ArrayBuffer> {
    const now = Date.now();
    const found = this.#kept.get(key);
    const kept = found && now - found.at < LIFE ? found : { bytes: read(), size: 0, at: now };
    kept.at = now;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    try {
      const bytes = await kept.bytes;
      kept.size = bytes.byteLength;
      this.#shrink(now);
      return bytes;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #shrink(now: number): void {
    let sum = [...this.#kept.values()].reduce((total, { size }) => total + size, 0);
    for (const [key, { size, at }] of this.#kept) {
      if (sum <= MOST_BYTES && now - at < LIFE) return;
      this.#kept.delete(key);
      sum -= size;
    }
  }
}
