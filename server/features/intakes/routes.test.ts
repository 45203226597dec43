import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { intakeRoutes as routes } from '@matterdesk/contract/intake-routes.ts';
import {
  intakeFileRoutes,
  type IntakePatch,
  type NewIntake,
} from '@matterdesk/contract/intakes.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { tracesOf } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  addContact,
  addIntake,
  registerAdmin,
  registerUser,
  registerWith,
} from '../../testing/factories.ts';

const { app, admin, handler, author, owner, stranger } = suite({
  admin: registerAdmin,
  handler: (to) => registerWith(to, { handleIntakes: true }),
  author: registerUser,
  owner: registerUser,
  stranger: registerUser,
});

const add = (own: Partial<NewIntake> = {}, who = author) => addIntake(app, who.token, own);
const read = (id: string, who = author) =>
  app.call(routes.readIntake, { token: who.token, params: { id } });
const patch = (id: string, body: Partial<IntakePatch>, who = author) =>
  app.call(routes.changeIntake, { token: who.token, params: { id }, body });
const note = (id: string, kind: 'note' | 'call', text: string, who = author) =>
  app.call(routes.addNote, { token: who.token, params: { id }, body: { kind, text } });
const decline = (id: string, body: object = { reason: 'scope' }, who = author) =>
  app.call(routes.declineIntake, { token: who.token, params: { id }, body });
const erase = (id: string, who = admin) =>
  app.call(routes.eraseIntake, { token: who.token, params: { id } });
const list = async (query: Record<string, string | number> = {}, who = handler) =>
  (await app.call(routes.listIntakes, { token: who.token, query })).body;
const upload = async (id: string, name: string, text: string, who = author) => {
  const body = new FormData();
  body.set('attachments', new Blob([text]), name);
  const headers = { 'x-auth-token': who.token };
  return app.request(`/api/v1/intakes/${id}/files`, { method: 'POST', headers, body });
};
const conflict = (message: string) => ({ status: 409, code: 'conflict', message });
const HOUR = 3_600_000;

test('the intake desk takes an inquiry with a name and a number, to be called back within the hour', async () => {
  const [intake, next] = [await add({ email: null }), await add()];
  expect(intake).toMatchObject({
    stage: 'new',
    nextStep: 'Call back',
    owner: { id: author.id },
    contact: null,
    form: null,
    check: null,
    firstResponseAt: null,
    isSpam: false,
  });
  expect(Date.parse(intake.responseDueAt) - Date.parse(intake.receivedAt)).toBe(HOUR);
  expect(intake.dueAt).toBe(intake.responseDueAt);
  expect(next.number).toBe(intake.number + 1);
});

test.each([
  [{ phoneNumber: null }, 'Please enter a phone number or an e-mail address'],
  [{ phoneNumber: ' ', email: '' }, 'Please enter a phone number or an e-mail address'],
  [{ name: ' ' }, 'Name is required'],
  [{ owner: randomUUID() }, 'Only active users can be assigned'],
  [{ DOI: '2026-02-30' }, 'DOI must be a date'],
  [{ parties: [{ name: 'Roe', role: 'enemy' }] }, /^Role must be one of/],
])('the intake desk refuses %j', async (own, message) => {
  const body = { name: 'Ann', phoneNumber: '518 555 0142', ...own };
  const reply = await app.call(routes.addIntake, { token: author.token, body });
  expect(reply).toMatchObject({ status: 400, message: expect.stringMatching(message) as string });
});

test('the intake desk takes a blank way to reach someone beside a good one', async () => {
  const byMail = await add({ phoneNumber: ' ', email: 'ann@client.example' });
  expect(byMail).toMatchObject({ phoneNumber: null, email: 'ann@client.example' });
  const byPhone = await add({ phoneNumber: '518 555 0143', email: '' });
  expect(byPhone).toMatchObject({ phoneNumber: '518 555 0143', email: null });
  const changed = await patch(byPhone.id, { email: ' ' });
  expect(changed).toMatchObject({ status: 200, body: { intake: { email: null } } });
  expect(await patch(byPhone.id, { phoneNumber: '' })).toMatchObject({
    status: 400,
    message: 'Please enter a phone number or an e-mail address',
  });
});

