import { expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import {
  alertRoutes,
  conflictRoutes as routes,
  type AskedName,
  type NewDecision,
} from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { suite } from '../../../testing/app.ts';
import {
  newContact,
  openCase,
  registerWith,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import { textOf } from '../../../testing/papers.ts';

const CANARY = 'Quetzalcanary';

const { app, insider, outsider } = suite({
  insider: (to) => registerWith(to, { createCases: true, clearConflicts: true }),
  outsider: (to) => registerWith(to, { createCases: true, clearConflicts: true }),
});

const named = (name: string): AskedName => ({
  name,
  role: 'opposingParty',
  emails: [],
  phoneNumbers: [],
  otherNames: [],
});

function clientOf(name: string, n: number) {
  const [email, phoneNumber] = [`client${n}@showing.example`, `+1 518 555 0${200 + n}`];
  return { name, email, phoneNumber, address: '1 Main Street' };
}

async function openWalled(name: string, n: number): Promise<Case> {
  const clientInfo = clientOf(name, n);
  const { token } = insider;
  const matter = await openCase(app, token, { assignedUsers: [insider.id], clientInfo });
  const place = { token, params: { kind: 'cases', id: matter.id } };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, place)).body.access;
  const body = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity', updatedAt };
  await app.call(accessRoutes.changeAccess, { ...place, body });
  return matter;
}

const run = async ({ token }: SignedInPerson, names: AskedName[], own: object = {}) =>
  (await app.call(routes.runCheck, { token, body: { names, texts: false, ...own } })).body.check;
const read = ({ token }: SignedInPerson, id: string) =>
  app.call(routes.readCheck, { token, params: { id } });
const decide = ({ token }: SignedInPerson, id: string, body: NewDecision) =>
  app.call(routes.decideHits, { token, params: { id }, body });

async function print({ token }: SignedInPerson, id: string): Promise<string> {
  const headers = { 'x-auth-token': token };
  return textOf(await fetch(`${app.url}/api/v1/conflicts/${id}/pdf`, { headers }));
}

test('a hidden hit says whom to ask but not what people with access decided', async () => {
  await openWalled('Brightwater Haulage', 1);
  const check = await run(insider, [named('Brightwater Haulage')]);
  const hitIds = check.hits.map(({ id }) => id);
  const reason = `${CANARY} agreed`;
  await decide(insider, check.id, { hitIds, decision: 'noConflict', reason, screened: [] });
  const again = await app.call(routes.rerunCheck, {
    token: insider.token,
    params: { id: check.id },
  });
  const { id, firstName, lastName } = insider;
  for (const checkId of [check.id, again.body.check.id]) {
    const shown = await read(outsider, checkId);
    expect(shown.text).not.toContain(CANARY);
    expect(shown.body.check.hits).toEqual([
      { id: expect.any(String), name: 0, severity: 'hidden', ask: [{ id, firstName, lastName }] },
    ]);
    const printed = await print(outsider, checkId);
    expect(printed).toContain('Hidden');
    expect(printed).not.toContain(CANARY);
    expect(await print(insider, checkId)).toContain(CANARY);
  }
  const list = await app.call(routes.listChecks, { token: outsider.token });
  expect(list.text).not.toContain(CANARY);
  // Decisions of those who see the hit are not answers.
  const conclude = { token: outsider.token, params: { id: check.id } };
  const outcome = { outcome: 'cleared', reason: 'None' };
  const early = await app.call(routes.concludeCheck, { ...conclude, body: outcome });
  expect(early.message).toBe('1 hit has no decision');
  const answer: NewDecision = { hitIds, decision: 'asked', reason: 'Not adverse', screened: [] };
  const asked = await decide(outsider, check.id, answer);
  expect(asked.body.check.answers).toMatchObject([{ hit: hitIds[0], reason: 'Not adverse' }]);
  expect(Object.keys(asked.body.check.hits[0] ?? {})).toHaveLength(4);
  expect((await app.call(routes.concludeCheck, { ...conclude, body: outcome })).status).toBe(200);
});

