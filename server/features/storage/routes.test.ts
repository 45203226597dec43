import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { DiskBlobStore } from '../../integrations/blobs/disk.ts';
import { startTestApp, type TestApp, suite } from '../../testing/app.ts';
import { openCase, register, registerUser, unique } from '../../testing/factories.ts';
import { filesBelow, openUpload, sendFile } from '../../testing/uploads.ts';

const KILOBYTE = 1000;
/** A megabyte. */
const env = {
  MAX_STORAGE_GB: '0.001',
  GOOGLE_CLIENT_ID: 'desk.example',
  GOOGLE_CLIENT_SECRET: 'secret',
};
const FULL = {
  statusCode: 507,
  code: 'storageFull',
  message: 'The storage is full: ask Ama Owusu to make room',
  body: null,
};

const { app, admin, user } = suite(
  {
    admin: (to) => register(to, { role: 'admin', firstName: 'Ama', lastName: 'Owusu' }),
    user: registerUser,
  },
  { env },
);
let caseId: string;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
});

async function send(kilobytes: number, { token } = admin, to: TestApp = app) {
  const file = { name: `${unique()}.bin`, bytes: randomBytes(kilobytes * KILOBYTE) };
  const reply = await sendFile(to, { token, caseId, folder: 'Files' }, file);
  return { ...reply, url: reply.body?.urls[0] ?? '' };
}

/** Sent without its length. */
async function sendOpen(kilobytes: number) {
  const upload = openUpload(app.url, { token: user.token, caseId, folder: 'Files' });
  await upload.begin(`${unique()}.bin`);
  await upload.send(randomBytes(kilobytes * KILOBYTE));
  await upload.endFile();
  return upload.finish();
}

function sendForm(path: string, field: string, kilobytes: number) {
  const body = new FormData();
  body.append(field, new Blob([randomBytes(kilobytes * KILOBYTE)]), 'a.bin');
  return app.request(path, { method: 'POST', headers: { 'x-auth-token': user.token }, body });
}

const remove = (url: string) =>
  app.request(url, { method: 'DELETE', headers: { 'x-auth-token': admin.token } });
const read = async () => (await app.call(storageRoutes.readStorage, { token: admin.token })).body;
const emptyTrash = () => app.call(trashRoutes.emptyTrash, { token: admin.token });

async function makeEmpty() {
  const { rows } = await app.pool.query<{ name: string }>(
    'select name from files where deleted_at is null',
  );
  for (const { name } of rows) await remove(`/api/v1/files/content/${caseId}/Files/${name}`);
  await emptyTrash();
  expect(await read()).toMatchObject({ used: 0, trash: 0 });
  await expect.poll(async () => (await left()).rows).toBe(0);
}

/** Leftovers of an upload. */
async function left() {
  const { rows } = await app.pool.query<{ rows: number }>(
    `select (select count(*) from pending_blobs)::int + (select count(*) from mail_uploads)::int
      + (select count(*) from files)::int as rows`,
  );
  return { rows: rows[0]?.rows, blobs: (await filesBelow(app.filesDirectory)).length };
}

