import { expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { suite } from '../../testing/app.ts';
import {
  addContact,
  addIntake,
  openCase,
  registerAdmin,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, insider, admin } = suite({ insider: registerAdmin, admin: registerAdmin });

async function wall(kind: 'cases' | 'intakes', id: string): Promise<void> {
  const place = { token: insider.token, params: { kind, id } };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, place)).body.access;
  const body = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity', updatedAt };
  expect((await app.call(accessRoutes.changeAccess, { ...place, body })).status).toBe(200);
}

/** Numbers of listed, counted and exported entries about a subject. */
async function entriesAbout(entity: string, { token }: SignedInPerson) {
  const list = await app.call(auditRoutes.listEntries, { token, query: { entity } });
  const csv = await app.call(auditRoutes.exportEntries, { token, query: { entity } });
  const lines = csv.text.trim().split('\r\n').length - 1;
  return [list.body.entries.length, list.body.total, lines];
}

test('entries about a contact, an intake and its check leave the record of those whom their wall keeps out', async () => {
  const { token } = insider;
  const contact = await addContact(app, token);
  const merged = await addContact(app, token);
  const matter = await openCase(app, token, { assignedUsers: [insider.id] });
  await app.call(contactRoutes.addParty, {
    token,
    params: { id: matter.id },
    body: { role: 'witness', note: '', contactId: contact.id },
  });
  const into = { token, params: { id: contact.id }, body: { from: merged.id } };
  await app.call(contactRoutes.mergeContacts, into);
  const intake = await addIntake(app, token, { owner: insider.id });
  const none = { emails: [], phoneNumbers: [], otherNames: [] };
  const names = [{ name: 'Zebulon Quarrington', role: null, ...none }];
  const run = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names, intakeId: intake.id, texts: false },
  });
  const subjects = [contact.id, merged.id, intake.id, run.body.check.id];
  for (const id of subjects) {
    expect(await entriesAbout(id, admin)).toEqual(await entriesAbout(id, insider));
    expect((await entriesAbout(id, admin))[1]).toBeGreaterThan(0);
  }
  await wall('cases', matter.id);
  await wall('intakes', intake.id);
  for (const id of subjects) {
    expect(await entriesAbout(id, admin)).toEqual([0, 0, 0]);
    expect((await entriesAbout(id, insider))[1]).toBeGreaterThan(0);
  }
});

test('the search text of an export is neither recorded nor shown from older entries', async () => {
  const { token } = insider;
  const search = 'Quetzalcanary';
  await app.call(caseRoutes.exportCases, { token, query: { search, statusType: 'Active' } });
  const { rows } = await app.pool.query<{ after: unknown }>(
    `select after from audit_log where action = 'exported' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ after: { list: 'cases', statusType: 'Active', search: true } }]);
  await app.pool.query(
    `insert into audit_log (actor_id, action, entity, entity_id, after)
      values ($1, 'exported', 'list', 'earlier', $2)`,
    [insider.id, { list: 'cases', search }],
  );
  const query = { entity: 'list' };
  const list = await app.call(auditRoutes.listEntries, { token: admin.token, query });
  const csv = await app.call(auditRoutes.exportEntries, { token: admin.token, query });
  const earlier = list.body.entries.find(({ entityId }) => entityId === 'earlier');
  expect(earlier?.after).toEqual({ list: 'cases', search: true });
  expect(list.text + csv.text).not.toContain(search);
});
