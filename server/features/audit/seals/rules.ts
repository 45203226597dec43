import { createHash } from 'node:crypto';

/** An entry as its digest is computed over it; every value as text. */
export type SealedEntry = { id: string } & Record<string, string | null>;
/** `entries` are the ids of the entries below it, as a multirange. */
export type Seal = {
  id: string;
  at: Date;
  digests: Buffer;
  previous: Buffer;
  hash: Buffer;
  entries: string;
};

/** Bytes of a SHA-256. */
const DIGEST = 32;
/** What the first seal continues. */
export const ORIGIN = Buffer.alloc(DIGEST);

/** Over all that an entry says, in one order of its members. */
export function digestOf(entry: SealedEntry): Buffer {
  const { id, at, request_id, actor_id, address, agent, ...rest } = entry;
  const { entity, entity_id, case_id, action, before, after } = rest;
  const said = [id, at, request_id, actor_id, address, agent, entity, entity_id, case_id, action];
  return createHash('sha256')
    .update(JSON.stringify([...said, before, after]))
    .digest();
}

/** Over its entries, its time and the seal before. */
export function hashOf({ at, entries, digests, previous }: Omit<Seal, 'hash' | 'id'>): Buffer {
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([at.toISOString(), entries]))
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
  if (count * DIGEST !== digests.length) return [];
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

/** Whether the seal's digest at this place is that of the entry. */
export function fits({ digests }: Seal, place: number, entry: SealedEntry | undefined): boolean {
  const digest = digests.subarray(place * DIGEST, (place + 1) * DIGEST);
  return entry !== undefined && digestOf(entry).equals(digest);
}

/** Whether a seal follows the one before, and is as it was written. */
export function continues(seal: Seal, previous: Buffer): boolean {
  return seal.previous.equals(previous) && hashOf(seal).equals(seal.hash);
}

/** The first id from a seal's text, which may be forged. */
export function firstIdOf({ id, entries }: Seal): string {
  return /\d+/.exec(entries)?.[0] ?? id;
}

/** The smaller one of two ids of entries. */
export function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return BigInt(one) < BigInt(other) ? one : other;
}
