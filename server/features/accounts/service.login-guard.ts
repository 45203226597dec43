import { forgetAttempts } from './store.attempts.ts';
import type { Database } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { AttemptRoom, type Taken } from './service.attempts.ts';
import { Refusal } from '../../core/refusal.ts';

/** Failure limits per address and per client, within a window in milliseconds. */
export type LoginLimits = { perAddress: number; perClient: number; windowMs: number };
type Try = { email: string; client: string };

/** Counts failed logins only; a success resets the address. */
export class LoginGuard {
  readonly #db: Database;
  readonly #limits: LoginLimits;
  readonly #room: AttemptRoom;

  constructor(db: Database, limits: LoginLimits) {
    this.#db = db;
    this.#limits = limits;
    this.#room = new AttemptRoom(db);
  }

  /**
   * @param check verifies the password; its refusal `badCredentials` counts
   * @throws Refusal tooManyAttempts
   */
  async attempt<T>({ email, client }: Try, check: () => Promise<T>): Promise<T> {
    const { perAddress, perClient, windowMs } = this.#limits;
    const key = `login:${fold(email)}`;
    const taken: Taken[] = [];
    try {
      taken.push(await this.#room.take({ key, most: perAddress, windowMs }));
      taken.push(await this.#room.take({ key: `client:${client}`, most: perClient, windowMs }));
      const result = await check();
      await forgetAttempts(this.#db, key);
      for (const one of taken) await one.giveBack();
      return result;
    } catch (error) {
      const counts = error instanceof Refusal && error.code === 'badCredentials';
      // Only failed logins count.
      if (!counts) for (const one of taken) await one.giveBack();
      throw error;
    } finally {
      for (const one of taken) one.settle();
    }
  }
}
