import { beforeAll, describe, expect, test } from 'vitest';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { activityRoutes } from '@matterdesk/contract/cases.ts';
import { type FileEvent, fileRoutes, trainingRoutes } from '@matterdesk/contract/files.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, unique } from '../../testing/factories.ts';
import { longContract, textPdf } from '../../testing/papers.ts';
import {
  type Address,
  type Caller,
  check,
  readDocument,
  settle,
  train,
  upload,
} from '../../testing/training.ts';

const { app } = suite({});
let caller: Caller;
let caseId: string;

beforeAll(async () => {
  const { token } = await registerAdmin(app);
  caller = { url: app.url, token };
  caseId = (await openCase(app, token)).id;
});

function newAddress(name: string): Address {
  return { caseId, folder: `Folder ${unique()}`, name };
}

async function uploaded(name: string, bytes: Uint8Array): Promise<Address & { url: string }> {
  const address = newAddress(name);
  return { ...address, url: await upload(caller, address, bytes) };
}

async function detailOf(url: string) {
  const { body } = await app.call(fileRoutes.listFiles, {
    token: caller.token,
    params: { caseId },
  });
  return { status: body.training[url], ...body.details[url] };
}

function readText(address: Address, page?: number) {
  const { folder, name } = address;
  const query = page === undefined ? {} : { page };
  const params = { caseId, folder, name };
  return app.call(fileRoutes.readText, { token: caller.token, params, query });
}

