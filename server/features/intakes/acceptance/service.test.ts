import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes, type AskedName, type Outcome } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { acceptingRoutes as routes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeRoutes, intakeStatRoutes, statGroups } from '@matterdesk/contract/intake-routes.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { nextEvent } from '../../../testing/client.ts';
import {
  addIntake,
  newCase,
  openCase,
  registerUser,
  registerWith,
  unique,
  type SignedInPerson,
} from '../../../testing/factories.ts';

let app: TestApp;
let person: SignedInPerson;
let clerk: SignedInPerson;

beforeAll(async () => {
  app = await startTestApp();
  person = await registerWith(app, { createCases: true });
  clerk = await registerWith(app, { clearConflicts: true, handleIntakes: true });
});
afterAll(async () => {
  await app.close();
});

const named = (name: string, role: AskedName['role'] = null): AskedName => ({
  name,
  role,
  emails: [],
  phoneNumbers: [],
  otherNames: [],
});

/** Runs a check about an intake, decides about its hits, and concludes it. */
async function check(intakeId: string, names: AskedName[], outcome: Outcome = 'cleared') {
  const { token } = clerk;
  const run = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names, intakeId, texts: false },
  });
  expect(run.status).toBe(201);
  const { id, hits } = run.body.check;
  const params = { id };
  const hitIds = hits.map((hit) => hit.id);
  const decided = { hitIds, decision: 'noConflict', reason: 'Another person', screened: [] };
  if (hitIds.length > 0)
    await app.call(conflictRoutes.decideHits, { token, params, body: decided });
  const body = { outcome, reason: 'Asked everyone' };
  expect(await app.call(conflictRoutes.concludeCheck, { token, params, body })).toMatchObject({
    status: 200,
  });
  return run.body.check;
}
const accept = (id: string, key = `${unique()}`, token = person.token) =>
  app.call(routes.acceptIntake, {
    token,
    params: { id },
    headers: { 'idempotency-key': key },
    body: {
      ...newCase({ caseName: 'Doe v. Roe', caseNo: `ACC-${id.slice(0, 8)}` }),
      opposingCounselInfo: null,
    },
  });
const conflict = (message: string) => ({ status: 409, code: 'conflict', message });

test('the acceptance proposes what the intake says, and null for the rest', async () => {
  const { id } = await addIntake(app, person.token, {
    name: 'Ann Smith',
    parties: [{ name: 'Acme, Inc.', role: 'opposingParty' }],
    DOI: '2026-10-30',
  });
  const { body } = await app.call(routes.readProposal, { token: person.token, params: { id } });
  expect(body.case).toMatchObject({
    caseName: 'Ann Smith v. Acme, Inc.',
    caseNo: null,
    DOI: '2026-10-30',
    assignedUsers: [person.id],
    clientInfo: { name: 'Ann Smith', email: null },
    opposingCounselInfo: null,
  });
});

test('the acceptance refuses those who open no cases, and what is not checked or is closed', async () => {
  const { id } = await addIntake(app, person.token);
  expect(await accept(id)).toMatchObject(conflict('Please finish the conflict check first'));
  const stranger = await registerWith(app, { createCases: true });
  expect(await accept(id, '1', stranger.token)).toMatchObject({ status: 404 });
  const plain = await registerUser(app);
  const { id: own } = await addIntake(app, plain.token);
  expect(await accept(own, '1', plain.token)).toMatchObject({ status: 403 });
  const params = { id };
  const body = { reason: 'scope' };
  await app.call(intakeRoutes.declineIntake, { token: person.token, params, body });
  expect(await accept(id)).toMatchObject(conflict('Reopen this intake first'));
});

