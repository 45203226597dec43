// Findings of two people who change the same row at once.

import { isDeepStrictEqual } from 'node:util';
import type { Route } from '@matterdesk/contract/route.ts';
import type { Row } from './inputs.ts';
import type { WireReply } from './wire.ts';

/** Findings of the races. */
export type Ledger = {
  /** Races by `METHOD /path` of which a write was acknowledged. */
  acknowledged: Map<string, number>;
  /** Ids of rows whose creation was acknowledged. */
  created: Set<string>;
  /** Acknowledged changes that the row does not have. */
  lost: string[];
};

export function newLedger(): Ledger {
  return { acknowledged: new Map(), created: new Set(), lost: [] };
}

export const nameOf = ({ method, path }: Route) => `${method} ${path}`;

export type Runner = { route: Route; token: string; body: unknown; key: string | undefined };

/** The firm's record has nothing that a user keeps for themselves alone. */
const OWN_ALONE = /^\/api\/v1\/views/;

type Finish = Runner & { seen: WireReply };
export const NO_REPLY: WireReply = { status: 0, text: '' };
const isAcknowledged = ({ seen }: Finish) => seen.status >= 200 && seen.status < 300;

export function note(ledger: Ledger, finishes: Finish[], row: Row): void {
  for (const { route, seen } of finishes.filter(isAcknowledged)) {
    ledger.acknowledged.set(nameOf(route), (ledger.acknowledged.get(nameOf(route)) ?? 0) + 1);
    const id = seen.status === 201 ? findRow(seen)?.['id'] : undefined;
    // Entries of an activity have numbers.
    if (typeof id === 'string' && id.includes('-') && !OWN_ALONE.test(route.path))
      ledger.created.add(id);
  }
  const [one, two] = finishes;
  if (!one || !two || one.route !== two.route || !finishes.every(isAcknowledged)) return;
  const [first, second] = [findRow(one.seen), findRow(two.seen)];
  if (!first || !second) return;
  if (one.key !== undefined && first['id'] !== second['id'])
    ledger.lost.push(`${nameOf(one.route)}: one key made two rows`);
  if (one.route.method === 'PATCH' && first['id'] === (row['partyId'] ?? row['id']))
    ledger.lost.push(...missing(one, first, second), ...missing(two, second, first));
}

/** Members that the earlier change had acknowledged, and the later reply has otherwise. */
function missing({ route, body }: Runner, was: Json, is: Json): string[] {
  if (String(was['updatedAt']) >= String(is['updatedAt'])) return [];
  return Object.keys(body as object)
    .filter((name) => name in was && !isDeepStrictEqual(was[name], is[name]))
    .map(
      (name) =>
        `${nameOf(route)}: ${name} was acknowledged as ${JSON.stringify(was[name])} and became ${JSON.stringify(is[name])}`,
    );
}

type Json = Record<string, unknown>;

/** The first object with an id in a reply. */
function findRow({ text }: WireReply): Json | undefined {
  try {
    return withId((JSON.parse(text) as { body: unknown }).body);
  } catch {
    return undefined;
  }
}

function withId(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, 'id')) return value as Json;
  for (const member of Object.values(value)) {
    const found = withId(member);
    if (found) return found;
  }
  return undefined;
}
