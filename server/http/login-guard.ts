import { forgetAttempt, forgetAttempts, noteAttempt, secondsUntilRoom } from '../db/attempts.ts';
import type { Database } from '../db/schema.ts';
import { fold } from '../db/search.ts';
import { Refusal } from './refusal.ts';

/** How many failures an address and a client have within a window of milliseconds. */
export type LoginLimits = { perAddress: number; perClient: number; windowMs: number };
type Try = { email: string; client: string };

/** Counts failed logins only; a success resets the address. */
export class LoginGuard {
  readonly #db: Database;
  readonly #limits: LoginLimits;

  constructor(db: Database, limits: LoginLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /**
   * @param check what proves the password; a refusal `badCredentials` of it counts
   * @throws Refusal tooManyAttempts
   */
  async attempt<T>({ email, client }: Try, check: () => Promise<T>): Promise<T> {
    const addressKey = `login:${fold(email)}`;
    const clientKey = `client:${client}`;
    // Noted before the password is looked at, so that many tries at once cannot pass together.
    const own = await noteAttempt(this.#db, addressKey);
    const wait = await this.#wait(addressKey, clientKey);
    if (wait !== undefined) {
      await forgetAttempt(this.#db, own);
      throw new Refusal('tooManyAttempts', undefined, { retryAfter: wait });
    }
    try {
      const result = await check();
      await forgetAttempts(this.#db, addressKey);
      return result;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'badCredentials')
        await noteAttempt(this.#db, clientKey);
      else await forgetAttempt(this.#db, own);
      throw error;
    }
  }

  async #wait(addressKey: string, clientKey: string) {
    const { perAddress, perClient, windowMs } = this.#limits;
    return (
      (await secondsUntilRoom(this.#db, { key: addressKey, most: perAddress + 1, windowMs })) ??
      (await secondsUntilRoom(this.#db, { key: clientKey, most: perClient, windowMs }))
    );
  }
}