test('the acceptance opens one matter with its files and its record, however often it is sent', async () => {
  const { id, number, name } = await addIntake(app, person.token, {
    description: 'A truck hit me',
    parties: [
      { name: 'Zebulon Quarrington', role: 'opposingParty' },
      { name: 'Yolanda Vandermeer', role: 'witness' },
    ],
  });
  const asked = [named(name, 'client'), named('Zebulon Quarrington', 'opposingParty')];
  await check(id, asked);
  expect(await accept(id, 'early')).toMatchObject(
    conflict('Please finish the conflict check first'),
  );
  const checked = await check(id, [...asked, named('Yolanda Vandermeer', 'witness')]);
  const body = new FormData();
  body.set('attachments', new Blob(['x']), 'scene.txt');
  const headers = { 'x-auth-token': person.token };
  await app.request(`/api/v1/intakes/${id}/files`, { method: 'POST', headers, body });
  const replies = await Promise.all([accept(id, 'same'), accept(id, 'same')]);
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  const [first, again] = replies.map((reply) => reply.body);
  expect(again?.case.id).toBe(first?.case.id);
  expect(first?.intake).toMatchObject({ stage: 'accepted', caseId: first?.case.id });
  expect(first?.case.opposingCounselInfo.name).toBe('');
  expect(await accept(id, 'other')).toMatchObject(conflict('This intake is a matter already'));
  const caseId = first?.case.id ?? '';
  const { body: library } = await app.call(fileRoutes.listFiles, {
    token: person.token,
    params: { caseId },
  });
  const names = (library.files['Intake'] ?? []).map((url) =>
    decodeURIComponent(url).split('/').at(-1),
  );
  expect(names.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
    `Conflict check ${checked.number}.pdf`,
    `Intake ${number}.pdf`,
    'scene.txt',
  ]);
  const pdf = library.files['Intake']?.find((url) => url.includes('/Intake%20')) ?? '';
  expect((await app.request(pdf, { headers })).text.slice(0, 5)).toBe('%PDF-');
  const { body: list } = await app.call(caseRoutes.listCases, {
    token: person.token,
    query: { search: `ACC-${id.slice(0, 8)}` },
  });
  expect(list.cases).toHaveLength(1);
  const { body: kept } = await app.call(contactRoutes.listParties, {
    token: person.token,
    params: { id: caseId },
  });
  const roles = kept.parties.map(({ role, contact }) => `${role} ${contact.name}`);
  expect(roles.toSorted()).toEqual([
    'client Jane Doe',
    'opposingParty Zebulon Quarrington',
    'witness Yolanda Vandermeer',
  ]);
  const card = await app.call(contactRoutes.readContact, {
    token: person.token,
    params: { id: kept.parties[0]?.contact.id ?? '' },
  });
  expect(card.body.intakes).toMatchObject([{ id, stage: 'accepted', case: { id: caseId } }]);
  const { body: checks } = await app.call(conflictRoutes.listChecks, {
    token: person.token,
    query: { caseId },
  });
  expect(checks.checks.map((one) => one.id)).toContain(checked.id);
});

test('the acceptance shows what became of the check, and finds intakes and contacts in others', async () => {
  const { id } = await addIntake(app, person.token, { name: 'Wilhelmina Ostrander' });
  const { body: first } = await app.call(conflictRoutes.runCheck, {
    token: clerk.token,
    body: { names: [named('Wilhelmina Ostrander', 'opposingParty')], texts: false },
  });
  expect(first.check.hits).toMatchObject([
    { severity: 'prospective', found: { source: 'intakes', role: 'client', intake: { id } } },
  ]);
  const { body: own } = await app.call(conflictRoutes.runCheck, {
    token: clerk.token,
    body: { names: [named('Wilhelmina Ostrander')], intakeId: id, texts: false },
  });
  expect(own.check).toMatchObject({ hits: [], subject: { kind: 'intakes', id } });
  const read = async (token = person.token) =>
    (await app.call(intakeRoutes.readIntake, { token, params: { id } })).body;
  expect((await read()).intake.check).toEqual({ id: own.check.id, outcome: null, undecided: 0 });
  const declined = await check(id, [named('Wilhelmina Ostrander')], 'declined');
  const detail = await read();
  expect(detail.intake.check).toEqual({ id: declined.id, outcome: 'declined', undecided: 0 });
  expect(detail.activity.map(({ kind, text }) => `${kind} ${text}`).slice(0, 2)).toEqual([
    'check declined',
    'check opened',
  ]);
  expect(await accept(id)).toMatchObject(conflict('Please finish the conflict check first'));
  const stranger = await registerUser(app);
  const hidden = await app.call(conflictRoutes.lookForConflicts, {
    token: stranger.token,
    body: { names: [named('Wilhelmina Ostrander')] },
  });
  expect(hidden.body.hits).toMatchObject([{ severity: 'hidden', ask: [{ id: person.id }] }]);
  expect(
    await app.call(conflictRoutes.readCheck, {
      token: stranger.token,
      params: { id: declined.id },
    }),
  ).toMatchObject({ status: 404 });
  const asked = { names: [named('A')], intakeId: id, texts: false };
  expect(
    await app.call(conflictRoutes.runCheck, { token: stranger.token, body: asked }),
  ).toMatchObject({ status: 400 });
});

