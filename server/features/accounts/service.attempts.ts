// Limits attempts, above all guesses at passwords; decided before any password is hashed. A browser in which the user signed in
// before has a count of its own, so that strangers cannot lock the user out.

import { type Context, perContext } from '../../context.ts';
import type { Network } from '../../core/origin.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import type { SessionClient } from '../../db/sessions.ts';
import * as rules from './rules.attempts.ts';
import { atMost, type Limit } from './rules.attempts.ts';
import {
  countAttempts,
  findKnownBrowser,
  forgetAttempt,
  forgetAttempts,
  recordAttempt,
} from './store.attempts.ts';

/** The place of a request, with the token of the browser's cookie. */
export type Caller = SessionClient & { network: Network; browser?: string | undefined };

/** A guess at an account's password; `browser` is the token of the browser's cookie. */
type Guess = { email: string; client: Network; browser?: string | undefined };

/** Refusals that count as a failed guess. */
const GUESS_CODES = new Set<Refusal['code']>([
  'badCredentials',
  'wrongPassword',
  'wrongCode',
  'passkeyRefused',
]);

export type AdmittedAttempt = {
  /** Does not count it. */
  giveBack: () => Promise<void>;
  /** Ends it, so that waiting callers check the limit. */
  settle: () => void;
};

type Key = { last: Promise<unknown>; waiting: number; underWay: Set<Promise<void>> };

/**
 * Limits attempts per key. Pending attempts take a slot until they count or not: later callers wait in
 * turn, and only counted attempts refuse them.
 */
export class AttemptLimiter {
  readonly #db: Database;
  readonly #keys = new Map<string, Key>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws Refusal tooManyAttempts */
  async take(limit: Limit): Promise<AdmittedAttempt> {
    const key = this.#keys.get(limit.key) ?? newKey();
    this.#keys.set(limit.key, key);
    key.waiting += 1;
    const turn = key.last.then(() => this.#admit(key, limit));
    key.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      key.waiting -= 1;
      this.#forget(limit.key, key);
    }
  }

  /** Attempts that count at the moment. */
  count(limit: Limit): Promise<number> {
    return countAttempts(this.#db, limit);
  }

  /** Counts an attempt that refuses no one: the caller decides what an attempt beyond the limit means. */
  async fits(trx: Transaction, limit: Limit): Promise<boolean> {
    return 'id' in (await recordAttempt(trx, limit));
  }

  async #admit(key: Key, limit: Limit): Promise<AdmittedAttempt> {
    for (;;) {
      const taken = await recordAttempt(this.#db, limit);
      if ('id' in taken) return this.#watch(key, limit.key, taken.id);
      if (key.underWay.size === 0)
        throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
      await Promise.race(key.underWay);
    }
  }

  #watch(key: Key, name: string, id: string): AdmittedAttempt {
    const { promise, resolve } = Promise.withResolvers<void>();
    key.underWay.add(promise);
    const settle = () => {
      key.underWay.delete(promise);
      resolve();
      this.#forget(name, key);
    };
    return { giveBack: () => forgetAttempt(this.#db, id), settle };
  }

  /** Frees the memory of unused keys. */
  #forget(name: string, key: Key): void {
    if (key.waiting === 0 && key.underWay.size === 0) this.#keys.delete(name);
  }
}

const limiterOf = perContext((context) => new AttemptLimiter(context.db));

/** At most so many attempts of a key within a window. */
export function limitOf(
  key: string,
  { most, windowMs }: { most: number; windowMs: number },
): Limit {
  return { key, windowMs, waitAfter: atMost(most) };
}

/** Counts an attempt. @returns its id @throws Refusal tooManyAttempts */
export async function requireAttempt(db: Database, limit: Limit): Promise<string> {
  const attempt = await recordAttempt(db, limit);
  if ('id' in attempt) return attempt.id;
  throw new Refusal('tooManyAttempts', undefined, { retryAfter: attempt.wait });
}

/**
 * @param check verifies the password or the code
 * @throws Refusal tooManyAttempts
 */
export async function attemptPassword<T>(
  context: Context,
  tried: Guess,
  check: () => Promise<T>,
): Promise<T> {
  const [own, ...others] = await limitsOf(context, tried);
  const result = await withinLimits(context, [own, ...others], check);
  await forgetAttempts(context.db, own.key);
  return result;
}

/** A passkey cannot be guessed, so what others tried at its account does not matter. @throws Refusal tooManyAttempts */
export function attemptByPasskey<T>(
  context: Context,
  client: Network,
  check: () => Promise<T>,
): Promise<T> {
  return withinLimits(context, [rules.limitOfClient('passkeys', client)], check);
}

function newKey(): Key {
  return { last: Promise.resolve(), waiting: 0, underWay: new Set() };
}

async function withinLimits<T>(
  context: Context,
  limits: Limit[],
  check: () => Promise<T>,
): Promise<T> {
  const taken: AdmittedAttempt[] = [];
  try {
    for (const limit of limits) taken.push(await limiterOf(context).take(limit));
    const result = await check();
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
async function limitsOf(
  context: Context,
  { email, client, browser }: Guess,
): Promise<[Limit, ...Limit[]]> {
  const known = browser && (await findKnownBrowser(context.db, browser, email));
  if (known) return [rules.limitInBrowser(known)];
  const everywhere = rules.limitEverywhere(email);
  const isAttacked = (await limiterOf(context).count(everywhere)) >= rules.FAILURES_OF_AN_ATTACK;
  return [
    rules.limitAtAccount(email, client, isAttacked),
    rules.limitOfClient('client', client),
    everywhere,
  ];
}

function isGuess(error: unknown): boolean {
  return error instanceof Refusal && GUESS_CODES.has(error.code);
}
