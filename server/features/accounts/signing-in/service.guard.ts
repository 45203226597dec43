import type { Database } from '../../../db/schema.ts';
import type { Place } from '../../../db/sessions.ts';
import { fold } from '../../../db/search.ts';
import { Refusal } from '../../../core/refusal.ts';
import { AttemptRoom, type Taken } from '../service.attempts.ts';
import { atMost, type Limit } from '../rules.attempts.ts';
import { forgetAttempts } from '../store.attempts.ts';
import * as rules from './rules.ts';
import { findKnownBrowser } from './store.ts';

/** Where a user signs in, and the token of the browser's cookie. */
export type Caller = Place & { browser?: string | undefined };

/** Who enters a password: `browser` is the token of a browser's cookie. */
export type Try = { email: string; client: string; browser?: string | undefined };

/** Refusals that count as a failed guess. */
const GUESSES = new Set<Refusal['code']>([
  'badCredentials',
  'wrongPassword',
  'wrongCode',
  'passkeyRefused',
]);

/**
 * Slows down guesses, and decides before any password is hashed. A browser in which the user signed in before has a count
 * of its own, so that strangers cannot keep the user out.
 */
export class PasswordGuard {
  readonly #db: Database;
  readonly #room: AttemptRoom;

  constructor(db: Database) {
    this.#db = db;
    this.#room = new AttemptRoom(db);
  }

  /**
   * @param check verifies the password or the code
   * @throws Refusal tooManyAttempts
   */
  async attempt<T>(tried: Try, check: () => Promise<T>): Promise<T> {
    const [own, ...others] = await this.#limitsOf(tried);
    const taken: Taken[] = [];
    try {
      for (const limit of [own, ...others]) taken.push(await this.#room.take(limit));
      const result = await check();
      await forgetAttempts(this.#db, own.key);
      for (const each of taken) await each.giveBack();
      return result;
    } catch (error) {
      // Only failed guesses count.
      if (!isGuess(error)) for (const each of taken) await each.giveBack();
      throw error;
    } finally {
      for (const each of taken) each.settle();
    }
  }

  /** The first one is forgotten after a success. */
  async #limitsOf({ email, client, browser }: Try): Promise<[Limit, ...Limit[]]> {
    const known = browser && (await findKnownBrowser(this.#db, browser, email));
    const slowed = { windowMs: rules.ATTEMPT_WINDOW, waitAfter: rules.slowDown };
    if (known) return [{ key: `browser:${known}`, ...slowed }];
    return [
      { key: `login:${fold(email)}`, ...slowed },
      {
        key: `client:${client}`,
        windowMs: rules.ATTEMPT_WINDOW,
        waitAfter: atMost(rules.FAILURES_PER_CLIENT),
      },
    ];
  }
}

function isGuess(error: unknown): boolean {
  return error instanceof Refusal && GUESSES.has(error.code);
}
