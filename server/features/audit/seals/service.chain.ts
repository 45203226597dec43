import { setImmediate } from 'node:timers/promises';
import type { Executor } from '../../../db/schema.ts';
import { readSealedName, type SealedName, sealedNames } from '../../../db/sealed-tables.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Entries that are hashed before the event loop runs. */
const SLICE = 100;
/** Stretches of a round in the background, each of about a thousand entries or a hundred seals. */
const STRETCHES = 10;

/** How far a check has come: its last seal, and the ids below which it has looked for entries without a seal, by table. */
type Position = { sealId: string; hash: Buffer; upTo: Record<string, string> };
const START: Position = { sealId: '0', hash: rules.ORIGIN, upTo: {} };

export type Check = {
  /** In hexadecimal; null before the first one. */
  lastSeal: string | null;
  /** The first entry that does not fit. */
  broken: rules.Misfit | undefined;
  /** Entries that were erased with their intake. */
  erased: number;
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

/** Checks a part of the chain; after the last seal it begins anew. What it found is kept until a whole check found nothing. */
export async function checkOn(db: Executor, signal?: AbortSignal): Promise<void> {
  const kept = await store.findCheck(db);
  let broken = { broken: kept?.broken ?? null, broken_in: kept?.broken_in ?? null };
  const isValid = kept?.found !== null;
  let position =
    kept && isValid ? { sealId: kept.seal_id, hash: kept.hash, upTo: kept.up_to } : START;
  for (let count = 0; count < STRETCHES; count += 1) {
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
    broken = rules.earlier(broken, beside.intruder ? { source, id: beside.intruder } : undefined);
  }
  return { seals, broken, erased, position };
}

/**
 * Looks for the first entry below these seals that is missing or differs, and counts those that were erased on record.
 * @param previous the hash before the first of them
 */
export async function checkSeals(
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
      if (place % SLICE === 0) await setImmediate();
      const kept = { entry: below.entries.get(id), isErased: below.erased.has(id) };
      if (!rules.fits(seal, place, kept)) return { misfit: { source, id }, erased };
      if (kept.isErased) erased += 1;
    }
    if (!rules.continues(seal, before)) return { misfit: first, erased };
    before = seal.hash;
  }
  return { erased };
}

type Found = { entries: Map<string, rules.SealedEntry>; erased: Set<string> };

/** What is left of the entries below these seals, and which of them were erased. */
async function findEntries(db: Executor, seals: rules.Seal[]): Promise<Map<SealedName, Found>> {
  const found = new Map<SealedName, Found>();
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
