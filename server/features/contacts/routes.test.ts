import { beforeAll, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes, type Case, type CasePatch, type NewCase } from '@matterdesk/contract/cases.ts';
import {
  contactRoutes as routes,
  type ContactPatch,
  type NewParty,
} from '@matterdesk/contract/contacts.ts';
import { suite } from '../../testing/app.ts';
import {
  addContact,
  newContact,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  restrict,
  unique,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app } = suite({});
let admin: SignedInPerson;
let user: SignedInPerson;

beforeAll(async () => {
  [admin, user] = [await registerAdmin(app), await registerUser(app)];
});

const client = (own: Partial<NewCase['clientInfo']> = {}) => {
  const n = unique();
  return {
    name: `Zora Neale ${n}`,
    phoneNumber: `(212) 555-${1000 + n}`,
    email: `zora.${n}@client.example`,
    address: '1 Main Street',
    ...own,
  };
};

async function partiesOf(matter: Case, token = admin.token) {
  const reply = await app.call(routes.listParties, { token, params: { id: matter.id } });
  return reply.body.parties;
}

async function clientOf(matter: Case) {
  const party = (await partiesOf(matter)).find(({ embedded }) => embedded === 'clientInfo');
  return (await cardOf(party?.contact.id ?? '')).contact;
}

async function cardOf(id: string, token = admin.token) {
  return (await app.call(routes.readContact, { token, params: { id } })).body;
}

function patchCase(matter: Case, body: CasePatch) {
  return app.call(caseRoutes.changeCase, { token: admin.token, params: { id: matter.id }, body });
}

function patchContact(id: string, body: ContactPatch, token = admin.token) {
  return app.call(routes.changeContact, { token, params: { id }, body });
}

function addParty(matter: Case, body: NewParty, token = admin.token) {
  return app.call(routes.addParty, { token, params: { id: matter.id }, body });
}

test('a case makes its client and its counsel contacts, and links those of the same name and address', async () => {
  const clientInfo = client();
  const first = await openCase(app, admin.token, { clientInfo });
  const parties = await partiesOf(first);
  expect(parties.map(({ role, embedded }) => [role, embedded])).toEqual([
    ['client', 'clientInfo'],
    ['opposingCounsel', 'opposingCounselInfo'],
  ]);
  const contact = await clientOf(first);
  const { name, email, phoneNumber, address } = clientInfo;
  expect(contact).toMatchObject({
    kind: 'person',
    name,
    emails: [email],
    phoneNumbers: [phoneNumber],
    address,
    otherNames: [],
    organisation: null,
    links: [],
    textConsent: null,
    dateOfBirth: null,
  });
  const counsel = await cardOf(parties[1]?.contact.id ?? '');
  expect(counsel.contact).toMatchObject({ name: 'Richard Roe', organisation: 'Roe & Partners' });

  // The same name in other letters, and the same digits written otherwise.
  const same = client({ name: name.toUpperCase(), phoneNumber: phoneNumber.replaceAll(/\D/g, '') });
  const second = await openCase(app, admin.token, { clientInfo: same });
  expect(await clientOf(second)).toMatchObject({ id: contact.id, emails: [email, same.email] });
  const namesake = await openCase(app, admin.token, { clientInfo: client({ name }) });
  expect((await clientOf(namesake)).id).not.toBe(contact.id);
  const { matters } = await cardOf(contact.id);
  expect(matters.map((one) => one.case.id)).toEqual([second.id, first.id]);

  const chosen = await addContact(app, admin.token);
  const third = await openCase(app, admin.token, { contacts: { client: chosen.id } });
  expect(await clientOf(third)).toMatchObject({
    id: chosen.id,
    emails: ['jane.doe@client.example'],
  });
});

test('twenty matters opened at once for a new client have one contact', async () => {
  const clientInfo = client();
  const opened = await Promise.all(
    Array.from({ length: 20 }, () => openCase(app, admin.token, { clientInfo })),
  );
  const ids = await Promise.all(opened.map(async (matter) => (await clientOf(matter)).id));
  expect(new Set(ids).size).toBe(1);
});

