import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { makeStamp } from '../../features/intakes/forms/rules.ts';
import { listen } from '../busy.ts';
import { addTask, openCase, unique } from '../factories.ts';
import { connectTo } from '../process.ts';
import { Random } from '../random.ts';
import { memoryOf } from '../usage.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { calendar, table, upload, members, socket } from './members.ts';
import { MIN_RACES, race } from './races.ts';
import { mail, push, text, multipart, slow } from './senders.ts';
import { COLLECT, type Stall } from './stall-watch.ts';
import { address, json, login, passkeyOptions, protocol, publicForm, search } from './strangers.ts';
import { ask, type Attack } from './wire.ts';
import type { World } from './world.ts';

type Maker = (random: Random) => Attack;

const QUICK: Maker[] = [
  login,
  publicForm,
  address,
  protocol,
  json,
  search,
  multipart,
  upload,
  table,
  calendar,
  mail,
  push,
  text,
  socket,
  members,
  members,
  members,
  members,
];
const QUICK_LANES = 3;
const SLOW_LANES = 12;
const RACE_LANES = 2;
/** Between the attacks of a lane, in milliseconds. */
const PAUSE = 20;
const SAMPLE_EVERY = 500;
/** Documented: Google or Twilio away, the database away or busy, the storage full. */
const ALLOWED = new Set([502, 503, 504, 507]);
/** Processor milliseconds that the main thread may spend in one turn of its loop. */
export const STALL_LIMIT = 100;
/** Attacks in each minute that a run asks for; on a busy machine it takes longer to make as many. */
export const A_MINUTE = 400;
/** Times as long as asked that a run may take on a busy machine. */
export const PATIENCE = 4;

/** An attack while it ran, in Unix milliseconds. */
type Run = { attack: Attack; from: number; to: number };

export type Findings = {
  attacks: number;
  /** Number of replies by status. */
  statuses: Record<string, number>;
  /** Replies that no attack may get, with what caused them. */
  failures: string[];
  /** Turns of the event loop over the limit, with the attacks that do it alone; or far over it, with all that ran. */
  stalls: string[];
  /** Turns over the limit that no attack repeats: a collection of garbage, or a machine with too much to do. */
  once: string[];
  /** The most expensive turn in milliseconds. */
  longest: number;
  /** Statements of transactions that waited for each other. */
  deadlocks: string[];
  honest: Honest;
  ledger: Ledger;
  /** The most MB that the server held in each minute. */
  memory: number[];
  /** MB of objects that outlived its collections of garbage, at the end. */
  kept: number;
};

/** Attacks for so many minutes, longer where the machine is busy, and repeats what may have held the event loop. The same seed makes the same attacks. */
export async function attack(world: World, seed: number, minutes: number): Promise<Findings> {
  const found: Found = { runs: [], statuses: {}, failures: [] };
  // The server loads some packages when they are first used.
  for (const [at, make] of QUICK.entries()) await run(world, make(new Random(seed + at)), found);
  await run(world, passkeyOptions, found);
  const began = Date.now();
  const ledger = newLedger();
  let races = 0;
  const isEnough = () => found.runs.length > minutes * A_MINUTE && races >= MIN_RACES;
  const ending = endingOf(minutes, isEnough);
  world.ending = ending;
  const lane = async (number: number, pause: number, make: Maker) => {
    const random = new Random(seed + number);
    while (!ending.aborted) {
      await run(world, make(random), found);
      await delay(pause, undefined, { signal: ending }).catch(() => undefined);
    }
  };
  const each = (count: number) => Array.from({ length: count }, (_, at) => at);
  const memory = watchMemory(world, ending);
  const deadlocks = watchLocks(world, ending);
  const honest = workHonestly(world, ending);
  await Promise.all([
    ...each(QUICK_LANES).map((at) => lane(at, PAUSE, (random) => random.pick(QUICK)(random))),
    ...each(SLOW_LANES).map((at) => lane(100 + at, PAUSE, slow)),
    ...each(RACE_LANES).map((at) =>
      lane(200 + at, PAUSE, (random) => race(random, races++, ledger)),
    ),
  ]);
  const stalls = readStalls(world).filter(({ from }) => from >= began);
  const kept = await keptBy(world);
  return {
    attacks: found.runs.length,
    statuses: found.statuses,
    failures: found.failures,
    ...(await explain(world, stalls, found.runs)),
    longest: Math.max(0, ...stalls.map(({ processor }) => processor)),
    deadlocks: await deadlocks,
    honest: await honest,
    ledger,
    memory: await memory,
    kept,
  };
}

/** The minutes are over, and there were as many attacks as they should have; or the patience is. */
function endingOf(minutes: number, isEnough: () => boolean): AbortSignal {
  const enough = new AbortController();
  const due = AbortSignal.timeout(minutes * 60_000);
  const latest = AbortSignal.timeout(PATIENCE * minutes * 60_000);
  const ending = AbortSignal.any([enough.signal, latest]);
  const counting = setInterval(() => {
    if (due.aborted && isEnough()) enough.abort();
    if (ending.aborted) clearInterval(counting);
  }, SAMPLE_EVERY);
  return ending;
}