describe('the storage', () => {
  test('is counted by user and with its trash, in sums that are kept', async () => {
    await send(100);
    const { url } = await send(50, user);
    await send(30, user);
    await remove(url);
    expect(await read()).toEqual({
      used: 180_000,
      free: 820_000,
      limit: 1_000_000,
      trash: 50_000,
      people: [
        {
          person: expect.objectContaining({ id: admin.id, lastName: 'Owusu' }) as object,
          used: 100_000,
        },
        { person: expect.objectContaining({ id: user.id }) as object, used: 80_000 },
      ],
      waiting: { cases: expect.any(Number) as number, names: expect.any(Number) as number },
    });
    await app.call(fileRoutes.restoreFile, { token: user.token, body: { url } });
    expect(await read()).toMatchObject({ used: 180_000, trash: 0 });
    const before = await read();
    // Each call has a chance of two in a hundred to replace the rows with their sums.
    await app.pool.query('select count(fold_storage_use()) from generate_series(1, 1000)');
    expect(await read()).toEqual(before);
    const { rows } = await app.pool.query('select count(*)::int as n from storage_use');
    expect(rows).toEqual([{ n: 2 }]);
    await makeEmpty();
  });

  test('ends at its limit, to the byte, and low storage is reported from a tenth on', async () => {
    const ready = async () => JSON.parse((await app.request('/readyz')).text) as unknown;
    expect(await send(899)).toMatchObject({ status: 201 });
    expect(await ready()).toEqual({ status: 'ready' });
    expect(await send(101)).toMatchObject({ status: 201 });
    expect(await read()).toMatchObject({ used: 1_000_000, free: 0 });
    expect(await ready()).toEqual({ status: 'ready', storage: 'low' });
    await makeEmpty();
  });

  test('refuses every upload that would pass the limit, keeps nothing of it, and goes on with other writes', async () => {
    await send(900);
    const before = await left();
    const replies = [
      await send(101),
      await sendOpen(101),
      await sendForm(mailWritingRoutes.uploadAttachment.path, 'attachment', 101),
    ];
    for (const { status, text } of replies)
      expect({ status, text: JSON.parse(text) as unknown }).toEqual({ status: 507, text: FULL });
    expect(await left()).toEqual(before);
    await send(100);
    const csv = await app.request(caseRoutes.importCases.path, {
      method: 'POST',
      headers: { 'x-auth-token': admin.token },
      body: (() => {
        const body = new FormData();
        body.append('file', new Blob(['Case name\n']), 'cases.csv');
        return body;
      })(),
    });
    expect(JSON.parse(csv.text)).toEqual(FULL);
    await openCase(app, admin.token);
    const folder = { caseId, folder: `Folder ${unique()}` };
    expect(
      await app.call(fileRoutes.createFolder, { token: user.token, body: folder }),
    ).toMatchObject({ status: 201 });
    await makeEmpty();
  });

  test('counts attachments of mails from their beginning, and no more once they failed', async () => {
    const reply = await sendForm(mailWritingRoutes.uploadAttachment.path, 'attachment', 600);
    expect(reply.status).toBe(201);
    expect(await read()).toMatchObject({ used: 600_000, people: [{ used: 600_000 }] });
    expect(await send(500)).toMatchObject({ status: 507 });
    await app.pool.query('delete from mail_uploads');
    expect(await read()).toMatchObject({ used: 0 });
  });

  test('takes as many of concurrent uploads as fit, also over several processes', async () => {
    const blobs = await DiskBlobStore.open(app.filesDirectory);
    const other = await startTestApp({ env, database: app.database, blobs });
    try {
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, index) => send(300, user, index % 2 === 0 ? app : other)),
      );
      const statuses = sent.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([
        201,
        201,
        201,
        ...Array<number>(9).fill(507),
      ]);
      const open = await Promise.all(Array.from({ length: 6 }, () => sendOpen(60)));
      expect(open.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201,
        ...Array<number>(5).fill(507),
      ]);
      expect(await read()).toMatchObject({ used: 960_000, free: 40_000 });
    } finally {
      await other.close();
    }
    await makeEmpty();
  });
});

describe('the trash', () => {
  test('is emptied for good, with its bytes, and the record says so', async () => {
    const { blobs } = await left();
    const kept = await send(10, user);
    const urls = [(await send(20, user)).url, (await send(30)).url];
    for (const url of urls) await remove(url);
    expect(await emptyTrash()).toMatchObject({ status: 200, message: 'Trash emptied', body: null });
    expect(await read()).toMatchObject({ used: 10_000, trash: 0 });
    await expect.poll(left).toEqual({ rows: 1, blobs: blobs + 1 });
    for (const url of urls)
      expect(
        await app.call(fileRoutes.restoreFile, { token: user.token, body: { url } }),
      ).toMatchObject({ status: 404 });
    expect(await app.request(kept.url, { headers: { 'x-auth-token': user.token } })).toMatchObject({
      status: 200,
    });
    const query = { entity: 'trash', limit: 1 };
    const { entries } = (await app.call(auditRoutes.listEntries, { token: admin.token, query }))
      .body;
    expect(entries[0]).toMatchObject({
      actor: { id: admin.id },
      action: 'deleted',
      entityId: null,
      before: { files: 2, bytes: 50_000 },
      after: null,
    });
  });
});
