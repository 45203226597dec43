import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes, type Library } from '@matterdesk/contract/files.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, unique } from '../../testing/factories.ts';
import { filesBelow, openUpload, sendFile } from '../../testing/uploads.ts';
import { sweepFiles } from './service.ts';

const MEBIBYTE = 1024 * 1024;
const LIMIT = 3;

const { app } = suite({}, { env: { MAX_UPLOAD_MB: String(LIMIT) } });
let token: string;
let caseId: string;

beforeAll(async () => {
  ({ token } = await registerAdmin(app));
  caseId = (await openCase(app, token)).id;
});

async function library(): Promise<Library> {
  return (await app.call(fileRoutes.listFiles, { token, params: { caseId } })).body;
}

/** Stored bytes, partial ones included, and pending keys. */
async function left() {
  const { rows } = await app.pool.query<{ n: number }>('select count(*)::int n from pending_blobs');
  return { blobs: (await filesBelow(app.filesDirectory)).length, pending: rows[0]?.n };
}

describe('an upload', () => {
  test('is stored to the byte, with its size and checksum', async () => {
    const bytes = randomBytes(LIMIT * MEBIBYTE);
    const place = { token, caseId, folder: `Folder ${unique()}` };
    const reply = await sendFile(app, place, { name: 'noise.bin', bytes });
    expect(reply).toMatchObject({ status: 201, message: 'File uploaded' });
    const url = reply.body?.urls[0] ?? '';
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect((await library()).details[url]).toMatchObject({ size: bytes.length, sha256 });
    const response = await fetch(app.url + url, { headers: { 'x-auth-token': token } });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('appears when its last file is complete, and not before', async () => {
    const folder = `Folder ${unique()}`;
    const before = await left();
    const upload = openUpload(app.url, { token, caseId, folder });
    await upload.begin('first.txt');
    await upload.send(Buffer.from('first'));
    await upload.endFile();
    await upload.begin('second.txt');
    await upload.send(randomBytes(MEBIBYTE));
    await expect.poll(left).toEqual({ blobs: before.blobs + 2, pending: 2 });
    expect(Object.keys((await library()).files)).not.toContain(folder);
    await upload.endFile();
    expect(await upload.finish()).toMatchObject({ status: 201 });
    const { files } = await library();
    expect(files[folder]?.map((url) => url.split('/').at(-1))).toEqual(['first.txt', 'second.txt']);
    expect((await left()).pending).toBe(0);
  });

  test('leaves nothing when the sender disconnects', async () => {
    const folder = `Folder ${unique()}`;
    const before = await left();
    const upload = openUpload(app.url, { token, caseId, folder });
    await upload.begin('first.txt');
    await upload.send(Buffer.from('first'));
    await upload.endFile();
    await upload.begin('second.txt');
    await upload.send(randomBytes(MEBIBYTE));
    await expect.poll(left).toEqual({ blobs: before.blobs + 2, pending: 2 });
    upload.abort();
    await expect.poll(left).toEqual({ ...before, pending: 0 });
    expect(Object.keys((await library()).files)).not.toContain(folder);
  });

  test('is refused entirely when one of its files is too large, regardless of its declared length', async () => {
    const folder = `Folder ${unique()}`;
    const before = await left();
    const upload = openUpload(app.url, { token, caseId, folder });
    await upload.begin('small.txt');
    await upload.send(Buffer.from('small'));
    await upload.endFile();
    await upload.begin('large.bin');
    await upload.send(randomBytes(LIMIT * MEBIBYTE));
    await upload.send(Buffer.from('!'));
    await upload.endFile();
    const { status, text } = await upload.finish();
    expect(status).toBe(413);
    expect(JSON.parse(text)).toEqual({
      statusCode: 413,
      code: 'tooLarge',
      message: 'large.bin is larger than 3 MB',
      body: null,
    });
    expect(Object.keys((await library()).files)).not.toContain(folder);
    expect(await left()).toEqual(before);
  });

  test('is refused right away for a wrong place, while bytes are still arriving', async () => {
    const before = await left();
    const upload = openUpload(app.url, { token, caseId: 'nowhere', folder: 'Folder' });
    await upload.begin('long.bin');
    await upload.send(randomBytes(1000));
    const { status, text } = await upload.reply;
    expect({ status, text }).toMatchObject({ status: 400 });
    expect(JSON.parse(text)).toMatchObject({ message: 'Please select any case' });
    upload.abort();
    expect(await left()).toEqual(before);
  });

  test('keeps both files of a name, even ten in parallel', async () => {
    const place = { token, caseId, folder: `Folder ${unique()}` };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        sendFile(app, place, { name: 'deed.pdf', bytes: Buffer.from(`number ${at}`) }),
      ),
    );
    const urls = replies.flatMap((reply) => reply.body?.urls ?? []);
    const texts = await Promise.all(
      urls.map(
        async (url) => (await app.request(url, { headers: { 'x-auth-token': token } })).text,
      ),
    );
    expect(texts).toEqual(replies.map((_, at) => `number ${at}`));
    expect(new Set(urls).size).toBe(10);
  });

  test('is not mistaken for crash leftovers by the hourly sweep of its own process', async () => {
    const folder = `Folder ${unique()}`;
    const upload = openUpload(app.url, { token, caseId, folder });
    await upload.begin('first.txt');
    await upload.send(Buffer.from('first'));
    await upload.endFile();
    await upload.begin('second.txt');
    await upload.send(Buffer.from('second'));
    await expect.poll(async () => (await left()).pending).toBe(2);
    await sweepFiles(app.context);
    await upload.endFile();
    expect(await upload.finish()).toMatchObject({ status: 201 });
    const url = (await library()).files[folder]?.[0] ?? '';
    expect(await app.request(url, { headers: { 'x-auth-token': token } })).toMatchObject({
      status: 200,
      text: 'first',
    });
  });

  test('creates no file when another sweep removed its bytes meanwhile', async () => {
    const folder = `Folder ${unique()}`;
    const before = await left();
    const upload = openUpload(app.url, { token, caseId, folder });
    await upload.begin('slow.txt');
    await upload.send(Buffer.from('slow'));
    await expect.poll(async () => (await left()).pending).toBe(1);
    await app.pool.query('delete from pending_blobs');
    await upload.endFile();
    expect(await upload.finish()).toMatchObject({ status: 500 });
    expect(Object.keys((await library()).files)).not.toContain(folder);
    expect(await left()).toEqual({ ...before, blobs: before.blobs + 1 });
  });
});

describe('a deleted file', () => {
  test('is removed for good with its bytes after 30 days', async () => {
    const place = { token, caseId, folder: `Folder ${unique()}` };
    const urls = [];
    for (const name of ['kept.txt', 'old.txt'])
      urls.push((await sendFile(app, place, name)).body?.urls[0] ?? '');
    for (const url of urls)
      await app.request(url, { method: 'DELETE', headers: { 'x-auth-token': token } });
    const before = await left();
    await app.pool.query(
      `update files set deleted_at = deleted_at - interval '30 days' where name = 'old.txt'`,
    );
    await sweepFiles(app.context);
    expect(await left()).toEqual({ blobs: before.blobs - 1, pending: 0 });
    const restored = urls.map((url) => app.call(fileRoutes.restoreFile, { token, body: { url } }));
    expect((await Promise.all(restored)).map((reply) => reply.status)).toEqual([201, 404]);
  });
});
