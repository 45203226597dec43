import { setImmediate } from 'node:timers/promises';
import type { Executor } from '../../../db/schema.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Entries that are hashed before the event loop runs. */
const SLICE = 100;
/** Stretches of a round in the background, each of about a thousand entries or a hundred seals. */
const STRETCHES = 10;

/** How far a check has come: its last seal, and the ids below which it has looked for entries without a seal. */
type Position = { sealId: string; hash: Buffer; upTo: string };
const START: Position = { sealId: '0', hash: rules.ORIGIN, upTo: '0' };

export type Check = {
  /** In hexadecimal; null before the first one. */
  lastSeal: string | null;
  /** The first entry that does not fit. */
  broken: string | undefined;
  /** Whether the seal that was asked for is part of the chain. */
  hasSeen: boolean;
};

/**
 * Recomputes the whole chain, and stops at the first entry that does not fit.
 * @param since a seal in hexadecimal, or the beginning of one, which must be part of the chain
 */
export async function checkChain(db: Executor, since?: string): Promise<Check> {
  let position = START;
  let hasSeen = since === undefined;
  for (;;) {
    const stretch = await checkStretch(db, position);
    if (!stretch) break;
    const { seals, broken } = stretch;
    if (broken !== undefined) return { lastSeal: null, broken, hasSeen };
    hasSeen ||= seals.some(({ hash }) => hash.toString('hex').startsWith(since ?? ''));
    position = stretch.position;
  }
  const lastSeal = position === START ? null : position.hash.toString('hex');
  return { lastSeal, broken: undefined, hasSeen };
}

/** Checks a part of the chain; after the last seal it begins anew. What it found is kept until a whole check found nothing. */
export async function checkOn(db: Executor, signal?: AbortSignal): Promise<void> {
  const kept = await store.findCheck(db);
  let broken = kept?.broken ?? null;
  const isValid = kept?.found !== null;
  let position =
    kept && isValid ? { sealId: kept.seal_id, hash: kept.hash, upTo: kept.up_to } : START;
  for (let count = 0; count < STRETCHES; count += 1) {
    if (signal?.aborted) break;
    const stretch = await checkStretch(db, position);
    if (!stretch) broken = null;
    else if (stretch.broken !== undefined) broken = stretch.broken;
    const isOver = stretch?.broken !== undefined || !stretch;
    position = isOver ? START : stretch.position;
    if (isOver) break;
  }
  const { sealId, hash, upTo } = position;
  await store.saveCheck(db, { seal_id: sealId, hash, up_to: upTo, broken });
}

/** @returns undefined after the last seal */
async function checkStretch(db: Executor, { sealId, hash, upTo }: Position) {
  const seals = await store.listSeals(db, sealId);
  const [first, last] = [seals[0], seals.at(-1)];
  if (!first || !last) return undefined;
  const misfit = await findMisfit(db, seals, hash);
  const beside = await store.findIntruder(db, { first, last, upTo });
  return {
    seals,
    broken: rules.earlier(misfit, beside.intruder),
    position: { sealId: last.id, hash: last.hash, upTo: beside.upTo },
  };
}

/** The first entry below these seals that is missing or differs. @param previous the hash before the first of them */
export async function findMisfit(
  db: Executor,
  seals: rules.Seal[],
  previous: Buffer,
): Promise<string | undefined> {
  const found = await store.listEntries(db, seals.flatMap(rules.idsOf));
  const entries = new Map(found.map((entry) => [entry.id, entry]));
  let before = previous;
  for (const seal of seals) {
    for (const [place, id] of rules.idsOf(seal).entries()) {
      if (place % SLICE === 0) await setImmediate();
      if (!rules.fits(seal, place, entries.get(id))) return id;
    }
    if (!rules.continues(seal, before)) return rules.firstIdOf(seal);
    before = seal.hash;
  }
  return undefined;
}
