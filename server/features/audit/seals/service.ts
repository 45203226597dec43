// Seals the audit log, and checks that it is as it was written.

import type { ActorContext } from '../../../context.ts';
import { notFound } from '../../../core/refusal.ts';
import { yieldToEventLoop } from '../../../core/time-slices.ts';
import { transact } from '../../../db/connect.ts';
import type { Executor } from '../../../db/schema.ts';
import {
  readSealedName,
  type SealedName,
  sealedNames,
  sealedTable,
} from '../../../db/sealed-tables.ts';
import { SERIAL } from '../../../http/paging.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Entries below one seal at most. */
const MAX_ENTRIES_PER_SEAL = 1000;

/** Entries that are hashed before the event loop runs. */
const ENTRIES_PER_SLICE = 100;
/** Stretches per run in the background, each of about a thousand entries or a hundred seals. */
const MAX_STRETCHES = 10;

/** Progress of a check: its last seal, and by table the id up to which it has checked for entries without a seal. */
type Position = { sealId: string; hash: Buffer; upTo: Record<string, string> };
const START: Position = { sealId: '0', hash: rules.ORIGIN, upTo: {} };

type Check = {
  /** In hexadecimal; null before the first one. */
  lastSeal: string | null;
  /** The first entry that does not fit. */
  broken: rules.Misfit | undefined;
  /** Entries that were erased with their intake. */
  erased: number;
  /** Whether `since` is part of the chain. */
  hasSeen: boolean;
};

type StretchEntries = { entries: Map<string, rules.SealedEntry>; erased: Set<string> };

/** Seals all entries that have none. @returns the number of new seals */
export async function sealEntries(db: Executor): Promise<number> {
  let count = 0;
  for (const source of sealedNames) {
    let after: string | undefined = '0';
    while ((after = await sealNext(db, source, after)) !== undefined) count += 1;
  }
  return count;
}

