// Those who only work while the product is attacked: a user, an inquirer and a client who texts.

import { setTimeout as delay } from 'node:timers/promises';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { makeStamp } from '../../features/intakes/forms/rules.ts';
import { listen } from '../busy.ts';
import { addTask, openCase, unique } from '../factories.ts';
import { ask } from './wire.ts';
import type { World } from './world.ts';

/** Milliseconds; how long a busy machine may take, not how long anything should. */
const REPLY_TIMEOUT_MS = 10_000;
const HONEST_PAUSE_MS = 300;
const RARE_PAUSE_MS = 20_000;

export type Honest = {
  answered: number;
  /** Requests that were refused or took too long. */
  unanswered: string[];
  slowest: number;
};

type HonestRequest = { what: string; wanted: number; run: () => Promise<number> };

/** Works until the signal. */
export async function workHonestly(world: World, signal: AbortSignal): Promise<Honest> {
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

type Round = { requests: HonestRequest[]; pause: number };

async function repeat({ requests: errands, pause }: Round, honest: Honest, signal: AbortSignal) {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const errand = errands[turn % errands.length];
    if (errand) await sendHonest(errand, honest);
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}

async function sendHonest({ what, wanted, run: work }: HonestRequest, honest: Honest): Promise<void> {
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
          query: { from: '2027-02-01', to: '2027-03-01' },
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
