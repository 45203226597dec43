import { beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { type AnswerInput, type NewEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, restrict } from '../../testing/factories.ts';
import { textOf } from '../../testing/papers.ts';
import { plantDocument, settle, train, upload } from '../../testing/training.ts';
import { sendVersion } from '../../testing/uploads.ts';

const { app, admin, ada, ben } = suite({
  admin: registerAdmin,
  ada: registerUser,
  ben: registerUser,
});

const PAGES = [
  'Answer of Northline\n\nThe policy is limited to one million dollars per occurrence.\n\nThe defendant denies that it ',
  'was negligent.\n\nThe caf\u0065\u0301 was closed.\n',
];
const LIMITS = 'The policy is limited to one million dollars per occurrence.';
const place = { folder: 'Pleadings', name: 'Answer of Northline.pdf' };

let id: string;
let answer: AnswerInput;

beforeAll(async () => {
  ({ id } = await openCase(app, admin.token));
  await plantDocument(app, { caseId: id, userId: admin.id, ...place, pages: PAGES });
  const url = `/api/v1/files/content/${id}/Pleadings/Answer%20of%20Northline.pdf`;
  answer = { question: 'What are the policy limits?', quotation: LIMITS, url, page: 1 };
});

type Draft = Partial<Omit<NewEntry, 'answer'>> & { answer?: Partial<AnswerInput> | null };

const post = (own: Draft = {}, { token } = ada, caseId = id) =>
  app.call(streamRoutes.addEntry, {
    token,
    params: { id: caseId },
    body: { kind: 'memo', ...own, answer: { ...answer, ...own.answer } },
  });
const add = async (own: Draft = {}) => {
  const reply = await post(own);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.entry;
};
const read = async (search: string, { token } = ben) =>
  (await app.call(streamRoutes.readStream, { token, params: { id }, query: { search } })).body;
const one = async (entryId: string, { token } = ben) =>
  (await app.call(streamRoutes.readEntry, { token, params: { id: entryId } })).body.entry;

describe('an answer in the stream', () => {
  test('is saved by who asked, and read and found by everyone with access', async () => {
    const entry = await add();
    expect(entry).toMatchObject({ kind: 'memo', text: '', answer, author: { id: ada.id } });
    for (const search of ['policy limits', 'million dollars']) {
      const { items } = await read(search);
      expect(items.map((item) => item.entry?.answer)).toContainEqual(answer);
      expect(items[0]?.excerpt).toBe(`${answer.question}\n“${LIMITS}”`);
    }
    expect(await post({ text: 'See also page 9' }, ben)).toMatchObject({
      status: 201,
      body: { entry: { text: 'See also page 9', answer } },
    });
  });

  test('may begin on one page and end on the next, and is composed as the page is', async () => {
    const quotation = 'The defendant denies that it was negligent.';
    expect((await add({ answer: { quotation } })).answer).toMatchObject({ quotation, page: 1 });
    expect(await post({ answer: { quotation, page: 2 } })).toMatchObject({ status: 400 });
    const composed = { quotation: 'The caf\u00e9 was closed.', page: 2 };
    expect((await add({ answer: composed })).answer).toMatchObject(composed);
  });

  test('is refused with what is wrong about it', async () => {
    const refused = async (own: Draft, path: string, message: unknown = expect.any(String)) => {
      const { status, errors } = await post(own);
      expect([status, errors?.[0]]).toEqual([400, { path, message }]);
    };
    const other = await openCase(app, admin.token);
    await plantDocument(app, { caseId: other.id, userId: admin.id, ...place, pages: PAGES });
    const elsewhere = answer.url.replace(id, other.id);
    const url = 'Please select a file of this matter';
    await refused({ answer: { url: elsewhere } }, 'answer.url', url);
    await refused({ answer: { url: `${answer.url}x` } }, 'answer.url', url);
    await refused({ answer: { url: `${answer.url}?version=2` } }, 'answer.url', url);
    await refused({ answer: { url: `${answer.url}?download=1` } }, 'answer.url', url);
    await refused({ answer: { page: 3 } }, 'answer.page', 'This file has no page 3');
    const message = 'This quotation is not on page 1 of the file';
    const quotation = LIMITS.replace('one', 'two');
    await refused({ answer: { quotation } }, 'answer.quotation', message);
    await refused({ answer: { page: 2 } }, 'answer.quotation', message.replace('1', '2'));
    await refused({ kind: 'note', text: 'A note' }, 'answer', 'Only memos have an answer');
    await refused({ answer: { question: ' ' } }, 'answer.question', 'Question is required');
    await refused({ answer: { question: 'a'.repeat(2001) } }, 'answer.question');
    await refused({ answer: { quotation: 'a'.repeat(4001) } }, 'answer.quotation');
    for (const page of [0, 1.5, 1e9]) await refused({ answer: { page } }, 'answer.page');
    const queued = { folder: 'Pleadings', name: 'Scan.pdf', status: 'queued' } as const;
    await plantDocument(app, { caseId: id, userId: admin.id, ...queued, pages: [] });
    const scan = answer.url.replace('Answer%20of%20Northline', 'Scan');
    await refused({ answer: { url: scan } }, 'answer.url', 'This file is not trained');
  });

  test('is changed in its text alone, which may be empty, and is still found', async () => {
    const { id: entryId } = await add({ text: 'Ask for the declarations page' });
    const change = (body: object) =>
      app.call(streamRoutes.changeEntry, { token: ada.token, params: { id: entryId }, body });
    expect((await change({ text: '' })).body.entry).toMatchObject({ text: '', answer });
    expect(await change({ answer: null })).toMatchObject({ status: 400 });
    const found = (await read('million dollars')).items.map((item) => item.id);
    expect(found).toContain(entryId);
    await app.call(streamRoutes.deleteEntry, { token: ada.token, params: { id: entryId } });
    expect(await one(entryId)).toMatchObject({ deleted: true, answer: null });
    const left = (await read('million dollars')).items.map((item) => item.id);
    expect(left).not.toContain(entryId);
  });

  test('is sent once for one idempotency key, and follows its file', async () => {
    const matter = await openCase(app, admin.token);
    const caller = { url: app.url, token: admin.token };
    const at = { caseId: matter.id, folder: 'Policies', name: 'Policy.txt' };
    const url = await upload(caller, at, Buffer.from(LIMITS));
    await train(caller, at);
    await settle(caller, at);
    const call = {
      token: ada.token,
      params: { id: matter.id },
      body: { kind: 'memo', answer: { ...answer, url } } as const,
      headers: { 'idempotency-key': `answer-${matter.id}` },
    };
    const { entry } = (await app.call(streamRoutes.addEntry, call)).body;
    await sendVersion(app, { token: admin.token, ...at }, Buffer.from('Limited to two millions.'));
    await settle(caller, at);
    const older = `${url}?version=1`;
    expect((await one(entry.id)).answer?.url).toBe(older);
    expect((await app.request(older, { headers: { 'x-auth-token': ben.token } })).status).toBe(200);
    expect((await post({ answer: { url } }, ada, matter.id)).errors?.[0]?.path).toBe(
      'answer.quotation',
    );
    expect((await post({ answer: { url: older } }, ada, matter.id)).body.entry.answer?.url).toBe(
      older,
    );
    const renamed = { token: admin.token, params: at, body: { name: 'Limits.txt' } };
    await app.call(fileRoutes.changeFile, renamed);
    expect((await one(entry.id)).answer?.url).toBe(older.replace('Policy', 'Limits'));
    await app.call(fileRoutes.deleteFile, {
      token: admin.token,
      params: { ...at, name: 'Limits.txt' },
    });
    expect((await one(entry.id)).answer).toEqual({ ...answer, url: null });
    expect((await app.call(streamRoutes.addEntry, call)).body.entry.id).toBe(entry.id);
  });

  test('keeps its words and loses its link in another matter', async () => {
    const target = await openCase(app, admin.token);
    const { id: entryId } = await add();
    const move = (to: string) =>
      app.call(streamRoutes.moveEntry, {
        token: ada.token,
        params: { id: entryId },
        body: { case: to, reason: 'Wrong matter' },
      });
    expect((await move(target.id)).body.entry.answer).toEqual({ ...answer, url: null });
    expect((await move(id)).body.entry.answer).toEqual(answer);
  });

  test('is printed with its source', async () => {
    await add({ text: 'Ask for the declarations page' });
    const body = { folder: 'Prints', kinds: 'memo', search: 'declarations' };
    const printed = await app.call(streamRoutes.printStream, {
      token: ben.token,
      params: { id },
      body,
    });
    const headers = { 'x-auth-token': ben.token };
    const text = await textOf(await fetch(app.url + printed.body.url, { headers }));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `${answer.question} “${LIMITS}” Answer of Northline.pdf, page 1 Ask for the declarations page`,
    );
  });

  test('is closed to who may not see the matter', async () => {
    const matter = await openCase(app, admin.token);
    await plantDocument(app, { caseId: matter.id, userId: admin.id, ...place, pages: PAGES });
    const url = answer.url.replace(id, matter.id);
    const { entry } = (await post({ answer: { url } }, admin, matter.id)).body;
    await restrict(app, { token: admin.token, id: matter.id, people: [admin.id] });
    expect(await post({ answer: { url } }, ben, matter.id)).toMatchObject({ status: 404 });
    expect(await post({ answer: { url } }, ben)).toMatchObject({
      status: 400,
      errors: [{ path: 'answer.url', message: 'Please select a file of this matter' }],
    });
    const params = { id: entry.id };
    expect((await app.call(streamRoutes.readEntry, { token: ben.token, params })).status).toBe(404);
  });
});
