import { createHash } from 'node:crypto';
import type { SealedName } from '../../../db/sealed-tables.ts';

/** `says` is its whole content, in one order; it is blank when that was erased. */
export type SealedEntry = { id: string; says: (string | null)[]; isBlank: boolean };
/** `entries` are the ids of the entries below it, as a multirange; `source` is their table. */
export type Seal = {
  id: string;
  at: Date;
  source: string;
  digests: Buffer;
  previous: Buffer;
  hash: Buffer;
  entries: string;
};

/** Bytes of a SHA-256. */
const DIGEST_BYTES = 32;
/** The hash before the first seal. */
export const ORIGIN = Buffer.alloc(DIGEST_BYTES);

/** An entry that does not fit its seal, and its table. */
export type Misfit = { source: SealedName; id: string };

/** Digest of an entry’s whole content. */
export function digestOf({ says }: SealedEntry): Buffer {
  return createHash('sha256').update(JSON.stringify(says)).digest();
}

/** Hash over a seal’s entries, its time and the seal before. Seals over the audit log are older than the others, and name no table. */
export function hashOf(seal: Omit<Seal, 'hash' | 'id'>): Buffer {
  const { at, source, entries, digests, previous } = seal;
  const about = [at.toISOString(), entries, ...(source === 'audit_log' ? [] : [source])];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify(about))
    .update(digests)
    .digest();
}

/** Ids of the entries below a seal, from `{[1,3),[7,8)}`; none when they are not as many as its digests. */
export function idsOf({ entries, digests }: Pick<Seal, 'entries' | 'digests'>): string[] {
  const ranges = [...entries.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => ({
    first: Number(from),
    length: Number(to) - Number(from),
  }));
  // A forged range may be longer than memory.
  const count = ranges.reduce((sum, { length }) => sum + length, 0);
  if (count * DIGEST_BYTES !== digests.length) return [];
  return ranges.flatMap(({ first, length }) =>
    Array.from({ length }, (_, index) => String(first + index)),
  );
}

/** PostgreSQL's own form of ascending ids as a multirange. */
export function entriesOf(ids: string[]): string {
  const ranges: [bigint, bigint][] = [];
  for (const id of ids.map(BigInt)) {
    const last = ranges.at(-1);
    if (last?.[1] === id) last[1] = id + 1n;
    else ranges.push([id, id + 1n]);
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

/** Whether the seal's digest at this place is that of the entry, or the entry was erased on record. */
export function matchesSeal(
  { digests }: Seal,
  place: number,
  { entry, isErased }: { entry: SealedEntry | undefined; isErased: boolean },
): boolean {
  if (!entry || (entry.isBlank && !isErased)) return !entry && isErased;
  const digest = digests.subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
  return digestOf(entry).equals(digest);
}

/** Whether a seal follows the one before, and is as it was written. */
export function followsSeal(seal: Seal, previous: Buffer): boolean {
  return seal.previous.equals(previous) && hashOf(seal).equals(seal.hash);
}

/** The first id from a seal's text, which may be forged. */
export function firstIdOf({ id, entries }: Seal): string {
  return /\d+/.exec(entries)?.[0] ?? id;
}

/** The earlier one of two in the same table, else the first. */
export function earlierMisfit(
  one: Misfit | undefined,
  other: Misfit | undefined,
): Misfit | undefined {
  if (!one || !other) return one ?? other;
  return one.source === other.source && BigInt(other.id) < BigInt(one.id) ? other : one;
}