test('a changed case extends its client under the same name, and links another one under another name', async () => {
  const matter = await openCase(app, admin.token, { clientInfo: client() });
  const before = await clientOf(matter);
  await patchCase(matter, {
    clientInfo: { phoneNumber: '+44 20 7946 0000', address: '2 Side Street' },
  });
  const extended = await clientOf(matter);
  expect(extended).toMatchObject({
    id: before.id,
    address: '1 Main Street',
    phoneNumbers: [...before.phoneNumbers, '+44 20 7946 0000'],
  });
  await patchCase(matter, { clientInfo: { name: 'Someone Else' } });
  const other = await clientOf(matter);
  expect(other.id).not.toBe(before.id);
  expect((await cardOf(before.id)).matters).toEqual([]);
  await patchCase(matter, { clientInfo: { name: before.name } });
  expect((await clientOf(matter)).id).toBe(before.id);
});

test('a changed contact changes the chosen matters that said the same', async () => {
  const clientInfo = client();
  const [one, two, three] = [
    await openCase(app, admin.token, { clientInfo }),
    await openCase(app, admin.token, { clientInfo }),
    await openCase(app, admin.token, {
      clientInfo: { ...clientInfo, phoneNumber: '+1 917 555 0100' },
    }),
  ];
  const { id } = await clientOf(one);
  const change = { name: `${clientInfo.name} Hurston`, phoneNumbers: ['+1 646 555 0199'] };
  const reply = await patchContact(id, { ...change, updateMatters: [one.id, three.id] });
  expect(reply.body.contact).toMatchObject(change);
  const read = async (matter: Case) =>
    (await app.call(caseRoutes.readCase, { token: admin.token, params: { id: matter.id } })).body
      .case.clientInfo;
  expect(await read(one)).toMatchObject({ name: change.name, phoneNumber: '+1 646 555 0199' });
  expect(await read(two)).toEqual(clientInfo);
  expect(await read(three)).toMatchObject({ name: change.name, phoneNumber: '+1 917 555 0100' });
  expect((await clientOf(three)).id).toBe(id);

  const writer = await registerWith(app, { handleIntakes: true });
  expect(
    await patchContact(id, { notes: 'x', updateMatters: [one.id] }, writer.token),
  ).toMatchObject({
    status: 403,
  });
  expect(await patchContact(id, { notes: 'x' }, writer.token)).toMatchObject({ status: 200 });
});

test('a contact or party that is sent again with its key is added once', async () => {
  const { token } = admin;
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = newContact();
  const add = () => app.call(routes.addContact, { token, body, headers });
  const [first, second] = [await add(), await add()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.contact.id).toBe(first.body.contact.id);
  const matter = await openCase(app, token, { clientInfo: client() });
  const call = {
    token,
    params: { id: matter.id },
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { role: 'witness' as const, note: '', contact: newContact() },
  };
  const [party, again] = [
    await app.call(routes.addParty, call),
    await app.call(routes.addParty, call),
  ];
  expect([party.status, again.status]).toEqual([201, 201]);
  expect(again.body.party.contact.id).toBe(party.body.party.contact.id);
  expect(await partiesOf(matter)).toHaveLength(3);
  await restrict(app, { token, id: matter.id, people: [user.id] });
  expect(await app.call(routes.addParty, call)).toMatchObject({ status: 404 });
});

test('parties are added once in a role; those of the case are changed there', async () => {
  const matter = await openCase(app, admin.token, { clientInfo: client() });
  const added = await addParty(matter, { role: 'witness', note: 'Saw it', contact: newContact() });
  expect([added.status, added.body.party.embedded]).toEqual([201, null]);
  const { id: contactId } = added.body.party.contact;
  const again = await addParty(matter, { role: 'witness', note: '', contactId });
  expect(again).toMatchObject({ status: 409, message: 'Already a party' });
  expect(await addParty(matter, { role: 'expert', note: '', contactId })).toMatchObject({
    status: 201,
  });
  expect(await addParty(matter, { role: 'expert', note: '' })).toMatchObject({ status: 400 });
  const [embedded] = await partiesOf(matter);
  const place = { token: admin.token, params: { id: matter.id, partyId: embedded?.id ?? '' } };
  for (const reply of [
    await app.call(routes.removeParty, place),
    await app.call(routes.changeParty, { ...place, body: { note: 'x' } }),
  ])
    expect(reply).toMatchObject({ status: 409, message: 'Change it in the case' });
  const own = { token: admin.token, params: { id: matter.id, partyId: added.body.party.id } };
  const changed = await app.call(routes.changeParty, { ...own, body: { role: 'provider' } });
  expect(changed.body.party).toMatchObject({ role: 'provider', note: 'Saw it' });
  const remove = { token: admin.token, params: { id: contactId } };
  expect(await app.call(routes.deleteContact, remove)).toMatchObject({
    status: 409,
    message: 'This contact is still in use',
  });
  await app.call(routes.removeParty, own);
  const last = (await partiesOf(matter)).find(({ role }) => role === 'expert');
  await app.call(routes.removeParty, {
    ...own,
    params: { id: matter.id, partyId: last?.id ?? '' },
  });
  expect(await app.call(routes.deleteContact, remove)).toMatchObject({ status: 200 });
  expect(await app.call(routes.readContact, remove)).toMatchObject({ status: 404 });
});