describe('who sees an intake', () => {
  test.each([
    ['admin', 200],
    ['handler', 200],
    ['author', 200],
    ['owner', 200],
    ['stranger', 404],
  ] as const)('%s: every route answers %i', async (who, status) => {
    const person = { admin, handler, author, owner, stranger }[who];
    const { id } = await add({ owner: owner.id });
    await upload(id, 'a.txt', 'x');
    const file = { token: person.token, params: { id, name: 'a.txt' } };
    const replies = [
      await read(id, person),
      await patch(id, { nextStep: 'Second call' }, person),
      await app.call(intakeFileRoutes.readFile, file),
      await app.call(intakeFileRoutes.deleteFile, file),
      await decline(id, undefined, person),
    ];
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
    const created = status === 200 ? 201 : 404;
    const { id: open } = await add({ owner: owner.id });
    expect((await note(open, 'note', 'Called', person)).status).toBe(created);
    expect((await upload(open, 'b.txt', 'x', person)).status).toBe(created);
    const { intakes } = await list({ limit: 200 }, person);
    expect(intakes.some((each) => each.id === open)).toBe(status === 200);
    expect((await erase(open, person)).status).toBe(who === 'admin' ? 200 : 403);
  });

  test('decides about events, counts and search too', async () => {
    const [near, far] = [
      await app.socket(handler.token),
      await app.socket((await registerUser(app)).token),
    ];
    const received: string[] = [];
    far.onAny((name: string) => received.push(name));
    const arriving = nextEvent(near, 'intake.created');
    const { id } = await add({ name: 'Quetzal Rare' });
    expect((await arriving).id).toBe(id);
    expect(received.filter((name) => name.startsWith('intake.'))).toEqual([]);
    expect((await list({ search: 'quetzal' })).intakes.map((each) => each.id)).toEqual([id]);
    expect(await list({ search: 'quetzal' }, stranger)).toMatchObject({
      intakes: [],
      total: 0,
      overdue: 0,
      counts: { new: 0, declined: 0, spam: 0 },
    });
  });

  test('follows the owner to whom an intake is handed on', async () => {
    const { id } = await add({ owner: owner.id });
    expect((await patch(id, { owner: stranger.id }, owner)).status).toBe(200);
    expect((await read(id, owner)).status).toBe(404);
    expect((await read(id, stranger)).status).toBe(200);
  });
});

describe('stages', () => {
  test.each([
    ['a call', (id: string) => note(id, 'call', 'Left a message'), true],
    ['a card that is moved', (id: string) => patch(id, { stage: 'contacted' }), false],
    ['a note', (id: string) => note(id, 'note', 'A cousin of Rune'), false],
    ['another change', (id: string) => patch(id, { nextStep: 'Wait' }), false],
  ])('%s counts as a first response: %#', async (_, act, isResponse) => {
    const { id } = await add();
    await act(id);
    const { intake } = (await read(id)).body;
    expect(intake.firstResponseAt !== null).toBe(isResponse);
  });

  test('wait for the conflict check before a consultation', async () => {
    const { id } = await add();
    expect(await patch(id, { stage: 'consultScheduled' })).toMatchObject({
      status: 400,
      message: 'Consult At is required',
    });
    const consultAt = '2027-01-01T15:00:00.000Z';
    expect(await patch(id, { stage: 'consultScheduled', consultAt })).toMatchObject(
      conflict('Please finish the conflict check first'),
    );
  });

  test('end with a decline, and begin again with contacted alone', async () => {
    const { id } = await add();
    expect(await decline(id, { reason: 'scope', referredTo: randomUUID() })).toMatchObject({
      status: 400,
      message: 'Select a contact',
    });
    const { id: lawyer } = await addContact(app, admin.token, { name: 'Odile Marchetti' });
    const { id: referred } = await add();
    expect(
      (await decline(referred, { reason: 'scope', referredTo: lawyer })).body.intake,
    ).toMatchObject({
      stage: 'referred',
      declined: { reason: 'scope', referredTo: lawyer },
      dueAt: null,
    });
    expect((await decline(id)).body.intake).toMatchObject({
      stage: 'declined',
      declined: { reason: 'scope', note: '', referredTo: null },
      dueAt: null,
    });
    expect(await decline(id)).toMatchObject(conflict('This intake is closed already'));
    expect(await patch(id, { stage: 'new' })).toMatchObject(conflict('Reopen this intake first'));
    const reopened = (await patch(id, { stage: 'contacted' })).body.intake;
    expect(reopened).toMatchObject({ stage: 'contacted', declined: null });
    const { activity } = (await read(id)).body;
    expect(activity.map(({ kind }) => kind)).toEqual(['reopened', 'declined', 'received']);
  });
});

test('pages by the soonest due time, each intake once', async () => {
  const person = await registerUser(app);
  const due = ['2030-01-03', '2030-01-01', null, '2030-01-02', '2030-01-01'];
  const added: string[] = [];
  for (const day of due) {
    const intake = await add({ dueAt: day && `${day}T10:00:00.000Z` }, person);
    if (day === null) await patch(intake.id, { dueAt: null }, person);
    added.push(intake.id);
  }
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list({ limit: 2, ...(cursor && { cursor }) }, person);
    found.push(...page.intakes.map(({ id }) => id));
    cursor = page.nextCursor;
    expect(page.total).toBe(5);
  }
  expect(found).toEqual([4, 1, 3, 0, 2].map((n) => added[n]));
});

