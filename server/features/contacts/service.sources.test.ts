import { beforeAll, beforeEach, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes, type Case, type NewCase } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import {
  contactRoutes as routes,
  type Contact,
  type ContactPatch,
} from '@matterdesk/contract/contacts.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { suite } from '../../testing/app.ts';
import {
  addContact,
  addIntake,
  newCase,
  openCase,
  registerAdmin,
  registerWith,
  unique,
  type SignedInPerson,
} from '../../testing/factories.ts';

const CANARY = 'quetzalcanary';

const { app } = suite({});
let insider: SignedInPerson;
let outsider: SignedInPerson;
let admin: SignedInPerson;
let client: NewCase['clientInfo'];
/** Details that only the insider's matter contains. */
let own: { email: string; phoneNumber: string; digits: string };
let open: Case;
let secret: Case;
let contactId: string;

beforeAll(async () => {
  const hands = { createCases: true, handleIntakes: true, clearConflicts: true };
  insider = await registerWith(app, hands);
  outsider = await registerWith(app, hands);
  admin = await registerAdmin(app);
});

/** An open matter and one of the insider's, whose client has the same name and number, and an address of its own. */
beforeEach(async () => {
  const n = unique();
  client = {
    name: `Zora Neale ${n}`,
    phoneNumber: `(212) 555-${1000 + n}`,
    email: `zora.${n}@client.example`,
    address: '1 Main Street',
  };
  const digits = `917555${5000 + n}`;
  own = { email: `${CANARY}.${n}@client.example`, phoneNumber: `+1 ${digits}`, digits };
  secret = await openCase(app, insider.token, {
    assignedUsers: [insider.id],
    clientInfo: { ...client, email: own.email, address: `9 ${CANARY} Lane` },
  });
  await app.call(caseRoutes.changeCase, {
    token: insider.token,
    params: { id: secret.id },
    body: { clientInfo: { phoneNumber: own.phoneNumber } },
  });
  open = await openCase(app, insider.token, { clientInfo: client });
  const params = { id: open.id };
  const { body } = await app.call(routes.listParties, { token: insider.token, params });
  contactId = body.parties.find(({ embedded }) => embedded === 'clientInfo')?.contact.id ?? '';
});

async function wall({ id }: Pick<Case, 'id'>, mode: 'restricted' | 'open', kind = 'cases') {
  const place = { token: insider.token, params: { kind, id } };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, place)).body.access;
  const body = { mode, people: [], screened: [], reason: 'Asked for', updatedAt };
  const changed = await app.call(accessRoutes.changeAccess, { ...place, body });
  expect(changed.status).toBe(200);
}

const read = (who: SignedInPerson, id = contactId) =>
  app.call(routes.readContact, { token: who.token, params: { id } });
const contactOf = async (who: SignedInPerson, id = contactId): Promise<Contact> =>
  (await read(who, id)).body.contact;
const found = async (who: SignedInPerson, search: string) =>
  (await app.call(routes.listContacts, { token: who.token, query: { search } })).body;
const patch = (who: SignedInPerson, body: ContactPatch, id = contactId) =>
  app.call(routes.changeContact, { token: who.token, params: { id }, body });
const merge = (who: SignedInPerson, from: string, undo = false) =>
  app.call(undo ? routes.unmergeContacts : routes.mergeContacts, {
    token: who.token,
    params: { id: contactId },
    body: { from },
  });
async function look(who: SignedInPerson, own: object) {
  const name = { name: 'Quite Another', role: null, emails: [], phoneNumbers: [], otherNames: [] };
  const body = { names: [{ ...name, ...own }] };
  return (await app.call(conflictRoutes.lookForConflicts, { token: who.token, body })).body.hits;
}

