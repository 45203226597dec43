// Two people who change the same row at once, on each route that writes.

import { accessRoutes } from '@matterdesk/contract/access.ts';
import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { viewRoutes } from '@matterdesk/contract/views.ts';
import { writeWord } from '../../integrations/templates/word-file.ts';
import {
  unique,
  addContact,
  addDeadline,
  addEvent,
  addIntake,
  addTask,
  newContact,
  openCase,
} from '../factories.ts';
import { plainMail } from '../mail.ts';
import type { Random } from '../random.ts';
import { sendFile, sendTemplate, sendVersion } from '../uploads.ts';
import { addressOf, plausibleBody, type Row } from './inputs.ts';
import { type Ledger, nameOf, note, NO_REPLY, type Runner } from './ledger.ts';
import { importMakers } from './moves.ts';
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

/** Makes a row for the routes below an address; `base` names the firm's lasting rows. */
type Maker = (world: World, base: Row) => Promise<Row>;

const tokenOf = ({ pair }: World) => pair[0].token;
/** True for every other row or so, whatever else counts. */
const isOdd = () => Math.imul(unique(), 0x9e3779b1) < 0;

async function newCase(world: World): Promise<Row> {
  const { id } = await openCase(world.server, tokenOf(world));
  return { id, case: id, kind: 'cases', caseId: id };
}

async function addTemplate(world: World): Promise<string> {
  const fields = { name: `Letter ${unique()}` };
  const sent = { fields, bytes: writeWord([{ text: 'Dear {{client.name}}' }]) };
  return (await sendTemplate(world.server, { token: tokenOf(world) }, sent)).body.template.id;
}

