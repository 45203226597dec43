import { forgetAttempt, forgetAttempts, takeRoom, type Limit } from '../db/attempts.ts';
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
    const { perAddress, perClient, windowMs } = this.#limits;
    const key = `login:${fold(email)}`;
    const byAddress = await this.#take({ key, most: perAddress, windowMs });
    const byClient = await this.#take({ key: `client:${client}`, most: perClient, windowMs }).catch(
      (error: unknown) => this.#giveBack([byAddress], error),
    );
    try {
      const result = await check();
      await forgetAttempts(this.#db, key);
      await forgetAttempt(this.#db, byClient);
      return result;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'badCredentials') throw error;
      return this.#giveBack([byAddress, byClient], error);
    }
  }

  async #take(limit: Limit): Promise<string> {
    const taken = await takeRoom(this.#db, limit);
    if ('id' in taken) return taken.id;
    throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
  }

  /** What was no failed login does not count. */
  async #giveBack(ids: string[], error: unknown): Promise<never> {
    for (const id of ids) await forgetAttempt(this.#db, id);
    throw error;
  }
}