test('what only a restricted matter says of a contact is for its people, and comes back as it was with its end', async () => {
  const before = await contactOf(outsider);
  expect(before).toMatchObject({
    emails: [own.email, client.email],
    phoneNumbers: [client.phoneNumber, own.phoneNumber],
    address: `9 ${CANARY} Lane`,
  });
  await wall(secret, 'restricted');
  for (const who of [outsider, admin]) {
    const card = await read(who);
    expect(card.text).not.toContain(CANARY);
    expect(card.text).not.toContain(own.digits);
    expect(card.body.contact).toMatchObject({
      emails: [client.email],
      phoneNumbers: [client.phoneNumber],
      address: client.address,
    });
    for (const search of [CANARY, own.digits, `${client.name} ${own.digits}`])
      expect(await found(who, search)).toMatchObject({ contacts: [], total: 0 });
  }
  expect(await contactOf(insider)).toMatchObject({
    emails: before.emails,
    phoneNumbers: before.phoneNumbers,
  });
  for (const search of [own.email, `1${own.digits}`, `zora ${client.email} ${own.digits}`])
    expect((await found(insider, search)).contacts.map(({ id }) => id)).toEqual([contactId]);
  await wall(secret, 'open');
  const { updatedAt: _, ...after } = await contactOf(outsider);
  expect(before).toMatchObject(after);
  expect((await found(outsider, `1${own.digits}`)).total).toBe(1);
});

test('a number that an open matter says too, or that someone entered, stays', async () => {
  const third = await openCase(app, insider.token, {
    assignedUsers: [insider.id],
    clientInfo: { ...client, email: own.email },
  });
  await patch(outsider, { phoneNumbers: [client.phoneNumber, '+1 646 555 0100'] });
  await app.call(caseRoutes.changeCase, {
    token: insider.token,
    params: { id: secret.id },
    body: { clientInfo: { phoneNumber: '+1 646 555 0100' } },
  });
  await wall(secret, 'restricted');
  const expected = {
    emails: [own.email, client.email],
    phoneNumbers: [client.phoneNumber, '+1 646 555 0100'],
  };
  expect(await contactOf(outsider)).toMatchObject(expected);
  await wall(third, 'restricted');
  expect(await contactOf(outsider)).toMatchObject({ ...expected, emails: [client.email] });
});

test('a conflict check finds it with whom to ask, also in a record from before the wall', async () => {
  const asked = { emails: [own.email] };
  const name = { name: 'Quite Another', role: null, ...asked, phoneNumbers: [], otherNames: [] };
  const kept = await app.call(conflictRoutes.runCheck, {
    token: outsider.token,
    body: { names: [name], texts: false },
  });
  const seen = kept.body.check.hits.map(({ severity }) => severity);
  expect(seen).not.toContain('hidden');
  await wall(secret, 'restricted');
  const record = await app.call(conflictRoutes.readCheck, {
    token: outsider.token,
    params: { id: kept.body.check.id },
  });
  const hits = [
    record.body.check.hits,
    await look(outsider, asked),
    await look(outsider, { phoneNumbers: [own.phoneNumber] }),
  ];
  for (const list of hits) {
    const { id, firstName, lastName } = insider;
    const ask = [{ id, firstName, lastName }];
    const hidden = { id: expect.any(String) as string, name: 0, severity: 'hidden', ask };
    expect(list.length).toBeGreaterThan(0);
    expect(list).toEqual(list.map(() => hidden));
  }
  expect(await look(insider, asked)).toMatchObject([
    { severity: 'direct', found: { case: { id: secret.id } } },
  ]);
  // The number that both say is found in both.
  const both = await look(outsider, { phoneNumbers: [client.phoneNumber] });
  expect(both.map(({ severity }) => severity)).toEqual(['direct', 'hidden']);
  expect(both[0]).toMatchObject({ found: { case: { id: open.id } } });
});

