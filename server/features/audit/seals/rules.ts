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

/** Ids of the entries below a seal, from `{[1,3),[7,8)}`. */
function idsOf({ entries }: Pick<Seal, 'entries'>): string[] {
  return [...entries.matchAll(/\[(\d+),(\d+)\)/g)].flatMap(([, from, to]) => {
    const [first, end] = [Number(from), Number(to)];
    return Array.from({ length: end - first }, (_, index) => String(first + index));
  });
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

/** The first entry that is missing or differs from its seal; undefined when all fit. */
export function findMisfit(seal: Seal, found: SealedEntry[], previous: Buffer): string | undefined {
  const ids = idsOf(seal);
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  for (const [index, id] of ids.entries()) {
    const entry = byId.get(id);
    const digest = seal.digests.subarray(index * DIGEST, (index + 1) * DIGEST);
    if (!entry || !digestOf(entry).equals(digest)) return id;
  }
  const fits = seal.previous.equals(previous) && hashOf(seal).equals(seal.hash);
  return fits ? undefined : (ids[0] ?? seal.id);
}