type Found = { runs: Run[]; statuses: Record<string, number>; failures: string[] };

async function run(world: World, made: Attack, { runs, statuses, failures }: Found): Promise<void> {
  const from = Date.now();
  try {
    for (const { status, text } of await made.run(world)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500 && !ALLOWED.has(status))
        failures.push(`${status} for ${made.what}: ${text.slice(0, 300)} ${lastError(world)}`);
    }
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const why = cause instanceof Error ? `, ${cause.message}` : '';
    const said = `${String(error).slice(0, 300)}${why.slice(0, 300)}`;
    failures.push(`${said} for ${made.what} ${lastError(world)}`);
  }
  runs.push({ attack: made, from, to: Date.now() });
}

/** The last error that the server logged, or the last reason why it was unavailable. */
function lastError({ server }: World): string {
  const { stdout, stderr } = server.output();
  const lines = `${stdout}\n${stderr}`.split('\n');
  return (
    lines
      .findLast((line) => /"level":(?:50|"error")|"msg":"unavailable"/.test(line))
      ?.slice(0, 1500) ?? ''
  );
}

async function watchMemory({ server }: World, ending: AbortSignal): Promise<number[]> {
  const most: number[] = [];
  const began = Date.now();
  while (!ending.aborted) {
    const minute = Math.floor((Date.now() - began) / 60_000);
    most[minute] = Math.max(most[minute] ?? 0, Math.round(memoryOf(server.pid)));
    await delay(SAMPLE_EVERY, undefined, { signal: ending }).catch(() => undefined);
  }
  return most;
}

/** PostgreSQL ends a deadlock after a second, and its log does not have the statements. */
async function watchLocks(world: World, ending: AbortSignal): Promise<string[]> {
  const seen = new Set<string>();
  const database = await connectTo(world);
  while (!ending.aborted) {
    const { rows } = await database.query<{ one: string; other: string }>(
      `select a.query as one, b.query as other from pg_stat_activity a join pg_stat_activity b
         on b.pid = any(pg_blocking_pids(a.pid)) and a.pid = any(pg_blocking_pids(b.pid)) and a.pid < b.pid`,
    );
    for (const { one, other } of rows) seen.add(`${one} | ${other}`);
    await delay(SAMPLE_EVERY, undefined, { signal: ending }).catch(() => undefined);
  }
  await database.end();
  return [...seen];
}

async function keptBy({ server }: World): Promise<number> {
  const { text } = await server.request('/metrics');
  const kept = /^nodejs_heap_space_size_used_bytes\{space="old"\} (\S+)$/m.exec(text)?.[1];
  return Math.round(Number(kept) / 1e6);
}

function readStalls({ report }: World): Stall[] {
  if (!existsSync(report)) return [];
  const lines = readFileSync(report, 'utf8').trim().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Stall);
}

const EXPLAINED = 8;
const SUSPECTS = 16;
const FAR_OVER = 2.5;
const SETTLED = 300;
const TRIES = 5;

/** Repeats alone the attacks that were under way, and names those that do it again. */
async function explain(world: World, all: Stall[], runs: Run[]) {
  const long = all.filter(({ processor }) => processor > STALL_LIMIT);
  const found = { stalls: [] as string[], once: [] as string[] };
  const known = new Map<Attack, boolean>();
  for (const { from, to, processor, collected } of long
    .toSorted((a, b) => b.processor - a.processor)
    .slice(0, EXPLAINED)) {
    const suspects = runs
      .filter((one) => one.from <= to && one.to >= from && !/ms apart/.test(one.attack.what))
      .map(({ attack: made }) => made)
      .slice(0, SUSPECTS);
    for (const suspect of suspects.filter((one) => !known.has(one)))
      known.set(suspect, await heldTwice(world, suspect));
    const culprits = suspects.filter((one) => known.get(one));
    const named = (culprits.length > 0 ? culprits : suspects).map(({ what }) => what).join(' | ');
    // A collection of garbage comes of all that ran before, and what it costs is bounded with the memory.
    const isFar = processor - collected > FAR_OVER * STALL_LIMIT;
    const cost = `${Math.round(processor)} ms, ${Math.round(collected)} of them for garbage`;
    found[culprits.length > 0 || isFar ? 'stalls' : 'once'].push(
      `${cost}: ${named}`.slice(0, 2000),
    );
  }
  return found;
}

/** Twice, since a round of the server's own may fall together with one. */
async function heldTwice(world: World, suspect: Attack): Promise<boolean> {
  return (
    (await heldAlone(world, suspect)) > STALL_LIMIT &&
    (await heldAlone(world, suspect)) > STALL_LIMIT
  );
}

