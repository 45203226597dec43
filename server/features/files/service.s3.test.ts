import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { S3BlobStore } from '../../integrations/blobs/s3.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openCase, registerAdmin, unique } from '../../testing/factories.ts';
import { type Bucket, makeBucket, noObjectStore } from '../../testing/object-store.ts';
import { settle, train } from '../../testing/training.ts';
import { filesIn, openUpload, sendFile, sendParts } from '../../testing/uploads.ts';
import { sweepFiles } from './service.ts';

const MEBIBYTE = 1024 * 1024;
const AWAY = 'File storage is unavailable. Try again in a moment.';

/** An application with its files in a bucket, and a case. */
async function openFirm(bucket: Bucket, wrong: Partial<Bucket['config']> = {}) {
  const app = await startTestApp({ blobs: new S3BlobStore({ ...bucket.config, ...wrong }) });
  const { token } = await registerAdmin(app);
  const { id: caseId } = await openCase(app, token);
  return { app, token, caseId };
}

describe.skipIf(noObjectStore)(`a firm’s files on S3 (${noObjectStore ?? 'a real server'})`, () => {
  let bucket: Bucket;
  let app: TestApp;
  let token: string;
  let caseId: string;

  beforeAll(async () => {
    bucket = await makeBucket();
    ({ app, token, caseId } = await openFirm(bucket));
  });
  afterAll(() => app?.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    app.request(url, { headers: { 'x-auth-token': token, ...headers } });

  async function state() {
    const { body } = await app.call(fileRoutes.listFiles, { token, params: { caseId } });
    const { rows } = await app.pool.query<{ n: number }>(
      'select count(*)::int n from pending_blobs',
    );
    return {
      files: Object.keys(body.details).length,
      objects: (await bucket.keys()).length,
      pieces: await bucket.unfinished(),
      pending: rows[0]?.n,
    };
  }

  test('return whole and in parts, can be trained, and are removed for good', async () => {
    const folder = `Folder ${unique()}`;
    const place = { token, caseId, folder };
    const bytes = randomBytes(20 * MEBIBYTE);
    const parts = filesIn(
      { caseId, folder },
      { name: 'noise.bin', bytes },
      { name: 'words.txt', bytes: Buffer.from('The rent is due on the first day.') },
      { name: 'empty.txt', bytes: Buffer.alloc(0) },
    );
    const { status, body } = await sendParts(app, token, parts);
    expect(status).toBe(201);
    const [noise = '', words = '', empty = ''] = body?.urls ?? [];
    const response = await fetch(app.url + noise, { headers: { 'x-auth-token': token } });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await get(words, { range: 'bytes=4-7' })).toMatchObject({ status: 206, text: 'rent' });
    expect(await get(empty)).toMatchObject({ status: 200, text: '' });
    const caller = { url: app.url, token };
    await train(caller, { ...place, name: 'words.txt' });
    expect((await settle(caller, { ...place, name: 'words.txt' })).status).toBe(201);

    for (const url of [noise, words, empty])
      await app.request(url, { method: 'DELETE', headers: { 'x-auth-token': token } });
    await app.pool.query(`update files set deleted_at = deleted_at - interval '31 days'`);
    await sweepFiles(app.context);
    expect(await state()).toEqual({ files: 0, objects: 0, pieces: 0, pending: 0 });
  });

  test('do not exist in whole or in part when the sender disconnects', async () => {
    const before = await state();
    const upload = openUpload(app.url, { token, caseId, folder: 'Cut off' });
    await upload.begin('whole.txt');
    await upload.send(Buffer.from('whole'));
    await upload.endFile();
    await upload.begin('half.bin');
    for (let sent = 0; sent < 20; sent += 1) await upload.send(randomBytes(MEBIBYTE));
    await expect.poll(state).toMatchObject({ objects: before.objects + 1, pieces: 1, pending: 2 });
    upload.abort();
    await expect.poll(state).toEqual(before);
  });
});

describe.skipIf(noObjectStore)('an S3 store that denies access', () => {
  test.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }],
    ['a bucket that is not there', { bucket: 'there-is-none' }],
  ])('counts as unavailable with %s, and no file is created', async (_what, wrong) => {
    const { app, token, caseId } = await openFirm(await makeBucket(), wrong);
    try {
      const ready = await app.request('/readyz');
      expect(ready).toMatchObject({ status: 503, text: '{"status":"storage unavailable"}' });
      expect((await app.request('/healthz')).status).toBe(200);
      const bytes = randomBytes(20 * MEBIBYTE);
      const reply = await sendFile(
        app,
        { token, caseId, folder: 'Lost' },
        { name: 'a.bin', bytes },
      );
      expect(reply).toMatchObject({ status: 503, message: AWAY, body: null });
      expect(reply.headers.get('retry-after')).toBe('2');
      const { body } = await app.call(fileRoutes.listFiles, { token, params: { caseId } });
      expect(body.files).toEqual({});
      expect(JSON.stringify(app.logLines())).not.toContain('wrong');
    } finally {
      await app.close();
    }
  });
});
