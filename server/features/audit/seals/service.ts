import { setImmediate } from 'node:timers/promises';
import type { Actor } from '../../../core/actor.ts';
import { notFound } from '../../../core/refusal.ts';
import { transact } from '../../../db/connect.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Entries below one seal at most. */
const PER_SEAL = 1000;
/** Seals that are read at once. */
const BATCH = 100;
/** Milliseconds for which the page relies on an earlier check of the whole chain. */
const RELY = 600_000;
const SERIAL = /^\d{1,18}$/;

export type Check = {
  /** In hexadecimal; null before the first one. */
  lastSeal: string | null;
  /** The first entry that does not fit. */
  broken: string | undefined;
  /** Hashes of the seals that were asked for and found. */
  hasSeen: boolean;
};

/** Seals all entries that have none. @returns the number of new seals */
export async function sealEntries(db: Executor): Promise<number> {
  for (let count = 0; ; count += 1) {
    const isSealed = await transact(db, async (trx) => {
      await store.lockSeals(trx);
      const found = await store.listUnsealed(trx, PER_SEAL);
      if (found.length === 0) return false;
      const ids = found.map(({ id }) => id);
      const seal = {
        at: new Date(),
        entries: rules.entriesOf(ids),
        digests: Buffer.concat(found.map(rules.digestOf)),
        previous: (await store.findLastSeal(trx))?.hash ?? rules.ORIGIN,
      };
      await store.insertSeal(trx, { ...seal, hash: rules.hashOf(seal) });
      return true;
    });
    if (!isSealed) return count;
  }
}

/**
 * Recomputes the whole chain, and stops at the first entry that does not fit.
 * @param since a seal in hexadecimal, or the beginning of one, which must be part of the chain
 */
export async function checkChain(db: Executor, since?: string): Promise<Check> {
  let previous: Buffer = rules.ORIGIN;
  let lastId = '0';
  let hasSeen = since === undefined;
  for (;;) {
    const seals = await store.listSeals(db, lastId, BATCH);
    for (const seal of seals) {
      const broken = rules.findMisfit(seal, await store.listSealedBy(db, seal), previous);
      if (broken !== undefined) return { lastSeal: null, broken, hasSeen };
      previous = seal.hash;
      hasSeen ||= seal.hash.toString('hex').startsWith(since ?? '');
      await setImmediate();
    }
    lastId = seals.at(-1)?.id ?? lastId;
    if (seals.length < BATCH) break;
  }
  const lastSeal = lastId === '0' ? null : previous.toString('hex');
  return { lastSeal, broken: await store.findIntruder(db), hasSeen };
}

/** Reports to admins whether the audit log is as it was written. */
export class SealService {
  readonly #db: Database;
  #checked: { at: number; result: Promise<Check> } | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  async check(_actor: Actor) {
    if (!this.#checked || this.#checked.at < Date.now() - RELY)
      this.#checked = { at: Date.now(), result: checkChain(this.#db) };
    const { broken } = await this.#checked.result.catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    const [last, first] = [
      await store.findLastSeal(this.#db),
      await store.findFirstEntry(this.#db),
    ];
    return {
      seal: last ? shown(last) : null,
      first: first ? { id: first.id, at: first.at.toISOString() } : null,
      broken: broken === undefined ? null : { entryId: broken },
    };
  }

  /** @throws Refusal notFound */
  async checkEntry(_actor: Actor, id: string) {
    if (!SERIAL.test(id) || !(await store.hasEntry(this.#db, id))) throw notFound('Entry');
    const seal = await store.findSealOf(this.#db, id);
    if (!seal) return { seal: null, matches: true };
    const found = await store.listSealedBy(this.#db, seal);
    return {
      seal: shown(seal),
      matches: rules.findMisfit(seal, found, seal.previous) === undefined,
    };
  }
}

function shown({ hash }: rules.Seal): string {
  return hash.toString('hex');
}
