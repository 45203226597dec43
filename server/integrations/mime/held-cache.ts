import type { HeldBytes } from './held-bytes.ts';

/** Size limit in bytes, and milliseconds since the last use. */
const MOST_BYTES = 64 * 1024 * 1024;
const LIFE = 5 * 60_000;

type Entry = { bytes: HeldBytes };
type Kept<T> = { entry: Promise<T>; size: number; at: number };

/** What was recently read, since images of a mail and pieces of a PDF are requested one by one. */
export class HeldCache<T extends Entry> {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept<T>>();

  /**
   * Parallel callers share one read.
   * @param key includes the grant, so that users never share mails
   * @returns an entry whose bytes the caller holds, and releases
   */
  async take(key: string, read: () => Promise<T>): Promise<T> {
    const now = Date.now();
    this.#shrink(now);
    const kept = this.#kept.get(key) ?? { entry: read(), size: 0, at: now };
    kept.at = now;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    try {
      const entry = await kept.entry;
      entry.bytes.hold();
      kept.size = entry.bytes.size;
      this.#shrink(now);
      return entry;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept].map(([key, kept]) => this.#end(key, kept)));
  }

  #shrink(now: number): void {
    let sum = [...this.#kept.values()].reduce((total, { size }) => total + size, 0);
    for (const [key, kept] of this.#kept) {
      if (sum <= MOST_BYTES && now - kept.at < LIFE) return;
      void this.#end(key, kept);
      sum -= kept.size;
    }
  }

  async #end(key: string, { entry }: Kept<T>): Promise<void> {
    this.#kept.delete(key);
    // What could not be read holds nothing.
    await entry.then(({ bytes }) => bytes.release()).catch(() => undefined);
  }
}
