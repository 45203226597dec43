import { atMost, type Limit } from './rules.attempts.ts';
import { countAttempts, forgetAttempt, takeRoom } from './store.attempts.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import { Refusal } from '../../core/refusal.ts';

/** An admitted attempt. */
export type Taken = {
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
export class AttemptRoom {
  readonly #db: Database;
  readonly #keys = new Map<string, Key>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws Refusal tooManyAttempts */
  async take(limit: Limit): Promise<Taken> {
    const key = this.#keys.get(limit.key) ?? newKey();
    this.#keys.set(limit.key, key);
    key.waiting += 1;
    const turn = key.last.then(() => this.#enter(key, limit));
    key.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      key.waiting -= 1;
      this.#forget(limit.key, key);
    }
  }

  /** Those that count at the moment. */
  count(limit: Limit): Promise<number> {
    return countAttempts(this.#db, limit);
  }

  /** Counts an attempt that refuses no one: the caller decides what an attempt beyond the limit means. */
  async fits(trx: Transaction, limit: Limit): Promise<boolean> {
    return 'id' in (await takeRoom(trx, limit));
  }

  async #enter(key: Key, limit: Limit): Promise<Taken> {
    for (;;) {
      const taken = await takeRoom(this.#db, limit);
      if ('id' in taken) return this.#watch(key, limit.key, taken.id);
      if (key.underWay.size === 0)
        throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
      await Promise.race(key.underWay);
    }
  }

  #watch(key: Key, name: string, id: string): Taken {
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

function newKey(): Key {
  return { last: Promise.resolve(), waiting: 0, underWay: new Set() };
}

/** At most so many attempts of a key within a window. */
export function limitOf(
  key: string,
  { most, windowMs }: { most: number; windowMs: number },
): Limit {
  return { key, windowMs, waitAfter: atMost(most) };
}