async function heldAlone(world: World, suspect: Attack): Promise<number> {
  // The garbage of all that ran before is not this one's.
  world.server.signal(COLLECT);
  await delay(SETTLED);
  const before = readStalls(world).length;
  await suspect.run(world).catch(() => undefined);
  // The report of a turn is written in the next one, which may be minutes away.
  for (
    let at = 0;
    at < TRIES && (await ask(world, '/healthz').catch(() => undefined)) === undefined;
  )
    at += 1;
  await delay(SETTLED);
  return Math.max(
    0,
    ...readStalls(world)
      .slice(before)
      .map(({ processor }) => processor),
  );
}

// Those who only work while the product is attacked: a user, an inquirer and a client who texts.

/** Milliseconds; how long a busy machine may take, not how long anything should. */
const REPLY_TIMEOUT_MS = 10_000;
const HONEST_PAUSE_MS = 150;
const RARE_PAUSE_MS = 10_000;

type Honest = {
  answered: number;
  /** Requests that were refused or took too long. */
  unanswered: string[];
  slowest: number;
};

type HonestRequest = { what: string; wanted: number; run: () => Promise<number> };

/** Works until the signal. */
async function workHonestly(world: World, signal: AbortSignal): Promise<Honest> {
  const honest: Honest = { answered: 0, unanswered: [], slowest: 0 };
  const { socket, received } = listen(world.server, world.honest.token);
  const daily = await frequentRequestsOf(world, received);
  await Promise.all([
    repeat({ requests: daily, pause: HONEST_PAUSE_MS }, honest, signal),
    repeat({ requests: rareRequestsOf(world), pause: RARE_PAUSE_MS }, honest, signal),
  ]);
  socket.disconnect();
  return honest;
}

type Schedule = { requests: HonestRequest[]; pause: number };

async function repeat({ requests, pause }: Schedule, honest: Honest, signal: AbortSignal) {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const request = requests[turn % requests.length];
    if (request) await sendHonest(request, honest);
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}

async function sendHonest(
  { what, wanted, run: work }: HonestRequest,
  honest: Honest,
): Promise<void> {
  const begun = performance.now();
  const status = await work().catch((error: unknown) => String(error));
  const took = performance.now() - begun;
  honest.slowest = Math.max(honest.slowest, took);
  if (status === wanted && took < REPLY_TIMEOUT_MS) honest.answered += 1;
  else honest.unanswered.push(`${what}: ${status} after ${Math.round(took)} ms`);
}

async function frequentRequestsOf(world: World, received: string[]): Promise<HonestRequest[]> {
  const { server, honest } = world;
  const { token, id } = honest;
  const home = await openCase(server, token, { caseName: 'Home' });
  const task = await addTask(server, token, { case: home.id, assignedTo: id });
  const asked = { token, params: { id: task.id } };
  const daily: [string, number, () => Promise<{ status: number }>][] = [
    ['page', 200, () => ask(world, '/')],
    ['who I am', 200, () => server.call(accountRoutes.me, { token })],
    ['matters', 200, () => server.call(caseRoutes.listCases, { token, query: { limit: 20 } })],
    ['board', 200, () => server.call(taskRoutes.readBoard, { token, params: { id: home.id } })],
    ['move', 200, () => server.call(taskRoutes.changeTask, { ...asked, body: { type: 'adr' } })],
    [
      'change',
      200,
      () => server.call(taskRoutes.changeTask, { ...asked, body: { name: `Call ${unique()}` } }),
    ],
    [
      'calendar',
      200,
      () =>
        server.call(calendarRoutes.readCalendar, {
          token,
          query: { from: '2038-02-01', to: '2038-03-01' },
        }),
    ],
  ];
  return [
    ...daily.map(([what, wanted, call]) => ({
      what,
      wanted,
      run: async () => (await call()).status,
    })),
    { what: 'event of a new matter', wanted: 201, run: () => openAndReceive(world, received) },
  ];
}

/** Opens a matter and waits until its event arrives, too. */
async function openAndReceive({ server, honest }: World, received: string[]): Promise<number> {
  const caseName = `Received ${unique()}`;
  await openCase(server, honest.token, { caseName });
  const until = performance.now() + REPLY_TIMEOUT_MS;
  while (!received.includes(caseName)) {
    if (performance.now() > until) throw new Error('no event');
    await delay(10);
  }
  received.length = 0;
  return 201;
}

function rareRequestsOf(world: World): HonestRequest[] {
  const { slug, secretKey, twilio, pair } = world;
  return [
    {
      what: 'an inquiry by the public form',
      wanted: 303,
      run: async () => {
        const stamp = makeStamp(secretKey, slug, Date.now() - 60_000);
        const given = { 'f-name': 'Denise Okonkwo', 'f-phone': '518 555 0142', understood: 'yes' };
        const headers = { 'x-forwarded-for': `203.0.113.${1 + (unique() % 250)}` };
        const body = new URLSearchParams({ ...given, 'f-story': 'A truck hit me.', stamp });
        return (await ask(world, `/intake/${slug}`, { method: 'POST', headers, body })).status;
      },
    },
    {
      what: 'a text from a client',
      wanted: 200,
      run: async () => {
        const to = pair[0].phoneNumber;
        return (await twilio.receive({ to, from: '+15185550199', body: 'I am late.' })).status;
      },
    },
  ];
}
