import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { acceptingRoutes as routes } from '@matterdesk/contract/intake-accepting.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { intakeStatRoutes, statGroups } from '@matterdesk/contract/intake-stats.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  addIntake,
  newCase,
  registerUser,
  registerWith,
  unique,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import { IntakeChecks } from '../service.checks.ts';

let app: TestApp;
let person: SignedInPerson;

beforeAll(async () => {
  app = await startTestApp();
  person = await registerWith(app, { createCases: true });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** As a concluded check that cleared every name. */
const clear = () => vi.spyOn(IntakeChecks.prototype, 'isCleared').mockResolvedValue(true);
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

test('proposes what the intake says, and null for the rest', async () => {
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

test('refuses those who open no cases, and what is not checked or is closed', async () => {
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

test('opens one matter with its files and its record, however often it is sent', async () => {
  const cleared = clear();
  const { id, number } = await addIntake(app, person.token, { description: 'A truck hit me' });
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
    `Intake ${number}.pdf`,
    'scene.txt',
  ]);
  const pdf = library.files['Intake']?.find((url) => url.endsWith('.pdf')) ?? '';
  expect((await app.request(pdf, { headers })).text.slice(0, 5)).toBe('%PDF-');
  const { body: list } = await app.call(caseRoutes.listCases, {
    token: person.token,
    query: { search: `ACC-${id.slice(0, 8)}` },
  });
  expect(list.cases).toHaveLength(1);
  cleared.mockRestore();
});

test('counts what came in, by each group, for those who see it', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const [from, to] = ['2020-01-01', today > '2099' ? today : '2099-12-31'];
  for (const by of statGroups) {
    const { body } = await app.call(intakeStatRoutes.readStats, {
      token: person.token,
      query: { from, to, by },
    });
    const total = (name: 'received' | 'accepted' | 'declined') =>
      body.rows.reduce((sum, row) => sum + row[name], 0);
    expect([total('received'), total('accepted'), total('declined')]).toEqual([3, 1, 1]);
  }
  const other = await registerUser(app);
  const query = { from, to, by: 'month' };
  const { body } = await app.call(intakeStatRoutes.readStats, { token: other.token, query });
  expect(body.rows).toEqual([]);
});
