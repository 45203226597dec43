import { setImmediate } from 'node:timers/promises';
import type { Actor } from '../../../core/actor.ts';
import { notFound } from '../../../core/refusal.ts';
import { transact } from '../../../db/connect.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import { findMisfit } from './service.chain.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Entries below one seal at most. */
const PER_SEAL = 1000;
/** Entries that are hashed before the event loop runs. */
const SLICE = 100;
const SERIAL = /^\d{1,18}$/;

/** Seals all entries that have none. @returns the number of new seals */
export async function sealEntries(db: Executor): Promise<number> {
  let after = '0';
  for (let count = 0; ; count += 1) {
    const last = await transact(db, async (trx) => {
      await store.lockSeals(trx);
      const found = await store.listUnsealed(trx, { after, limit: PER_SEAL });
      if (found.length === 0) return undefined;
      const digests: Buffer[] = [];
      for (const entry of found) {
        if (digests.length % SLICE === 0) await setImmediate();
        digests.push(rules.digestOf(entry));
      }
      const seal = {
        at: new Date(),
        entries: rules.entriesOf(found.map(({ id }) => id)),
        digests: Buffer.concat(digests),
        previous: (await store.findLastSeal(trx))?.hash ?? rules.ORIGIN,
      };
      await store.insertSeal(trx, { ...seal, hash: rules.hashOf(seal) });
      return found.at(-1)?.id;
    });
    if (last === undefined) return count;
    after = last;
  }
}

/** Reports to admins whether the audit log is as it was written. */
export class SealService {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What the check in the background found last: a request reads no more than a few rows. */
  async check(_actor: Actor) {
    const [last, first, check] = await Promise.all([
      store.findLastSeal(this.#db),
      store.findFirstEntry(this.#db),
      store.findCheck(this.#db),
    ]);
    return {
      seal: last ? shown(last) : null,
      first: first ? { id: first.id, at: first.at.toISOString() } : null,
      broken: check?.broken ? { entryId: check.broken } : null,
    };
  }

  /** @throws Refusal notFound */
  async checkEntry(_actor: Actor, id: string) {
    if (!SERIAL.test(id) || !(await store.hasEntry(this.#db, id))) throw notFound('Entry');
    const seal = await store.findSealOf(this.#db, id);
    if (!seal) return { seal: null, matches: true };
    return { seal: shown(seal), matches: !(await findMisfit(this.#db, [seal], seal.previous)) };
  }
}

function shown({ hash }: rules.Seal): string {
  return hash.toString('hex');
}
