// Rows to race for, made for each route's address, and those that last through all races.

import { setTimeout as delay } from 'node:timers/promises';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
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
import { sendExport, sendFile, sendTemplate, sendVersion } from '../uploads.ts';
import type { Row } from './inputs.ts';
import { ask } from './wire.ts';
import { type World, newAccount } from './world.ts';

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

async function addImport({ server, pair: [{ token }] }: World, count: number): Promise<string> {
  const rows = Array.from({ length: count }, () => `${unique()},Given,Family ${unique()}`);
  const files = { 'contacts.csv': ['Id,first_name,last_name', ...rows].join('\r\n') };
  const reply = await sendExport(server, { token, profile: 'clio' }, files);
  return reply.body.import.id;
}

/** Others may be running, of which there is one at a time. */
async function runImport(
  { server, pair: [{ token }] }: World,
  { id, dryRun }: { id: string; dryRun: boolean },
): Promise<void> {
  await server.call(importRoutes.runImport, { token, params: { id }, body: { dryRun } });
}

async function untilImported(world: World, id: string): Promise<void> {
  const [{ token }] = world.pair;
  const { body } = await world.server.call(importRoutes.readImport, { token, params: { id } });
  if (body.import.state !== 'running' || world.ending.aborted) return;
  await delay(100);
  await untilImported(world, id);
}

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
  ['/api/v1/imports/', async (world) => ({ id: await addImport(world, 2) })],
  [
    '/api/v1/imports/{id}/stop',
    async (world) => {
      // Long enough to be still under way.
      const id = await addImport(world, 3000);
      await runImport(world, { id, dryRun: true });
      return { id };
    },
  ],
  [
    '/api/v1/imports/{id}/undo',
    async (world) => {
      const id = await addImport(world, 2);
      await runImport(world, { id, dryRun: false });
      await untilImported(world, id);
      return { id };
    },
  ],
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
      const body = { action: 'move', date: '2038-04-01', reason: 'Adjourned' } as const;
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
  // Rules have a jurisdiction, and are applied to a case.
  [
    '/api/v1/rules/',
    async (world, base) => {
      const body = {
        name: `Rule ${unique()}`,
        jurisdiction: base['jurisdiction'] ?? '',
        trigger: 'Service',
        steps: STEPS,
      };
      const reply = await world.server.call(courtRuleRoutes.addRule, {
        token: tokenOf(world),
        body,
      });
      return { id: reply.body.id };
    },
  ],
];

export async function makeRow(world: World, path: string, base: Row): Promise<Row> {
  const fitting = makers.filter(([prefix]) => path.startsWith(prefix));
  const [, make] = fitting.toSorted(([a], [b]) => b.length - a.length)[0] ?? [];
  return { ...base, ...(make && (await make(world, base))) };
}

/** Which rows a route's address is about: routes of the same ones race against each other. */
export function rowsOf(path: string): string {
  const fitting = makers.map(([prefix]) => prefix).filter((prefix) => path.startsWith(prefix));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? path;
}

/** Rows that last through all races. */
export async function baseOf(world: World): Promise<Row> {
  const { ids, pair } = world;
  const { id: jurisdiction = '' } = await makeRow(world, '/api/v1/jurisdictions/', {});
  const { id: rule = '' } = await makeRow(world, '/api/v1/rules/', { jurisdiction });
  const own = { userEmail: pair[0].email, from: pair[0].phoneNumber, ownEmail: pair[0].email };
  const to = '+16465551234';
  return { ...ids, jurisdiction, rule, ...own, to, first: pair[0].id, second: pair[1].id };
}