/** The longest fitting address counts. */
const makers: [path: string, make: Maker][] = [
  ['/api/v1/cases/', newCase],
  [
    '/api/v1/cases/{id}/parties',
    async (world) => {
      const row = await newCase(world);
      const body = { role: 'witness', contact: newContact() } as const;
      const params = { id: row['id'] ?? '' };
      const { body: added } = await world.server.call(contactRoutes.addParty, {
        token: tokenOf(world),
        params,
        body,
      });
      return { ...row, partyId: added.party.id };
    },
  ],
  [
    '/api/v1/cases/{id}/noStatute',
    async ({ server, pair: [{ token }] }) => {
      const caseName = `Unfiled ${unique()}`;
      const body = { caseName, type: 'PI', clientInfo: { name: 'Ada' }, notFiled: true } as const;
      const reply = await server.call(caseRoutes.openCase, { token, body });
      return { id: reply.body.case.id };
    },
  ],
  [
    '/api/v1/access/',
    async (world) => {
      const row = await newCase(world);
      const params = { kind: 'cases', id: row['id'] ?? '' };
      const { body } = await world.server.call(accessRoutes.readAccess, {
        token: tokenOf(world),
        params,
      });
      return { ...row, updatedAt: body.access.updatedAt };
    },
  ],
  [
    '/api/v1/contacts/',
    async ({ server, pair: [{ token }] }) => {
      const [one, other] = [await addContact(server, token), await addContact(server, token)];
      const row = { id: one.id, from: other.id, contact: one.id };
      const merge = { token, params: { id: one.id }, body: { from: other.id } };
      if (isOdd()) await server.call(contactRoutes.mergeContacts, merge);
      return row;
    },
  ],
  [
    '/api/v1/tasks/',
    async (world, base) => {
      const row = await newCase(world);
      const task = { case: row['case'] ?? '', assignedTo: base['user'] ?? '' };
      return { ...row, id: (await addTask(world.server, tokenOf(world), task)).id };
    },
  ],
  [
    '/api/v1/jurisdictions/',
    async (world) => {
      const body = {
        name: `Court ${unique()}`,
        timeZone: 'America/New_York',
        weekend: [6, 7],
        holidays: [],
      };
      const reply = await world.server.call(courtRuleRoutes.addJurisdiction, {
        token: tokenOf(world),
        body,
      });
      return { id: reply.body.id, jurisdiction: reply.body.id };
    },
  ],
  [
    '/api/v1/calendar/events/',
    async ({ server, pair: [first, second] }, base) => {
      const guests = [{ name: 'Guest', email: 'guest@client.example' }];
      const own = { case: base['case'], people: [first.id, second.id], guests };
      const isSeries = isOdd() && { recurrence: 'FREQ=DAILY;COUNT=12' };
      return { id: (await addEvent(server, first.token, { ...own, ...isSeries })).id };
    },
  ],
  [
    '/api/v1/calendar/feeds/',
    async ({ server, pair: [{ token }] }) => {
      const reply = await server.call(feedRoutes.addFeed, { token, body: { name: 'Mine' } });
      return { id: reply.body.feed.id };
    },
  ],
  [
    '/api/v1/entries/',
    async (world) => {
      const { id = '' } = await newCase(world);
      const body = { kind: 'note', text: `A note ${unique()}` } as const;
      const call = { token: tokenOf(world), params: { id }, body };
      return { id: (await world.server.call(streamRoutes.addEntry, call)).body.entry.id };
    },
  ],
  [
    '/api/v1/tray/',
    async (world) => {
      const place = { token: tokenOf(world), caseId: '', folder: '' };
      const sent = await sendFile(world.server, place, `paper ${unique()}.txt`);
      return { id: sent.body?.urls[0]?.split('/').at(-2) ?? '' };
    },
  ],
  ...importMakers,
  ['/api/v1/templates/', async (world) => ({ id: await addTemplate(world) })],
  [
    '/api/v1/cases/{id}/documents',
    async (world) => ({ ...(await newCase(world)), template: await addTemplate(world) }),
  ],
  [
    '/api/v1/messages/file',
    async ({ server, pair: [{ token, phoneNumber: from }] }) => {
      const body = { from, to: '+16465551234', message: `Text ${unique()}` };
      const sent = await server.call(messageRoutes.sendText, { token, body });
      return { messageId: sent.body.message.id };
    },
  ],
  [
    '/api/v1/views/',
    async ({ server, pair: [{ token }] }) => {
      const body = { page: 'matters', name: `View ${unique()}` } as const;
      return { id: (await server.call(viewRoutes.saveView, { token, body })).body.view.id };
    },
  ],
  [
    '/api/v1/deadlines/{id}',
    async ({ server, pair: [first, second] }, base) => {
      const own = {
        case: base['case'] ?? '',
        owner: first.id,
        second: second.id,
        hard: isOdd(),
      };
      const { id } = await addDeadline(server, first.token, own);
      const body = { action: 'move', date: '2027-04-01', reason: 'Adjourned' } as const;
      const call = { token: second.token, params: { id }, body };
      if (isOdd()) await server.call(deadlineRoutes.proposeChange, call);
      return { id };
    },
  ],
  [
    '/api/v1/conflicts/{id}',
    async (world, base) => {
      const body = { names: [{ name: 'Jane Doe', role: 'client' as const }], caseId: base['case'] };
      const reply = await world.server.call(conflictRoutes.runCheck, {
        token: tokenOf(world),
        body,
      });
      const [hit] = reply.body.check.hits;
      return { id: reply.body.check.id, ...(hit && { hit: hit.id }) };
    },
  ],
  [
    '/api/v1/intakes/{id}',
    async (world) => ({
      id: (await addIntake(world.server, tokenOf(world), { email: 'denise@client.example' })).id,
    }),
  ],
  [
    '/api/v1/intakeForms/',
    async (world) => {
      const { forms } = (
        await world.server.call(intakeFormRoutes.listForms, { token: tokenOf(world) })
      ).body;
      return { id: forms.find(({ slug }) => slug !== world.slug)?.id ?? '' };
    },
  ],
  ['/api/v1/users/{id}', async ({ server }) => ({ id: (await newAccount(server)).id })],
  [
    '/api/v1/users/invitations/',
    async (world) => {
      const body = { email: `guest.${unique()}@firm.example`, role: 'user' as const };
      const reply = await world.server.call(invitationRoutes.invite, {
        token: tokenOf(world),
        body,
      });
      return { id: reply.body.invitation.id };
    },
  ],
  [
    '/api/v1/files/',
    async (world, base) => {
      const [caseId = '', folder, name] = [base['case'], 'Exhibits', `exhibit ${unique()}.txt`];
      const reply = await sendFile(world.server, { token: tokenOf(world), caseId, folder }, name);
      return { caseId, folder, name, url: reply.body?.urls[0] ?? '' };
    },
  ],
  [
    '/api/v1/files/versions/',
    async (world, base) => {
      const [caseId = '', folder, name] = [base['case'], 'Drafts', `draft ${unique()}.txt`];
      const whose = { token: tokenOf(world), caseId, folder };
      await sendFile(world.server, whose, name);
      await sendVersion(world.server, { ...whose, name }, Buffer.from(`Draft ${unique()}`));
      return { caseId, folder, name };
    },
  ],
  [
    '/api/v1/files/restore',
    async (world, base) => {
      const [caseId = '', folder] = [base['case'], 'Trash'];
      const reply = await sendFile(
        world.server,
        { token: tokenOf(world), caseId, folder },
        `t ${unique()}.txt`,
      );
      const url = reply.body?.urls[0] ?? '';
      await ask(world, url, { method: 'DELETE', headers: { 'x-auth-token': tokenOf(world) } });
      return { url };
    },
  ],
  [
    '/api/v1/mails/',
    async ({ google, pair: [first] }) => {
      const { id, threadId } = await google.deliver(first.mailbox, plainMail());
      return { mailId: id, threadId };
    },
  ],
  [
    '/api/v1/mails/drafts/',
    async ({ server, pair: [first] }) => {
      const body = {
        from: first.email,
        to: 'jane.doe@client.example',
        subject: 'Lease',
        text: 'Hi',
      };
      const reply = await server.call(mailWritingRoutes.keepDraft, { token: first.token, body });
      return { draftId: reply.body.draftId };
    },
  ],
  [
    '/api/v1/calendar/fromMail/',
    async ({ google, pair: [first] }) => ({
      mailId: (await google.deliver(first.mailbox, plainMail())).id,
    }),
  ],
];