test('a merge moves all there is, the merged contact answers like the other, and an undoing gives it back', async () => {
  const [one, two] = [
    await openCase(app, admin.token, { clientInfo: client() }),
    await openCase(app, admin.token, { clientInfo: client() }),
  ];
  const [into, from] = [await clientOf(one), await clientOf(two)];
  const friend = await addContact(app, admin.token, {
    links: [{ contact: from.id, relation: 'relative' }],
  });
  expect((await cardOf(from.id)).contact.links[0]?.contact.id).toBe(friend.id);
  // Twice in a role of one case.
  await addParty(one, { role: 'witness', note: 'here', contactId: into.id });
  await addParty(one, { role: 'witness', note: 'there', contactId: from.id });
  await addParty(two, { role: 'client', note: 'absorbed', contactId: into.id });
  await patchContact(into.id, { salutation: 'Dear Dr. Neale' });
  const letters = { fax: '(212) 555-0190', letterName: 'Dr. Neale' };
  await patchContact(from.id, { ...letters, salutation: 'Dear Zora' });
  const before = await cardOf(from.id);

  const both = { token: admin.token, params: { id: into.id }, body: { from: from.id } };
  for (const reply of [
    await app.call(routes.mergeContacts, both),
    await app.call(routes.mergeContacts, both),
  ])
    expect(reply.body.contact).toMatchObject({
      id: into.id,
      name: into.name,
      address: into.address,
      ...letters,
      salutation: 'Dear Dr. Neale',
      otherNames: [from.name],
      emails: [...into.emails, ...from.emails],
      links: [{ contact: { id: friend.id }, relation: 'relative' }],
    });
  const merged = await cardOf(from.id);
  expect(merged.contact.id).toBe(into.id);
  expect(merged.merged[0]?.contact.id).toBe(from.id);
  expect(merged.matters.map((matter) => [matter.case.id, matter.role, matter.embedded])).toEqual([
    [two.id, 'client', 'clientInfo'],
    [one.id, 'client', 'clientInfo'],
    [one.id, 'witness', null],
  ]);
  // A case that names the merged contact means the other.
  const third = await openCase(app, admin.token, { clientInfo: two.clientInfo });
  expect((await clientOf(third)).id).toBe(into.id);

  await patchContact(into.id, { letterName: 'Ms. Neale' });
  await app.call(routes.unmergeContacts, both);
  const after = await cardOf(from.id);
  expect(after.contact).toMatchObject({ ...letters, salutation: 'Dear Zora' });
  expect([after.contact.id, after.contact.emails, after.contact.links]).toEqual([
    from.id,
    from.emails,
    before.contact.links,
  ]);
  expect(after.matters).toEqual(before.matters);
  expect((await cardOf(into.id)).contact).toMatchObject({
    otherNames: [],
    emails: into.emails,
    fax: null,
    letterName: 'Ms. Neale',
  });
  expect((await partiesOf(two)).filter(({ role }) => role === 'client')).toHaveLength(2);

  const firm = await addContact(app, admin.token, { kind: 'organisation' });
  expect(await app.call(routes.mergeContacts, { ...both, body: { from: firm.id } })).toMatchObject({
    status: 409,
    message: 'A person and an organization cannot be merged',
  });
});

test('lookalikes come with a reason until someone says that they are not the same', async () => {
  const own = { emails: [`same.${unique()}@client.example`] };
  const one = await addContact(app, admin.token, { name: 'Chidi Obi', ...own });
  const two = await addContact(app, admin.token, { name: 'Chidi Anagonye', ...own });
  expect((await cardOf(one.id)).lookalikes).toMatchObject([
    { contact: { id: two.id }, reason: 'same email address, similar name' },
  ]);
  const apart = { token: admin.token, params: { id: two.id }, body: { from: one.id } };
  expect((await app.call(routes.keepApart, apart)).body).toBeNull();
  expect((await cardOf(one.id)).lookalikes).toEqual([]);
});