test('the acceptance finds contacts under each name, in their matters and through their links', async () => {
  const token = person.token;
  const add = async (body: object) =>
    (await app.call(contactRoutes.addContact, { token, body })).body.contact;
  const daughter = await add({
    kind: 'organisation',
    name: 'Brightwater Ferries LLC',
    otherNames: ['Halloway Marine'],
  });
  const parent = await add({
    kind: 'organisation',
    name: 'Tidewell Group Inc',
    links: [{ contact: daughter.id, relation: 'parentCompany' }],
  });
  const look = async (name: string, role: AskedName['role'] = null) =>
    (
      await app.call(conflictRoutes.lookForConflicts, {
        token,
        body: { names: [named(name, role)] },
      })
    ).body.hits;
  expect(await look('Halloway Marine')).toMatchObject([
    {
      severity: 'related',
      match: 'exact',
      found: { source: 'contacts', contact: { id: daughter.id } },
    },
  ]);
  const matter = await openCase(app, token);
  await app.call(contactRoutes.addParty, {
    token,
    params: { id: matter.id },
    body: { role: 'opposingParty', note: '', contactId: daughter.id },
  });
  expect(await look('Halloway Marine', 'client')).toMatchObject([
    { severity: 'direct', found: { role: 'opposingParty', case: { id: matter.id } } },
  ]);
  const linked = (await look('Tidewell Group', 'client')).find(
    (hit) => hit.severity !== 'hidden' && hit.match === 'linked',
  );
  expect(linked).toMatchObject({
    severity: 'related',
    found: { contact: { id: daughter.id }, case: { id: matter.id } },
  });
  await app.call(contactRoutes.mergeContacts, {
    token,
    params: { id: parent.id },
    body: { from: daughter.id },
  });
  const [merged] = await look('Halloway Marine', 'client');
  expect(merged).toMatchObject({ severity: 'direct', found: { contact: { id: parent.id } } });
});

test('the acceptance counts what came in, by each group, for those who see it', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const [from, to] = ['2020-01-01', today > '2099' ? today : '2099-12-31'];
  for (const by of statGroups) {
    const { body } = await app.call(intakeStatRoutes.readStats, {
      token: person.token,
      query: { from, to, by },
    });
    const total = (name: 'received' | 'accepted' | 'declined') =>
      body.rows.reduce((sum, row) => sum + row[name], 0);
    expect([total('received'), total('accepted'), total('declined')]).toEqual([4, 1, 1]);
  }
  const other = await registerUser(app);
  const query = { from, to, by: 'month' };
  const { body } = await app.call(intakeStatRoutes.readStats, { token: other.token, query });
  expect(body.rows).toEqual([]);
});

test('the acceptance opens a matter that is not filed yet, without the counsel that no one named', async () => {
  const { id, name } = await addIntake(app, person.token);
  await check(id, [named(name, 'client')]);
  const reply = await app.call(routes.acceptIntake, {
    token: person.token,
    params: { id },
    body: { notFiled: true, caseName: name, type: 'PI', clientInfo: { name } },
  });
  expect(reply.status).toBe(201);
  const { case: matter } = reply.body;
  expect(matter).toMatchObject({ caseNo: null, SOL: null, opposingCounselInfo: { name: null } });
  expect(matter.incomplete).toHaveLength(12);
});

test('the contact of a restricted matter stays unknown to those outside, in replies and events', async () => {
  const { id, name } = await addIntake(app, person.token, { name: 'Theodora Ashgrove' });
  await check(id, [named(name, 'client')]);
  const blank = newCase();
  // A contact that other matters share would be known to all.
  const clientInfo = { ...blank.clientInfo, name, email: `${unique()}@walled.example` };
  const accepted = await app.call(routes.acceptIntake, {
    token: person.token,
    params: { id },
    body: { ...blank, clientInfo, opposingCounselInfo: null },
  });
  expect(accepted).toMatchObject({ status: 201 });
  const place = { token: person.token, params: { kind: 'cases', id: accepted.body.case.id } };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, place)).body.access;
  const people = [person.id];
  const body = { mode: 'restricted', people, screened: [], reason: 'Celebrity', updatedAt };
  expect((await app.call(accessRoutes.changeAccess, { ...place, body })).status).toBe(200);
  const change = (token: string, nextStep: string) =>
    app.call(intakeRoutes.changeIntake, { token, params: { id }, body: { nextStep } });
  const socket = await app.socket(clerk.token);
  const received = nextEvent(socket, 'intake.updated');
  expect((await change(clerk.token, 'Call')).body.intake.contact).toBeNull();
  const inside = nextEvent(socket, 'intake.updated', ({ nextStep }) => nextStep === 'Write');
  expect((await change(person.token, 'Write')).body.intake.contact).toMatchObject({
    kind: 'person',
  });
  expect([(await received).contact, (await inside).contact]).toEqual([null, null]);
});