test('the intake desk shows possible duplicates with their reason, and joins nothing', async () => {
  const first = await add({ phoneNumber: '(518) 555-0199', email: 'Twin@example.com' });
  await decline(first.id);
  const second = await add({ phoneNumber: '+1 518 555 0199', name: 'Another' });
  const { duplicates } = (await read(second.id)).body;
  expect(duplicates).toHaveLength(1);
  expect(duplicates[0]).toMatchObject({ kind: 'intake', id: first.id });
  expect(duplicates[0]?.reason).toMatch(
    new RegExp(`^Same phone as intake ${first.number}, declined in \\w+ \\d{4}$`),
  );
});

test('the intake desk shows contacts that may be the caller, the surest first, until one is chosen', async () => {
  const byName = await addContact(app, admin.token, { name: 'Wilhelmina Ostrander' });
  const byNumber = await addContact(app, admin.token, {
    name: 'Ada Quist',
    phoneNumbers: ['518 555 0455'],
  });
  const { id } = await add({ name: 'wilhelmina ostrander', phoneNumber: '(518) 555-0455' });
  expect((await read(id)).body.duplicates).toEqual([
    { kind: 'contact', id: byNumber.id, reason: 'Same phone as the contact Ada Quist' },
    { kind: 'contact', id: byName.id, reason: 'Same name as the contact Wilhelmina Ostrander' },
  ]);
});

test('the intake desk keeps spam apart and unreported', async () => {
  const { id } = await add();
  await patch(id, { isSpam: true });
  const ids = ({ intakes }: { intakes: { id: string }[] }) => intakes.map((each) => each.id);
  expect(ids(await list({ limit: 200 }))).not.toContain(id);
  expect(ids(await list({ spam: '1' }))).toEqual([id]);
  expect((await list()).counts.spam).toBe(1);
  await patch(id, { isSpam: false });
  expect(ids(await list({ limit: 200 }))).toContain(id);
});

test('a contact that an intake was referred to stays while the intake names it', async () => {
  const { id } = await add();
  const contact = await addContact(app, admin.token);
  const other = await addContact(app, admin.token);
  await decline(id, { reason: 'scope', referredTo: contact.id });
  const remove = (contactId: string) =>
    app.call(contactRoutes.deleteContact, { token: admin.token, params: { id: contactId } });
  expect(await remove(contact.id)).toMatchObject(conflict('This contact is still in use'));
  expect((await read(id)).body.intake.declined?.referredTo).toBe(contact.id);
  expect((await remove(other.id)).status).toBe(200);
});

describe('erasure', () => {
  const WORD = 'Xylocanary';

  const traces = () => tracesOf(app.pool, WORD);

  const plant = async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      name: 'Ann Smith',
      phoneNumber: '518 555 0100',
      description: `The story of ${WORD}`,
      address: `${WORD} Street`,
      source: WORD,
      type: 'PI',
      nextStep: `Ask ${WORD}`,
    };
    const reply = await app.call(routes.addIntake, { token: author.token, body, headers });
    const { id } = reply.body.intake;
    await note(id, 'note', `${WORD} called`);
    await upload(id, `${WORD}.txt`, WORD);
    await decline(id, { reason: 'merits', note: `${WORD} has no case` });
    // Statistics of the columns hold samples of what these say.
    await app.pool.query('analyze');
    return id;
  };

  const expectErased = async (id: string) => {
    expect(await traces()).toEqual([]);
    expect(JSON.stringify(app.logLines())).not.toContain(WORD);
    const { intake, activity, files } = (await read(id, handler)).body;
    expect(intake).toMatchObject({
      name: 'Ann Smith',
      phoneNumber: '518 555 0100',
      description: null,
      address: null,
      declined: { reason: 'merits', note: null, referredTo: null },
      type: null,
      form: null,
      contact: null,
      erasedAt: expect.any(String) as string,
    });
    expect([activity, files]).toEqual([[], []]);
    expect(await patch(id, { description: 'More' })).toMatchObject(
      conflict('This intake is erased'),
    );
  };

  test('by an admin leaves what a later check needs, and no other value in any table, statistic or log', async () => {
    const id = await plant();
    expect(await traces()).not.toEqual([]);
    expect((await erase(id)).status).toBe(200);
    await expectErased(id);
  });

  test('happens by itself once what was declined has been kept long enough, and to old spam', async () => {
    const id = await plant();
    const { id: spam } = await add({ name: `${WORD} sells` });
    await patch(spam, { isSpam: true });
    await app.eraseIntakes();
    expect(await traces()).not.toEqual([]);
    const age = (column: string, time: string) =>
      app.pool.query(
        `update intakes set ${column} = ${column} - $3::interval where id in ($1, $2)`,
        [id, spam, time],
      );
    // Marked as spam a moment ago, whenever it was received.
    await age('received_at', '31 days');
    await age('closed_at', '25 months');
    await app.eraseIntakes();
    const erased = (await read(id, handler)).body.intake.erasedAt;
    expect([erased, (await read(spam, handler)).status]).toEqual([expect.any(String), 200]);
    await age('updated_at', '31 days');
    await app.eraseIntakes();
    await eventually(() => expectErased(id));
    expect((await read(spam, handler)).status).toBe(404);
  });
});