test('a ranked search lists names that begin with the text, then words in a name, then other fields', async () => {
  const mark = `quarle${unique()}`;
  const add = (name: string, own: Partial<{ organisation: string }> = {}) =>
    addContact(app, admin.token, { name, ...own });
  await add('Adam Cole', { organisation: `${mark} LLP` });
  await add(`Ben ${mark}`);
  await add(`${mark.toUpperCase()} Partners`);
  const query = { search: mark, ranked: 1 };
  const { body } = await app.call(routes.listContacts, { token: user.token, query });
  expect(body.contacts.map(({ name }) => name.split(' ')[0])).toEqual([
    mark.toUpperCase(),
    'Ben',
    'Adam',
  ]);
  expect(body).toMatchObject({ total: 3, nextCursor: null });
});

test('lists are by name, page by page, and search every word in names, addresses and numbers', async () => {
  const mark = `Quill${unique()}`;
  for (const name of ['Émile', 'zoe', 'Adam', 'Eva'])
    await addContact(app, admin.token, {
      name: `${name} ${mark}`,
      kind: name === 'Eva' ? 'organisation' : 'person',
      phoneNumbers: ['(212) 555-0144'],
      fax: name === 'Adam' ? '(212) 555-0145' : null,
    });
  const list = async (query: Record<string, string | number>) =>
    (await app.call(routes.listContacts, { token: user.token, query })).body;
  const first = await list({ search: mark, limit: 3 });
  expect([first.contacts.map(({ name }) => name.split(' ')[0]), first.total]).toEqual([
    ['Adam', 'Émile', 'Eva'],
    4,
  ]);
  const next = await list({ search: mark, limit: 3, cursor: first.nextCursor ?? '' });
  expect([next.contacts.length, next.nextCursor]).toEqual([1, null]);
  expect((await list({ search: `12125550144 ${mark} zo` })).total).toBe(1);
  for (const search of [`12125550145 ${mark}`, `"555-0145" ${mark}`])
    expect((await list({ search })).contacts.map(({ name }) => name)).toEqual([`Adam ${mark}`]);
  expect((await list({ search: mark, kind: 'organisation' })).total).toBe(1);
  const matter = await openCase(app, admin.token);
  const contactId = first.contacts[0]?.id ?? '';
  await addParty(matter, { role: 'judge', note: '', contactId });
  expect((await list({ role: 'judge' })).contacts.map(({ id }) => id)).toEqual([contactId]);
  const whole = await list({ limit: 200 });
  expect(whole.total).toBe(whole.contacts.length);
});

test('a contact only on walled matters is unknown outside, where the same name makes a new contact', async () => {
  const clientInfo = client();
  const matter = await openCase(app, admin.token, { clientInfo, assignedUsers: [admin.id] });
  const { id } = await clientOf(matter);
  const outsider = await registerWith(app, { createCases: true });
  expect(
    await app.call(routes.readContact, { token: outsider.token, params: { id } }),
  ).toMatchObject({ status: 200 });
  const access = { token: admin.token, params: { kind: 'cases', id: matter.id } };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, access)).body.access;
  const change = { mode: 'restricted', people: [], screened: [], reason: 'x', updatedAt } as const;
  await app.call(accessRoutes.changeAccess, { ...access, body: change });
  expect(
    await app.call(routes.readContact, { token: outsider.token, params: { id } }),
  ).toMatchObject({
    status: 404,
    message: 'Contact not found',
  });
  const other = await openCase(app, outsider.token, { clientInfo });
  const [party] = await partiesOf(other, outsider.token);
  expect(party?.contact.id).not.toBe(id);
});

test('audit entries of contacts name members, never values', async () => {
  const { id } = await addContact(app, admin.token, { notes: 'Secret of the confessional' });
  await patchContact(id, { notes: 'Another secret' });
  const { rows } = await app.pool.query<{ entry: string }>(
    `select row_to_json(a)::text as entry from audit_log a where entity_id = $1`,
    [id],
  );
  expect(rows).toHaveLength(2);
  for (const { entry } of rows) {
    expect(entry).not.toContain('ecret');
    expect(entry).toContain('notes');
  }
});

