import { forgetAttempts } from './store.attempts.ts';
import type { Database } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { AttemptRoom, type Taken } from './service.attempts.ts';
import { Refusal } from '../../core/refusal.ts';

/** How many failures an address and a client have within a window of milliseconds. */
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
   * @param check what proves the password; a refusal `badCredentials` of it counts
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
      // What was no failed login does not count.
      if (!counts) for (const one of taken) await one.giveBack();
      throw error;
    } finally {
      for (const one of taken) one.settle();
    }
  }
}
