import { expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { streamRoutes, textFilingRoutes } from '@matterdesk/contract/stream.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { textOf } from '../../testing/papers.ts';
import { registerWithNumber, textSuite } from '../../testing/texting.ts';

const CLIENT = '+12125550166';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const { app, twilio, line, admin, ben } = textSuite({
  line: registerWithNumber,
  admin: registerAdmin,
  ben: registerUser,
});

const open = () =>
  openCase(app, admin.token, {
    clientInfo: {
      name: 'Ngozi Abara',
      phoneNumber: '(212) 555-0166',
      email: 'ngozi@client.example',
      address: '1 Main Street',
    },
  });
const textsOf = async ({ token }: SignedInPerson, id: string, search?: string) => {
  const query = { kinds: 'text', ...(search !== undefined && { search }) };
  return (await app.call(streamRoutes.readStream, { token, params: { id }, query })).body;
};
const file = ({ token }: SignedInPerson, caseId: string, messageIds: string[]) =>
  app.call(textFilingRoutes.fileTexts, { token, body: { case: caseId, messageIds } });
const unfile = ({ token }: SignedInPerson, caseId: string, messageIds: string[]) =>
  app.call(textFilingRoutes.unfileTexts, { token, body: { case: caseId, messageIds } });
async function receive(body: string, media: { contentType: string; bytes: Buffer }[] = []) {
  await twilio.receive({ from: CLIENT, to: line.phoneNumber, body, media });
  const { body: history } = await app.call(messageRoutes.readHistory, {
    token: line.token,
    body: { from: line.phoneNumber, to: CLIENT },
  });
  const message = history.messages.findLast((one) => one.body === body);
  if (!message) throw new Error('not received');
  return message;
}

test('a text of a party is its reader’s own, and to others only by whom and when, until it is filed', async () => {
  const matter = await open();
  const { id } = await receive('I can come Thursday at 3');
  const [own] = (await textsOf(line, matter.id)).items;
  expect(own).toMatchObject({
    id,
    kind: 'created',
    title: 'Text from Ngozi Abara',
    excerpt: 'I can come Thursday at 3',
    text: { from: CLIENT, to: line.phoneNumber, status: 'received' },
  });
  const [others] = (await textsOf(ben, matter.id)).items;
  expect(others).toMatchObject({ title: 'Text', excerpt: '', actor: { id: line.id }, link: null });
  expect(others?.text).toBeUndefined();
  expect((await textsOf(ben, matter.id, 'Thursday')).items).toEqual([]);
  expect((await textsOf(line, matter.id, 'THURSDAY')).items).toHaveLength(1);
  expect((await file(line, matter.id, [id, id])).body).toEqual({ filed: 1 });
  expect((await file(line, matter.id, [id])).body).toEqual({ filed: 0 });
  const { items, counts } = await textsOf(ben, matter.id, 'Thursday');
  expect(items).toMatchObject([{ kind: 'filed', excerpt: 'I can come Thursday at 3' }]);
  expect(counts['text']).toBe(1);
});

test('a text can be filed to a matter whose parties do not have its number, and to several', async () => {
  const [one, other] = [await openCase(app, admin.token), await openCase(app, admin.token)];
  const { id } = await receive('Two matters');
  for (const { id: caseId } of [one, other]) {
    expect((await textsOf(line, caseId)).items).toEqual([]);
    await file(line, caseId, [id]);
    expect((await textsOf(ben, caseId)).items).toMatchObject([
      { id, kind: 'filed', title: `Text from ${CLIENT}` },
    ]);
  }
});

test('texts of others and unknown ones are refused alike, and none of a batch is filed', async () => {
  const matter = await openCase(app, admin.token);
  const { id } = await receive('Mine alone');
  const refusal = { status: 400, message: 'Please select your own texts' };
  expect(await file(ben, matter.id, [id])).toMatchObject(refusal);
  expect(await file(line, matter.id, [id, ben.id])).toMatchObject(refusal);
  expect(await file(line, matter.id, ['x'])).toMatchObject(refusal);
  expect(await file(line, ben.id, [id])).toMatchObject({ message: 'Please select any case' });
  expect(await file(line, matter.id, [])).toMatchObject({ status: 400 });
  const many = Array.from({ length: 101 }, () => id);
  expect(await file(line, matter.id, many)).toMatchObject({ status: 400 });
  expect((await textsOf(line, matter.id)).total).toBe(0);
});

test('a text is unfiled by who filed it, or with createCases', async () => {
  const matter = await openCase(app, admin.token);
  const { id } = await receive('To be unfiled');
  const received: string[] = [];
  (await app.socket(ben.token)).on('case.updated', (changed) => received.push(changed.id));
  await file(line, matter.id, [id]);
  expect(await unfile(ben, matter.id, [id])).toMatchObject({ status: 403 });
  expect((await unfile(line, matter.id, [id])).body).toEqual({ unfiled: 1 });
  await expect.poll(() => received).toEqual([matter.id, matter.id]);
  expect((await unfile(ben, matter.id, [id])).body).toEqual({ unfiled: 0 });
  await file(line, matter.id, [id]);
  expect((await unfile(admin, matter.id, [id])).body).toEqual({ unfiled: 1 });
});

test('a filed text is at the time that is known later, also while it is filed, and is counted until it is unfiled', async () => {
  const matter = await openCase(app, admin.token);
  const [first, second] = [await receive('First'), await receive('Second')];
  await file(line, matter.id, [first.id]);
  const date = 'update text_messages set sent_at = $2 where id = $1';
  await app.pool.query(date, [first.id, '2026-03-03T15:00:00Z']);
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(date, [second.id, '2026-03-03T14:00:00Z']);
    const filing = file(line, matter.id, [second.id]);
    await expect
      .poll(async () => (await app.pool.query('select from pg_locks where not granted')).rowCount)
      .toBe(1);
    await holder.query('commit');
    expect((await filing).body).toEqual({ filed: 1 });
  } finally {
    holder.release();
  }
  const { items, counts } = await textsOf(ben, matter.id);
  expect(items.map(({ id, at }) => [id, at])).toEqual([
    [first.id, '2026-03-03T15:00:00.000Z'],
    [second.id, '2026-03-03T14:00:00.000Z'],
  ]);
  expect(counts['text']).toBe(2);
  await unfile(line, matter.id, [first.id]);
  expect((await textsOf(ben, matter.id)).counts['text']).toBe(1);
});