test('a wall and its decision stand together, or neither does', async () => {
  const name = 'Thornfield Carriers';
  await openCase(app, insider.token, { clientInfo: clientOf(name, 7) });
  const clerk = await registerWith(app, { createCases: true, clearConflicts: true });
  const matter = await openCase(app, insider.token);
  const check = await run(insider, [named(name)], { caseId: matter.id });
  const hitIds = check.hits.map(({ id }) => id);
  const params = { id: check.id };
  const wall = (screened: string[]): NewDecision => ({
    hitIds,
    decision: 'wall',
    reason: 'Acted for them',
    screened,
  });
  const sees = async ({ token }: SignedInPerson) =>
    (await app.call(caseRoutes.readCase, { token, params: { id: matter.id } })).status;
  // Also by those who screen themselves, and then see neither the matter nor the check.
  const own = await decide(clerk, check.id, wall([clerk.id]));
  expect(own).toMatchObject({ status: 200, body: { check: { id: check.id } } });
  expect([await sees(clerk), await sees(outsider)]).toEqual([404, 200]);
  const { hits } = (await read(insider, check.id)).body.check;
  expect(hits).toMatchObject([{ decisions: [{ decision: 'wall', screened: [{ id: clerk.id }] }] }]);
  const body = { outcome: 'cleared', reason: 'Walled off' };
  const concluded = await app.call(routes.concludeCheck, { token: insider.token, params, body });
  expect(concluded.status).toBe(200);
  expect(await decide(insider, check.id, wall([outsider.id]))).toMatchObject({
    status: 409,
    message: 'Run it again',
  });
  expect(await sees(outsider)).toBe(200);
});

test('an alert about a hidden hit does not reveal the decision of people with access', async () => {
  await openWalled('Oakhampton Ferries', 3);
  const added = await openCase(app, outsider.token, {
    clientInfo: clientOf('Someone Else', 4),
    opposingCounselInfo: { ...clientOf('Oakhampton Ferries', 5), organization: 'Oakhampton' },
  });
  await app.raiseAlerts();
  const list = async ({ token }: SignedInPerson, decided: string) => {
    const reply = await app.call(alertRoutes.listAlerts, { token, query: { decided } });
    return reply.body.alerts.filter(({ subject }) => subject?.id === added.id);
  };
  const [alert] = await list(outsider, '0');
  expect(Object.keys(alert?.hit ?? {}).toSorted()).toEqual(['ask', 'id', 'name', 'severity']);
  await app.call(alertRoutes.decideAlert, {
    token: insider.token,
    params: { id: alert?.id ?? '' },
    body: { decision: 'noConflict', reason: `${CANARY} agreed` },
  });
  expect(JSON.stringify(await list(insider, '1'))).toContain(CANARY);
  expect(await list(outsider, '1')).toMatchObject([{ id: alert?.id, decision: null }]);
});

test('a rerun asks for the parties that were added since', async () => {
  const matter = await openCase(app, insider.token, { clientInfo: clientOf('Prudence Oakes', 6) });
  const check = await run(insider, [named('Prudence Oakes')], { caseId: matter.id });
  const contact = newContact({
    name: 'Zebulon Quarrington',
    otherNames: ['Zeb Quarry'],
    emails: ['zeb@quarrington.example'],
  });
  await app.call(contactRoutes.addParty, {
    token: insider.token,
    params: { id: matter.id },
    body: { role: 'opposingParty', note: '', contact },
  });
  const { body } = await app.call(routes.rerunCheck, {
    token: insider.token,
    params: { id: check.id },
  });
  expect(body.check.names).toContainEqual({
    name: 'Zebulon Quarrington',
    role: 'opposingParty',
    emails: ['zeb@quarrington.example'],
    phoneNumbers: [],
    otherNames: ['Zeb Quarry'],
  });
});

test('the PDF of a check says in words how a name matches', async () => {
  const { token, id } = insider;
  await openCase(app, token, { assignedUsers: [id], clientInfo: clientOf('Jonh Kimura', 40) });
  const check = await run(insider, [named('John Kimura')]);
  expect(check.hits).toMatchObject([{ match: 'fuzzy' }]);
  const printed = await print(insider, check.id);
  expect(printed).toContain('Similar spelling');
  expect(printed).not.toContain('Fuzzy');
});