test('changes of those outside leave it alone, and those of its people do not spread it', async () => {
  await wall(secret, 'restricted');
  await patch(outsider, { emails: ['other@client.example', client.email], notes: 'Calls late' });
  expect(await contactOf(insider)).toMatchObject({
    emails: ['other@client.example', client.email, own.email],
    phoneNumbers: [client.phoneNumber, own.phoneNumber],
  });
  const { emails, phoneNumbers } = await contactOf(insider);
  const change = { emails: emails.toReversed(), phoneNumbers, address: '2 Side Street' };
  const changed = await patch(insider, change);
  expect(changed.body.contact).toMatchObject(change);
  const shown = await read(outsider);
  expect(shown.body.contact).toMatchObject({
    emails: [client.email, 'other@client.example'],
    address: '2 Side Street',
  });
  expect(shown.text).not.toContain(CANARY);
  await patch(insider, { emails: [client.email] });
  await wall(secret, 'open');
  expect((await contactOf(outsider)).emails).toEqual([client.email]);
});

test('what it says later stays behind the wall, and links no matter of those outside', async () => {
  await wall(secret, 'restricted');
  const socket = await app.socket(outsider.token);
  const events: string[] = [];
  socket.onAny((_, payload: unknown) => events.push(JSON.stringify(payload)));
  const inside = await app.socket(insider.token);
  const received: string[] = [];
  inside.onAny((_, payload: unknown) => received.push(JSON.stringify(payload)));
  await app.call(caseRoutes.changeCase, {
    token: insider.token,
    params: { id: secret.id },
    body: { clientInfo: { email: `later.${CANARY}@client.example` } },
  });
  await patch(outsider, { notes: 'The last one' });
  await expect.poll(() => received.join('\n')).toContain('The last one');
  await expect.poll(() => received.join('\n')).toContain(`later.${CANARY}`);
  await patch(insider, { notes: 'Really the last one' });
  await expect.poll(() => events.join('\n')).toContain('Really the last one');
  expect(events.join('\n')).not.toContain(CANARY);
  const other = await openCase(app, outsider.token, {
    clientInfo: { ...client, phoneNumber: own.phoneNumber, email: own.email },
  });
  const { body } = await app.call(routes.listParties, {
    token: outsider.token,
    params: { id: other.id },
  });
  const party = body.parties.find(({ embedded }) => embedded === 'clientInfo');
  expect(party?.contact.id).not.toBe(contactId);
  // Insiders see why the two look alike, others only that their names match.
  const reasons = async (who: SignedInPerson) =>
    (await read(who)).body.lookalikes.map(({ reason }) => reason);
  expect(await reasons(outsider)).toEqual(['same name']);
  expect(await reasons(insider)).toEqual(['same email address, same phone number, same name']);
});

test('a merge brings nothing out from behind a wall, and its end gives it back', async () => {
  const hidden = await openCase(app, insider.token, {
    assignedUsers: [insider.id],
    clientInfo: { ...client, name: `Zora ${CANARY}`, phoneNumber: '+1 332 555 0133' },
  });
  const { body } = await app.call(routes.listParties, {
    token: insider.token,
    params: { id: hidden.id },
  });
  const from = body.parties.find(({ embedded }) => embedded === 'clientInfo')?.contact.id ?? '';
  const emails = [client.email, `own.${CANARY}@client.example`];
  await patch(insider, { emails, fax: '+1 332 555 0133', letterName: `Ms. ${CANARY}` }, from);
  await wall(secret, 'restricted');
  await wall(hidden, 'restricted');
  const before = await contactOf(outsider);
  expect((await merge(insider, from)).body.contact.otherNames).toEqual([`Zora ${CANARY}`]);
  const card = await read(outsider);
  expect(card.text).not.toContain(CANARY);
  expect(card.text).not.toContain('0133');
  expect(card.body.contact).toMatchObject({ emails: before.emails, otherNames: [] });
  expect((await merge(insider, from, true)).status).toBe(200);
  expect((await read(outsider, from)).status).toBe(404);
  await wall(hidden, 'open');
  await wall(secret, 'open');
  expect(await contactOf(outsider)).toMatchObject({
    otherNames: [],
    phoneNumbers: [client.phoneNumber, own.phoneNumber],
  });
  expect(await contactOf(outsider, from)).toMatchObject({
    emails,
    phoneNumbers: ['+1 332 555 0133'],
    fax: '+1 332 555 0133',
    letterName: `Ms. ${CANARY}`,
  });
});