/** Rules have a jurisdiction, and are applied to a case. */
makers.push([
  '/api/v1/rules/',
  async (world, base) => {
    const body = {
      name: `Rule ${unique()}`,
      jurisdiction: base['jurisdiction'] ?? '',
      trigger: 'Service',
      steps: STEPS,
    };
    const reply = await world.server.call(courtRuleRoutes.addRule, { token: tokenOf(world), body });
    return { id: reply.body.id };
  },
]);

const STEPS = [
  {
    title: 'Answer',
    kind: 'response',
    hard: true,
    count: 20,
    unit: 'days',
    direction: 'after',
    roll: 'forwards',
    service: 0,
    authority: '',
  },
] as never;

/** Two sessions of one user, each of which may end the other. */
async function ownSessions({ server }: World) {
  const person = await newAccount(server, { role: 'admin' });
  const other = await newSession(server, person.email);
  const { body } = await server.call(deviceRoutes.list, { token: person.token });
  const id = body.sessions.find(({ current }) => !current)?.id ?? '';
  return { people: [person, other] as const, row: { id, ownEmail: person.email } };
}

async function makeRow(world: World, path: string, base: Row): Promise<Row> {
  const fitting = makers.filter(([prefix]) => path.startsWith(prefix));
  const [, make] = fitting.toSorted(([a], [b]) => b.length - a.length)[0] ?? [];
  return { ...base, ...(make && (await make(world, base))) };
}

/** Which rows a route's address is about: routes of the same ones race against each other. */
function rowsOf(path: string): string {
  const fitting = makers.map(([prefix]) => prefix).filter((prefix) => path.startsWith(prefix));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? path;
}

/** Rows that last through all races. */
async function baseOf(world: World): Promise<Row> {
  const { ids, pair } = world;
  const { id: jurisdiction = '' } = await makeRow(world, '/api/v1/jurisdictions/', {});
  const { id: rule = '' } = await makeRow(world, '/api/v1/rules/', { jurisdiction });
  const own = { userEmail: pair[0].email, from: pair[0].phoneNumber, ownEmail: pair[0].email };
  const to = '+16465551234';
  return { ...ids, jurisdiction, rule, ...own, to, first: pair[0].id, second: pair[1].id };
}