/** The last result of the check in the background, so that a request reads no more than a few rows. */
export async function verifySeals(context: ActorContext) {
  const [last, first, check] = await Promise.all([
    store.findLastSeal(context.db),
    store.findFirstEntry(context.db),
    store.findCheck(context.db),
  ]);
  return {
    seal: last ? hashInHex(last) : null,
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
  return { seal: hashInHex(seal), matches: !misfit };
}

/**
 * Recomputes the whole chain, and stops at the first entry that does not fit.
 * @param since a seal in hexadecimal, or the beginning of one, which must be part of the chain
 */
export async function checkChain(db: Executor, since?: string): Promise<Check> {
  let position = START;
  let hasSeen = since === undefined;
  let erased = 0;
  for (;;) {
    const stretch = await checkStretch(db, position);
    if (!stretch) break;
    const { seals, broken } = stretch;
    erased += stretch.erased;
    if (broken) return { lastSeal: null, broken, erased, hasSeen };
    hasSeen ||= seals.some(({ hash }) => hash.toString('hex').startsWith(since ?? ''));
    position = stretch.position;
  }
  const lastSeal = position === START ? null : position.hash.toString('hex');
  return { lastSeal, broken: undefined, erased, hasSeen };
}

/** Checks the next part of the chain, from the start again after the last seal. A finding is kept until a whole check passes. */
export async function continueCheck(db: Executor, signal?: AbortSignal): Promise<void> {
  const kept = await store.findCheck(db);
  let broken = { broken: kept?.broken ?? null, broken_in: kept?.broken_in ?? null };
  const isValid = kept?.found !== null;
  let position =
    kept && isValid ? { sealId: kept.seal_id, hash: kept.hash, upTo: kept.up_to } : START;
  for (let count = 0; count < MAX_STRETCHES; count += 1) {
    if (signal?.aborted) break;
    const stretch = await checkStretch(db, position);
    if (!stretch) broken = { broken: null, broken_in: null };
    else if (stretch.broken)
      broken = { broken: stretch.broken.id, broken_in: stretch.broken.source };
    const isOver = !stretch || stretch.broken !== undefined;
    position = isOver ? START : stretch.position;
    if (isOver) break;
  }
  const { sealId, hash, upTo } = position;
  const up_to = JSON.stringify(upTo);
  await store.saveCheck(db, { seal_id: sealId, hash, up_to, ...broken });
}

/** @returns the last entry below the new seal, if there was any to seal */
function sealNext(db: Executor, source: SealedName, after: string): Promise<string | undefined> {
  return transact(db, async (trx) => {
    await store.lockSeals(trx);
    const found = await store.listUnsealed(trx, { source, after, limit: MAX_ENTRIES_PER_SEAL });
    if (found.length === 0) return undefined;
    const digests: Buffer[] = [];
    for (const entry of found) {
      if (digests.length % ENTRIES_PER_SLICE === 0) await yieldToEventLoop();
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

function hashInHex({ hash }: rules.Seal): string {
  return hash.toString('hex');
}

function brokenIn(check: Awaited<ReturnType<typeof store.findCheck>>) {
  if (!check?.broken) return null;
  const source = readSealedName(check.broken_in ?? '');
  return { entryId: check.broken, of: source ? sealedTable(source).called : null };
}

/** @returns undefined after the last seal */
async function checkStretch(db: Executor, { sealId, hash, upTo }: Position) {
  const seals = await store.listSeals(db, sealId);
  const last = seals.at(-1);
  if (!last) return undefined;
  const { misfit, erased } = await checkSeals(db, seals, hash);
  const position = { sealId: last.id, hash: last.hash, upTo: { ...upTo } };
  let broken = misfit;
  for (const source of sealedNames) {
    const own = seals.filter((seal) => seal.source === source);
    const [head, tail] = [own[0], own.at(-1)];
    if (!head || !tail) continue;
    const span = { first: head, last: tail, upTo: upTo[source] ?? '0' };
    const beside = await store.findIntruder(db, source, span);
    position.upTo[source] = beside.upTo;
    broken = rules.earlierMisfit(
      broken,
      beside.intruder ? { source, id: beside.intruder } : undefined,
    );
  }
  return { seals, broken, erased, position };
}

/**
 * Looks for the first entry below these seals that is missing or differs, and counts those that were erased on record.
 * @param previous the hash before the first of them
 */
async function checkSeals(
  db: Executor,
  seals: rules.Seal[],
  previous: Buffer,
): Promise<{ misfit?: rules.Misfit; erased: number }> {
  const found = await findEntries(db, seals);
  let erased = 0;
  let before = previous;
  for (const seal of seals) {
    const source = readSealedName(seal.source);
    const first = { source: source ?? 'audit_log', id: rules.firstIdOf(seal) };
    const below = source && found.get(source);
    if (!below) return { misfit: first, erased };
    for (const [place, id] of rules.idsOf(seal).entries()) {
      if (place % ENTRIES_PER_SLICE === 0) await yieldToEventLoop();
      const kept = { entry: below.entries.get(id), isErased: below.erased.has(id) };
      if (!rules.matchesSeal(seal, place, kept)) return { misfit: { source, id }, erased };
      if (kept.isErased) erased += 1;
    }
    if (!rules.followsSeal(seal, before)) return { misfit: first, erased };
    before = seal.hash;
  }
  return { erased };
}

/** The remaining entries below these seals, and the ids of erased ones. */
async function findEntries(
  db: Executor,
  seals: rules.Seal[],
): Promise<Map<SealedName, StretchEntries>> {
  const found = new Map<SealedName, StretchEntries>();
  for (const source of sealedNames) {
    const own = seals.filter((seal) => seal.source === source);
    if (own.length === 0) continue;
    const ids = own.flatMap(rules.idsOf);
    const rows = await store.listEntries(db, source, ids);
    const entries = new Map(rows.map((entry) => [entry.id, entry]));
    const lost = ids.filter((id) => entries.get(id)?.isBlank ?? true);
    found.set(source, { entries, erased: await store.listErased(db, source, lost) });
  }
  return found;
}