async function jobs(): Promise<number> {
  // Rounds of other features come and go once a minute.
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int n from jobs.job where name = 'train'`,
  );
  return rows[0]?.n ?? 0;
}

/** No two of them have the same content. */
function newPdf(pages = 2) {
  return textPdf(
    Array.from({ length: pages }, (_, index) => [
      `${index + 1}. Obligations`,
      `The tenant owes ${unique()} dollars on page ${index + 1}.`,
    ]),
  );
}

describe('training', () => {
  test('turns a file that is not trained into a trained one, with the text of each page', async () => {
    const file = await uploaded('lease.pdf', newPdf(3));
    expect(await check(caller, file)).toEqual({ status: 404, message: 'Not trained yet' });
    expect(await readText(file)).toMatchObject({ code: 'notTrained', message: 'Not trained yet' });
    expect(await train(caller, file)).toEqual({ status: '200', message: 'Training started' });
    expect(await settle(caller, file)).toEqual({ status: 201, message: 'Trained' });

    const pages = [];
    for (const page of [1, 2, 3]) pages.push((await readText(file, page)).body);
    expect(pages.map((page) => page.page)).toEqual([1, 2, 3]);
    expect(pages.every((page) => page.pages === 3)).toBe(true);
    const whole = pages.map((page) => page.text).join('');
    for (const page of pages) expect(whole.startsWith(page.text, page.start)).toBe(true);
    expect((await readText(file)).body).toEqual(pages[0]);
    expect((await readText(file, 4)).status).toBe(404);
    expect(await detailOf(file.url)).toMatchObject({
      status: 'trained',
      pages: 3,
      training: { status: 'trained', progress: null, error: null },
    });
  });

  test('stores passages whose offsets match the text verbatim', async () => {
    const file = await uploaded('lease.docx', await readDocument('lease.docx'));
    await train(caller, file);
    expect((await settle(caller, file)).status).toBe(201);
    const { text } = (await readText(file)).body;
    const { rows } = await app.pool.query<{
      s: number;
      e: number;
      heading: string;
      found: boolean;
    }>(
      `select start_offset s, end_offset e, heading, tsv @@ to_tsquery('english', 'deposit') found
        from passages order by ordinal`,
    );
    const found = rows.filter((row) => row.found).map((row) => text.slice(row.s, row.e));
    expect(found.some((passage) => passage.includes('security deposit of $12,900.00'))).toBe(true);
  });

  test('does not queue a second job when it is running or done', async () => {
    const file = await uploaded('again.pdf', newPdf());
    const before = await jobs();
    const replies = await Promise.all(Array.from({ length: 5 }, () => train(caller, file)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(5).fill('200'));
    await settle(caller, file);
    expect(await train(caller, file)).toEqual({ status: '200', message: 'Already trained' });
    expect((await jobs()) - before).toBe(1);
  });

  test('reads two files with the same content once, and trains both', async () => {
    const bytes = newPdf();
    const first = await uploaded('one.pdf', bytes);
    const second = await uploaded('two.pdf', bytes);
    const before = await jobs();
    await Promise.all([train(caller, first), train(caller, second)]);
    expect((await settle(caller, first)).status).toBe(201);
    expect((await settle(caller, second)).status).toBe(201);
    expect((await jobs()) - before).toBe(1);
    const third = await uploaded('three.pdf', bytes);
    expect((await check(caller, third)).status).toBe(404);
    await train(caller, third);
    expect((await check(caller, third)).status).toBe(201);
  });

  test('queues all files of a folder or case that are not trained, each once', async () => {
    const { id } = await openCase(app, caller.token);
    const [pleadings, exhibits] = [`Pleadings ${unique()}`, `Exhibits ${unique()}`];
    const put = async (folder: string, name: string, bytes: Uint8Array) => {
      const address = { caseId: id, folder, name };
      await upload(caller, address, bytes);
      return address;
    };
    const trainAll = (token: string, body: { caseId: string; folder?: string }) =>
      app.call(trainingRoutes.trainAll, { token, body });
    const done = await put(pleadings, 'done.pdf', newPdf());
    await train(caller, done);
    await settle(caller, done);
    const [first, second] = [newPdf(), newPdf()];
    const complaint = await put(pleadings, 'complaint.pdf', first);
    const answer = await put(pleadings, 'answer.pdf', second);
    const copy = await put(exhibits, 'copy.pdf', first);
    await put(exhibits, 'empty.txt', Buffer.alloc(0));
    const before = await jobs();
    const inFolder = await Promise.all(
      [1, 2, 3].map(() => trainAll(caller.token, { caseId: id, folder: pleadings.toUpperCase() })),
    );
    expect(inFolder.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(inFolder.reduce((sum, { body }) => sum + body.queued, 0)).toBe(2);
    expect((await check(caller, copy)).status).toBe(404);
    expect((await trainAll(caller.token, { caseId: id })).body).toEqual({ queued: 1 });
    expect((await trainAll(caller.token, { caseId: id })).body).toEqual({ queued: 0 });
    for (const file of [complaint, answer, copy])
      expect((await settle(caller, file)).status).toBe(201);
    expect((await jobs()) - before).toBe(2);
    const { body } = await app.call(fileRoutes.listFiles, {
      token: caller.token,
      params: { caseId: id },
    });
    expect(Object.values(body.training).toSorted()).toEqual(['error', ...Array(4).fill('trained')]);
    for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
      expect(await trainAll(caller.token, { caseId: unknown })).toMatchObject({
        status: 400,
        errors: [{ path: 'caseId', message: 'Please select any case' }],
      });
  });

  test('trains what is uploaded once the firm wants it, except what holds no text', async () => {
    const setting = (trainUploads: boolean) =>
      app.call(firmRoutes.changeFirm, { token: caller.token, body: { trainUploads } });
    const before = await uploaded('before.pdf', newPdf());
    expect((await setting(true)).body.firm.trainUploads).toBe(true);
    const lease = await uploaded('lease.pdf', newPdf());
    const song = await uploaded('song.mp3', Buffer.from('ID3\x03\0\0\0\0\0\0'));
    await setting(false);
    expect((await settle(caller, lease)).status).toBe(201);
    for (const file of [before, song]) expect((await check(caller, file)).status).toBe(404);
  });

  test('broadcasts its progress', async () => {
    const socket = await app.socket(caller.token);
    const received: FileEvent[] = [];
    socket.on('file.trainingChanged', (file) => received.push(file));
    const file = await uploaded('progress.pdf', longContract(120));
    await train(caller, file);
    await settle(caller, file);
    await expect
      .poll(() => received.findLast(({ url }) => url === file.url)?.training.status)
      .toBe('trained');
    const mine = received.filter(({ url }) => url === file.url);
    const progress = mine.flatMap(({ training }) => training.progress ?? []);
    expect(mine[0]?.training.status).toBe('training');
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(mine.length).toBeLessThan(20);
  });

  test('fails with a reason, and may be retried', async () => {
    const file = await uploaded('locked.pdf', await readDocument('locked.pdf'));
    await train(caller, file);
    const failed = await settle(caller, file);
    expect(failed).toMatchObject({ status: 500, message: expect.stringContaining('password') });
    expect(await detailOf(file.url)).toMatchObject({
      status: 'error',
      pages: null,
      training: { status: 'error', progress: null, error: failed.message },
    });
    const activity = () =>
      app.call(activityRoutes.readActivity, { token: caller.token, params: { id: caseId } });
    expect((await activity()).body.activity.slice(0, 2)).toMatchObject([
      { action: 'trainingFailed', name: 'locked.pdf', detail: [failed.message], actor: {} },
      { action: 'trained', name: 'locked.pdf' },
    ]);
    expect(await train(caller, file)).toMatchObject({ status: '200', message: 'Training started' });
    expect((await settle(caller, file)).status).toBe(500);
  });

  test.each([
    ['empty.txt', Buffer.alloc(0), 'The file is empty.'],
    ['blank.txt', Buffer.from(' \n\n '), 'No text found in this file.'],
    ['blank.pdf', textPdf([[]]), 'No text found in this file.'],
    ['old.doc', Buffer.from('\xd0\xcf\x11\xe0', 'latin1'), 'Save it as .docx or PDF'],
    ['song.mp3', Buffer.from('ID3\x03\0\0\0\0\0\0'), 'No readable text in this file type'],
    ['pack.zip', Buffer.from('PK\x03\x04'), 'Unpack it'],
  ])('reports why %s cannot be trained', async (name, bytes, reason) => {
    const file = await uploaded(name, bytes);
    expect((await train(caller, file)).status).toBe('200');
    const { status, message } = await settle(caller, file);
    expect(status).toBe(500);
    expect(message).toContain(reason);
    const { body } = await app.call(activityRoutes.readActivity, {
      token: caller.token,
      params: { id: caseId },
    });
    expect(body.activity[0]).toMatchObject({ action: 'trainingFailed', name, detail: [message] });
  });

  test('reports what was left out of a trained mail', async () => {
    const file = await uploaded('nested.eml', await readDocument('nested.eml'));
    await train(caller, file);
    expect(await settle(caller, file)).toMatchObject({
      status: 201,
      message: expect.stringContaining('The attachment locked.pdf was left out'),
    });
  });
});

describe('training and its status', () => {
  test('are refused for a missing or deleted file', async () => {
    const nowhere = newAddress('nothing.pdf');
    const unknown = { status: '404', message: 'File not found' };
    expect(await train(caller, nowhere)).toEqual(unknown);
    expect(await train(caller, { ...nowhere, caseId: 'x' })).toEqual(unknown);
    expect(await check(caller, nowhere)).toEqual({ status: 404, message: 'File not found' });
    const file = await uploaded('deleted.pdf', newPdf());
    await train(caller, file);
    await settle(caller, file);
    const params = { caseId, folder: file.folder, name: file.name };
    await app.call(fileRoutes.deleteFile, { token: caller.token, params });
    expect((await check(caller, file)).status).toBe(404);
    expect((await readText(file)).status).toBe(404);
    await app.call(fileRoutes.restoreFile, { token: caller.token, body: { url: file.url } });
    expect((await check(caller, file)).status).toBe(201);
  });

  test('are refused without an envelope for an invalid token or body', async () => {
    const body = { case_id: caseId, folder_to_download: 'a', file_name: 'b' };
    const token = { status: 400, code: 'invalidToken', message: 'Unauthorized token provided' };
    const stranger = await app.call(aiRoutes.train, { token: 'no', body });
    expect([stranger.status, JSON.parse(stranger.text)]).toEqual([400, token]);
    for (const wrong of [{}, { ...body, extra: 1 }, { ...body, file_name: '' }]) {
      const reply = await app.call(aiRoutes.train, { token: caller.token, body: wrong });
      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.text)).toEqual({
        status: 400,
        code: 'invalidInput',
        message: expect.any(String),
      });
    }
  });
});