test('a contact that is deleted while it is kept apart from another is not found', async () => {
  const [one, other] = [await addContact(app, admin.token), await addContact(app, admin.token)];
  const deleting = await app.pool.connect();
  await deleting.query('begin');
  await deleting.query('delete from contacts where id = $1', [other.id]);
  const call = { token: admin.token, params: { id: one.id }, body: { from: other.id } };
  const keeping = app.call(routes.keepApart, call);
  await expect
    .poll(async () => (await app.pool.query<{ waiting: boolean }>(WAITING)).rows)
    .toEqual([{ waiting: true }]);
  await deleting.query('commit');
  deleting.release();
  expect(await keeping).toMatchObject({ status: 404, code: 'notFound' });
});

test('says what happened when a contact is deleted while another is linked to it', async () => {
  const [one, other] = [await addContact(app, admin.token), await addContact(app, admin.token)];
  const deleting = await app.pool.connect();
  await deleting.query('begin');
  await deleting.query('delete from contacts where id = $1', [other.id]);
  const body = { links: [{ contact: other.id, relation: 'relative' as const }] };
  const linking = app.call(routes.changeContact, {
    token: admin.token,
    params: { id: one.id },
    body,
  });
  await expect
    .poll(async () => (await app.pool.query<{ waiting: boolean }>(WAITING)).rows)
    .toEqual([{ waiting: true }]);
  await deleting.query('commit');
  deleting.release();
  expect(await linking).toMatchObject({ status: 409, code: 'conflict' });
});

test('a contact is not kept apart from what was merged into it', async () => {
  const [one, other] = [await addContact(app, admin.token), await addContact(app, admin.token)];
  const call = { token: admin.token, params: { id: one.id }, body: { from: other.id } };
  expect((await app.call(routes.mergeContacts, call)).status).toBe(200);
  expect(await app.call(routes.keepApart, call)).toMatchObject({
    status: 400,
    errors: [{ path: 'from', message: 'Please choose another contact' }],
  });
});

test('two people who keep contacts apart and delete them wait for no one forever', async () => {
  for (let round = 0; round < 20; round += 1) {
    const [one, other] = [await addContact(app, admin.token), await addContact(app, admin.token)];
    const call = { token: admin.token, params: { id: one.id }, body: { from: other.id } };
    const replies = await Promise.all([
      app.call(routes.keepApart, call),
      app.call(routes.deleteContact, { token: admin.token, params: { id: other.id } }),
      app.call(routes.deleteContact, { token: admin.token, params: { id: one.id } }),
    ]);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  }
});

const deadlocks = async () => {
  const sql = `select deadlocks from pg_stat_database where datname = current_database()`;
  return (await app.pool.query<{ deadlocks: string }>(sql)).rows[0]?.deadlocks;
};

test('two matters that exchange their clients wait for no one forever', async () => {
  const before = await deadlocks();
  for (let round = 0; round < 10; round += 1) {
    const [one, other] = ['Odalys', 'Umberto'].map((name) => ({
      name: `${name} Vantongeren ${round}`,
      phoneNumber: '(518) 555-0142',
      email: `${name}${round}@vantongeren.example`,
      address: '1 Canal Street',
    }));
    const [first, second] = [
      await openCase(app, admin.token, { ...(one && { clientInfo: one }) }),
      await openCase(app, admin.token, { ...(other && { clientInfo: other }) }),
    ];
    const give = (id: string, clientInfo: typeof one) =>
      app.call(caseRoutes.changeCase, { token: admin.token, params: { id }, body: { clientInfo } });
    const replies = await Promise.all([give(first.id, other), give(second.id, one)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  }
  expect(await deadlocks()).toBe(before);
});

test('parties whose contacts are merged while they change wait for no one forever', async () => {
  const before = await deadlocks();
  const { token } = admin;
  for (let round = 0; round < 10; round += 1) {
    const matter = await openCase(app, token);
    const [into, from, other] = [
      await addContact(app, token),
      await addContact(app, token),
      await addContact(app, token),
    ];
    const party = await addParty(matter, { role: 'witness', note: '', contactId: from.id });
    const params = { id: matter.id, partyId: party.body.party.id };
    const replies = await Promise.all([
      app.call(routes.mergeContacts, { token, params: { id: into.id }, body: { from: from.id } }),
      app.call(routes.changeParty, { token, params, body: { contactId: other.id } }),
      app.call(routes.removeParty, { token, params }),
    ]);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  }
  expect(await deadlocks()).toBe(before);
});

const WAITING = `select exists (select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock') as waiting`;