test('a print holds the texts that were filed, and not those that are its maker’s own', async () => {
  const matter = await open();
  await receive('Mine until it is filed');
  const { id } = await receive('Everyone may read this');
  await file(line, matter.id, [id]);
  const { token } = line;
  const body = { folder: 'Prints' };
  const { body: saved } = await app.call(streamRoutes.printStream, {
    token,
    params: { id: matter.id },
    body,
  });
  const text = await textOf(
    await fetch(app.url + saved.url, { headers: { 'x-auth-token': ben.token } }),
  );
  expect(text).toContain('Everyone may read this');
  expect(text).not.toContain('Mine until');
});

test('texts of parties are in active matters alone', async () => {
  const matter = await open();
  await receive('Before it was archived');
  expect((await textsOf(line, matter.id)).total).toBeGreaterThan(0);
  await app.call(caseRoutes.changeCase, {
    token: admin.token,
    params: { id: matter.id },
    body: { statusType: 'Archive' },
  });
  expect((await textsOf(line, matter.id)).total).toBe(0);
});

test('an attachment of a filed text opens for everyone with access to the matter', async () => {
  const matter = await openCase(app, admin.token);
  const { id } = await receive('A photograph', [{ contentType: 'image/png', bytes: PNG }]);
  const mediaOf = async (person: SignedInPerson) =>
    (await textsOf(person, matter.id)).items[0]?.text?.media ?? [];
  await file(line, matter.id, [id]);
  const [media] = await mediaOf(ben);
  const status = async ({ token }: SignedInPerson) =>
    (await app.request(media?.url ?? '', { headers: { 'x-auth-token': token } })).status;
  await expect.poll(() => status(ben)).toBe(200);
  const params = { kind: 'cases', id: matter.id };
  const { body } = await app.call(accessRoutes.readAccess, { token: admin.token, params });
  await app.call(accessRoutes.changeAccess, {
    token: admin.token,
    params,
    body: {
      mode: 'restricted',
      people: [admin.id],
      screened: [],
      reason: 'A wall',
      updatedAt: body.access.updatedAt,
    },
  });
  expect(await status(ben)).toBe(404);
  expect(await status(line)).toBe(200);
});
