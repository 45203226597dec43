// Two people who change the same row at once, on each route that writes.

import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { unique } from '../factories.ts';
import type { Random } from '../random.ts';
import { addressOf, plausibleBody, type Row } from './inputs.ts';
import { type Ledger, nameOf, note, NO_REPLY, type Runner } from './ledger.ts';
import { baseOf, makeRow, rowsOf } from './race-rows.ts';
import { ask, type Attack, type WireReply } from './wire.ts';
import { forwardedFor, type World, newAccount, newSession } from './world.ts';

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

const isOwn = ({ path }: Route) =>
  /^\/api\/v1\/(users\/(me|logout)|calendar\/settings|mails\/google\/disconnect|messages\/buyNumber)/.test(
    path,
  );

/** Rounds of the routes that write, after which those are raced again that others kept from being acknowledged. */
const ROUNDS = 2;
/** Races in which each route has its turns. */
export const MIN_RACES = (ROUNDS + 0.5) * writes.length;

/** The next race; `turn` goes round the routes, so that none is left out. */
export function race(random: Random, turn: number, ledger: Ledger): Attack {
  const left =
    turn < ROUNDS * writes.length
      ? writes
      : writes.filter((one) => !ledger.acknowledged.has(nameOf(one)));
  const route = left[turn % left.length] ?? random.pick(writes);
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
        runners.map((runner, at) => ({ ...runner, seen: seen[at] ?? NO_REPLY })),
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

function send(world: World, { route, token, body, key }: Runner, row: Row): Promise<WireReply> {
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

/** Two sessions of one user, each of which may end the other. */
async function ownSessions({ server }: World) {
  const person = await newAccount(server, { role: 'admin' });
  const other = await newSession(server, person.email);
  const { body } = await server.call(deviceRoutes.list, { token: person.token });
  const id = body.sessions.find(({ current }) => !current)?.id ?? '';
  return { people: [person, other] as const, row: { id, ownEmail: person.email } };
}
