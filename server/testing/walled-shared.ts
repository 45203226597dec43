import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { alertRoutes, conflictRoutes, type NewDecision } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { TestApp } from './app.ts';
import { newContact, openCase } from './factories.ts';
import { CANARY, type World } from './walled-world.ts';

/** A number that stands behind walls alone. */
export const SECRET_NUMBER = '+1 917 555 0188';
const WITNESS = 'Obadiah Thistlewood';

/** Records that everyone reads, with details that come only from a walled matter. */
export type Shared = {
  /** The counsel of the walled matter and of an open one. */
  contactId: string;
  /** A check about no matter, whose hit is decided by someone inside, and its rerun. */
  checkId: string;
  rerunId: string;
};

/** Canaries in what those outside know a part of. */
export async function plantShared(app: TestApp, world: World): Promise<Shared> {
  const { hidden, people } = world;
  const { token } = people.assigned;
  const inside = people.opener.token;
  await app.call(caseRoutes.changeCase, {
    token,
    params: { id: hidden.caseId },
    body: {
      opposingCounselInfo: {
        email: `counsel@${CANARY}.example`,
        phoneNumber: SECRET_NUMBER,
        address: `9 ${CANARY} Avenue`,
      },
    },
  });
  await app.call(intakeRoutes.changeIntake, {
    token,
    params: { id: hidden.intakeId },
    body: { email: `intake@${CANARY}.example`, phoneNumber: SECRET_NUMBER, nextStep: CANARY },
  });
  await app.call(contactRoutes.addParty, {
    token,
    params: { id: hidden.caseId },
    body: { role: 'client', note: CANARY, contact: newContact({ name: WITNESS, notes: CANARY }) },
  });
  const contactId = await findCounsel(app, token, world.openCaseId);
  await app.call(contactRoutes.mergeContacts, {
    token,
    params: { id: contactId },
    body: { from: hidden.witnessId },
  });
  const checks = await decideInside(app, inside, hidden.url);
  await decideAlert(app, { token, inside });
  await app.call(caseRoutes.exportCases, { token: inside, query: { search: CANARY } });
  return { contactId, ...checks };
}

async function findCounsel(app: TestApp, token: string, id: string): Promise<string> {
  const { body } = await app.call(contactRoutes.listParties, { token, params: { id } });
  const party = body.parties.find(({ embedded }) => embedded === 'opposingCounselInfo');
  return party?.contact.id ?? '';
}

/** A waiver that is a file of the walled matter, for a reason that is not for others. */
async function decideInside(app: TestApp, token: string, url: string) {
  const name = { name: WITNESS, role: null, emails: [], phoneNumbers: [], otherNames: [] };
  const run = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names: [name], texts: false },
  });
  const { id: checkId, hits } = run.body.check;
  const params = { id: checkId };
  const hitIds = hits.map(({ id }) => id);
  const reason = `${CANARY} signed`;
  const body: NewDecision = { hitIds, decision: 'waiver', reason, url, screened: [] };
  const decided = await app.call(conflictRoutes.decideHits, { token, params, body });
  if (decided.status !== 200 || hitIds.length === 0) throw new Error(decided.text);
  const again = await app.call(conflictRoutes.rerunCheck, { token, params });
  return { checkId, rerunId: again.body.check.id };
}

/** An open matter meets the witness of the walled one, which someone inside decides. */
async function decideAlert(app: TestApp, { token, inside }: { token: string; inside: string }) {
  const matter = await openCase(app, token, {
    opposingCounselInfo: {
      organization: 'Ostrich Law',
      name: WITNESS,
      email: 'other@roe.example',
      phoneNumber: '+1 518 555 0177',
      address: '3 High Street',
    },
  });
  await app.raiseAlerts();
  const query = { decided: '0' };
  const { body } = await app.call(alertRoutes.listAlerts, { token: inside, query });
  const alerts = body.alerts.filter(({ subject }) => subject?.id === matter.id);
  if (alerts.length === 0) throw new Error('no alert was raised');
  for (const { id } of alerts)
    await app.call(alertRoutes.decideAlert, {
      token: inside,
      params: { id },
      body: { decision: 'noConflict', reason: `${CANARY} agreed` },
    });
}
