// Two people who change the same row at once, on each route that writes.

import { isDeepStrictEqual } from 'node:util';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Random } from '../random.ts';
import { unique } from '../factories.ts';
import { forwardedFor } from './addresses.ts';
import { addressOf, plausibleBody, type Row } from './plausible.ts';
import { baseOf, makeRow, ownSessions, rowsOf } from './rows.ts';
import { ask, type Attack, type Seen } from './wire.ts';
import type { World } from './world.ts';

/** Routes that change something and take JSON, or nothing. */
export const writes = routes.filter(
  ({ method, file, form, signedBody, bare }) =>
    method !== 'GET' && !file && !form && !signedBody && !bare,
);

/** Changed together: one of them decides what another one becomes. */
const LINKED = [
  ['start', 'end', 'allDay', 'timeZone', 'recurrence'],
  ['role', 'permissions', 'active'],
  ['date', 'time', 'reason'],
  ['case', 'assignedTo'],
  ['owner', 'second'],
  ['stage', 'owner', 'isSpam', 'nextStep', 'dueAt', 'consultAt'],
  ['statusType', 'daysOpen', 'dateOfOpening'],
  ['jurisdiction', 'steps', 'name', 'trigger', 'reviewed'],
];

/** What the races found. */
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

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const isOwn = ({ path }: Route) =>
  /^\/api\/v1\/(users\/(me|logout)|calendar\/settings|mails\/google\/disconnect|messages\/buyNumber)/.test(
    path,
  );

type Runner = { route: Route; token: string; body: unknown; key: string | undefined };

/** The next race; `turn` goes round the routes, so that none is left out. */
export function race(random: Random, turn: number, ledger: Ledger): Attack {
  const route = writes[turn % writes.length] ?? random.pick(writes);
  const same = writes.filter(
    (other) => rowsOf(other.path) === rowsOf(route.path) && isOwn(other) === isOwn(route),
  );
  const other = random.isLucky(0.5) ? route : random.pick(same);
  const key = random.isLucky(0.5) ? `race-${random.whole(0, 2 ** 31)}` : undefined;
  return {
    what: `${nameOf(route)} and ${nameOf(other)} at once${key ? ' with one key' : ''}`,
    run: async (world) => {
      const base = await (bases.get(world) ?? rememberBase(world));
      const { people, row } = isOwn(route)
        ? { ...(await ownSessions(world)) }
        : { people: world.pair, row: await makeRow(world, route.path, base) };
      const whole = { ...base, ...row };
      const runners = runnersOf({ route, other, people, row: whole, key });
      const seen = await Promise.all(runners.map((runner) => send(world, runner, whole)));
      note(
        ledger,
        runners.map((runner, at) => ({ ...runner, seen: seen[at] ?? NOTHING })),
        whole,
      );
      return seen;
    },
  };
}

const bases = new WeakMap<World, Promise<Row>>();
function rememberBase(world: World): Promise<Row> {
  const base = baseOf(world);
  bases.set(world, base);
  return base;
}

type Match = {
  route: Route;
  other: Route;
  people: readonly [{ token: string }, { token: string }];
  row: Row;
  key: string | undefined;
};

function runnersOf({ route, other, people, row, key }: Match): [Runner, Runner] {
  const [first, second] = people;
  const body = plausibleBody(route, row);
  const isSplit = route === other && route.method === 'PATCH';
  const isRepeated = route === other && route.idempotent === true && key !== undefined;
  const [mine, theirs] = isSplit
    ? split(body as object)
    : [body, isRepeated ? body : plausibleBody(other, row)];
  const given = isRepeated ? `${key}-${unique()}` : undefined;
  return [
    { route, token: first.token, body: mine, key: given },
    // A key belongs to one person.
    { route: other, token: (isRepeated ? first : second).token, body: theirs, key: given },
  ];
}

/** Two bodies that have no member in common. */
function split(body: object): [object, object] {
  const groups = Object.keys(body).map(
    (name) => LINKED.find((group) => group.includes(name))?.join() ?? name,
  );
  const kinds = [...new Set(groups)];
  const isFirst = (at: number) => kinds.indexOf(groups[at] ?? '') % 2 === 0;
  const take = (side: boolean) =>
    Object.fromEntries(Object.entries(body).filter((_, at) => isFirst(at) === side));
  return [take(true), take(false)];
}

function send(world: World, { route, token, body, key }: Runner, row: Row): Promise<Seen> {
  const headers = {
    'x-auth-token': token,
    ...forwardedFor(unique()),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  return ask(world, addressOf(route, row), {
    method: route.method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

type Finish = Runner & { seen: Seen };
const NOTHING: Seen = { status: 0, text: '' };
const isAcknowledged = ({ seen }: Finish) => seen.status >= 200 && seen.status < 300;

function note(ledger: Ledger, finishes: Finish[], row: Row): void {
  for (const { route, seen } of finishes.filter(isAcknowledged)) {
    ledger.acknowledged.set(nameOf(route), (ledger.acknowledged.get(nameOf(route)) ?? 0) + 1);
    const id = seen.status === 201 ? findRow(seen)?.['id'] : undefined;
    // Entries of an activity have numbers.
    if (typeof id === 'string' && id.includes('-')) ledger.created.add(id);
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
function findRow({ text }: Seen): Json | undefined {
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