test('a merge while a matter is open takes back what it says once that is restricted', async () => {
  const other = await addContact(app, outsider.token, { name: 'Zora Hurston' });
  const merged = await openCase(app, insider.token, {
    assignedUsers: [insider.id],
    contacts: { client: other.id },
    clientInfo: { ...client, name: 'Zora Hurston', email: `merged.${CANARY}@client.example` },
  });
  await merge(outsider, other.id);
  expect((await contactOf(outsider)).emails).toContain(`merged.${CANARY}@client.example`);
  await wall(merged, 'restricted');
  await wall(secret, 'restricted');
  expect((await read(outsider)).text).not.toContain(CANARY);
});

test('a walled intake that becomes a matter adds nothing to a contact, nor to events', async () => {
  await wall(secret, 'restricted');
  const email = `intake.${CANARY}@client.example`;
  const { id } = await addIntake(app, insider.token, {
    name: client.name,
    phoneNumber: client.phoneNumber,
    email,
    owner: insider.id,
  });
  await wall({ id }, 'restricted', 'intakes');
  const names = [{ name: client.name, role: null, emails: [], phoneNumbers: [], otherNames: [] }];
  const run = await app.call(conflictRoutes.runCheck, {
    token: insider.token,
    body: { names, intakeId: id, texts: false },
  });
  const params = { id: run.body.check.id };
  const { token } = insider;
  const hitIds = run.body.check.hits.map((hit) => hit.id);
  const decision = { hitIds, decision: 'noConflict', reason: 'The same client', screened: [] };
  await app.call(conflictRoutes.decideHits, { token, params, body: decision });
  const outcome = { outcome: 'cleared', reason: 'The same client' };
  await app.call(conflictRoutes.concludeCheck, { token, params, body: outcome });
  const socket = await app.socket(outsider.token);
  const events: string[] = [];
  socket.onAny((_, payload: unknown) => events.push(JSON.stringify(payload)));
  const accepted = await app.call(acceptingRoutes.acceptIntake, {
    token,
    params: { id },
    headers: { 'idempotency-key': id },
    body: newCase({ assignedUsers: [insider.id], clientInfo: { ...client, email } }),
  });
  expect(accepted.status).toBe(201);
  expect((await contactOf(insider)).emails).toContain(email);
  await patch(insider, { notes: 'The last one' });
  await expect.poll(() => events.join('\n')).toContain('The last one');
  expect(events.join('\n')).not.toContain(CANARY);
  expect((await read(outsider)).text).not.toContain(CANARY);
});

test('contacts of a database that did not know who said what are brought over', async () => {
  await wall(secret, 'restricted');
  await patch(outsider, { phoneNumbers: [client.phoneNumber, '+1 646 555 0100'] });
  // As an earlier version left it.
  await app.pool.query(
    `update base.contacts set emails = emails || $2::text[], ranking = '{}' where id = $1`,
    [contactId, [own.email]],
  );
  await app.pool.query('delete from base.contact_sources');
  await app.pool.query(
    `insert into base.contact_sources (contact_id, other_names, emails, phone_numbers, address, organisation,
        keys, search_text)
      select id, other_names, emails, phone_numbers, address, organisation, '{}', '' from base.contacts`,
  );
  expect((await read(outsider)).text).toContain(CANARY);
  await app.completeRows();
  expect((await read(outsider)).text).not.toContain(CANARY);
  expect(await contactOf(outsider)).toMatchObject({
    emails: [client.email],
    phoneNumbers: [client.phoneNumber, '+1 646 555 0100'],
  });
  expect((await contactOf(insider)).emails).toEqual([client.email, own.email]);
});
