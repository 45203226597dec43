// Reports to admins whether the audit log is as it was written.

import { setImmediate } from 'node:timers/promises';
import type { ActorContext } from '../../../context.ts';
import { notFound } from '../../../core/refusal.ts';
import { transact } from '../../../db/connect.ts';
import type { Executor } from '../../../db/schema.ts';
import {
  readSealedName,
  type SealedName,
  sealedNames,
  sealedTable,
} from '../../../db/sealed-tables.ts';
import * as rules from './rules.ts';
import { checkSeals } from './service.chain.ts';
import * as store from './store.ts';

/** Entries below one seal at most. */
const PER_SEAL = 1000;
/** Entries that are hashed before the event loop runs. */
const SLICE = 100;
const SERIAL = /^\d{1,18}$/;

/** Seals all entries that have none. @returns the number of new seals */
export async function sealEntries(db: Executor): Promise<number> {
  let count = 0;
  for (const source of sealedNames) {
    let after: string | undefined = '0';
    while ((after = await sealNext(db, source, after)) !== undefined) count += 1;
  }
  return count;
}

/** @returns the last entry below the new seal, if there was any to seal */
function sealNext(db: Executor, source: SealedName, after: string): Promise<string | undefined> {
  return transact(db, async (trx) => {
    await store.lockSeals(trx);
    const found = await store.listUnsealed(trx, { source, after, limit: PER_SEAL });
    if (found.length === 0) return undefined;
    const digests: Buffer[] = [];
    for (const entry of found) {
      if (digests.length % SLICE === 0) await setImmediate();
      digests.push(rules.digestOf(entry));
    }
    const seal = {
      at: new Date(),
      source,
      entries: rules.entriesOf(found.map(({ id }) => id)),
      digests: Buffer.concat(digests),
      previous: (await store.findLastSeal(trx))?.hash ?? rules.ORIGIN,
    };
    await store.insertSeal(trx, { ...seal, hash: rules.hashOf(seal) });
    return found.at(-1)?.id;
  });
}

/** What the check in the background found last: a request reads no more than a few rows. */
export async function verifySeals(context: ActorContext) {
  const [last, first, check] = await Promise.all([
    store.findLastSeal(context.db),
    store.findFirstEntry(context.db),
    store.findCheck(context.db),
  ]);
  return {
    seal: last ? shown(last) : null,
    first: first ? { id: first.id, at: first.at.toISOString() } : null,
    broken: brokenIn(check),
  };
}

/** @throws Refusal notFound */
export async function checkSealedEntry(context: ActorContext, id: string) {
  if (!SERIAL.test(id) || !(await store.hasEntry(context.db, id))) throw notFound('Entry');
  const seal = await store.findSealOf(context.db, id);
  if (!seal) return { seal: null, matches: true };
  const { misfit } = await checkSeals(context.db, [seal], seal.previous);
  return { seal: shown(seal), matches: !misfit };
}

function shown({ hash }: rules.Seal): string {
  return hash.toString('hex');
}

function brokenIn(check: Awaited<ReturnType<typeof store.findCheck>>) {
  if (!check?.broken) return null;
  const source = readSealedName(check.broken_in ?? '');
  return { entryId: check.broken, of: source ? sealedTable(source).called : null };
}
