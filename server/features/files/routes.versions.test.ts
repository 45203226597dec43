import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { activityRoutes } from '@matterdesk/contract/cases.ts';
import { contentUrl, fileRoutes, fileVersionRoutes } from '@matterdesk/contract/files.ts';
import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import type { Address } from '../../testing/training.ts';
import { filesBelow, sendFile, sendVersion } from '../../testing/uploads.ts';

const { app, admin, uploader, colleague } = suite({
  admin: registerAdmin,
  uploader: registerUser,
  colleague: registerUser,
});
let caseId: string;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
});

async function upload(name: string, text: string | Buffer, token = uploader.token) {
  const folder = `Folder ${unique()}`;
  const file = { name, bytes: Buffer.from(text) };
  expect(await sendFile(app, { token, caseId, folder }, file)).toMatchObject({ status: 201 });
  return { caseId, folder, name };
}

const add = (at: Address, text: string | Buffer, token = colleague.token) =>
  sendVersion(app, { token, ...at }, Buffer.from(text));
const restore = (at: Address, version: number, token = uploader.token) =>
  app.call(fileVersionRoutes.restoreVersion, { token, params: at, body: { version } });
const list = async (at: Address, token = uploader.token) =>
  (await app.call(fileVersionRoutes.listVersions, { token, params: at })).body.versions;
const urlOf = (at: Address) => contentUrl(at.caseId, at.folder, at.name);
const textOf = async (at: Address, query = '') =>
  (await app.request(`${urlOf(at)}${query}`, { headers: { 'x-auth-token': uploader.token } })).text;
const detailOf = async (at: Address) => {
  const query = { token: uploader.token, params: { caseId } };
  return (await app.call(fileRoutes.listFiles, query)).body.details[urlOf(at)];
};

describe('a new version of a file', () => {
  test('keeps its name, URL and owner, and every earlier content', async () => {
    const at = await upload('Retainer.txt', 'one hundred dollars');
    expect(await add(at, 'two hundred dollars and more')).toMatchObject({
      status: 201,
      message: 'New version uploaded',
      body: { url: urlOf(at), version: 2, size: 28, uploadedBy: { id: uploader.id } },
    });
    expect(await textOf(at)).toBe('two hundred dollars and more');
    expect(await textOf(at, '?version=1')).toBe('one hundred dollars');
    expect(await textOf(at, '?version=2&download=1')).toBe('two hundred dollars and more');
    expect(await list(at)).toMatchObject([
      { n: 2, by: { id: colleague.id }, size: 28, mimeType: 'text/plain' },
      { n: 1, by: { id: uploader.id }, size: 19 },
    ]);
    expect(await detailOf(at)).toMatchObject({ version: 2, size: 28 });
  });

  test('of the same content, of another kind or of several files is refused, and leaves nothing', async () => {
    const at = await upload('Complaint.TXT', 'the plaintiff alleges');
    const before = await filesBelow(app.filesDirectory);
    expect(await add(at, 'the plaintiff alleges')).toMatchObject({
      status: 409,
      message: 'The newest version has this content already',
    });
    const other = { name: 'Complaint.pdf', bytes: Buffer.from('%PDF-1.4') };
    expect(await sendVersion(app, { token: uploader.token, ...at }, other)).toMatchObject({
      status: 400,
      errors: [
        {
          path: 'attachments',
          message: 'A new version of Complaint.TXT must be a .txt file',
        },
      ],
    });
    const text = { name: 'draft of July.txt', bytes: Buffer.from('x') };
    expect(await sendVersion(app, { token: uploader.token, ...at }, text, text)).toMatchObject({
      status: 400,
    });
    expect(await sendVersion(app, { token: uploader.token, ...at })).toMatchObject({ status: 400 });
    expect(await list(at)).toHaveLength(1);
    expect(await filesBelow(app.filesDirectory)).toEqual(before);
    expect(await sendVersion(app, { token: uploader.token, ...at }, text)).toMatchObject({
      status: 201,
    });
    expect(await list(at)).toHaveLength(2);
  });

  test('is refused without a session, for an unknown file and for a deleted one', async () => {
    const at = await upload('Answer.txt', 'denied');
    expect(await add(at, 'admitted', '')).toMatchObject({ status: 400 });
    for (const token of ['', 'wrong'])
      expect(await restore(at, 1, token)).toMatchObject({ status: 400 });
    expect(await app.call(fileVersionRoutes.listVersions, { token: '', params: at })).toMatchObject(
      { status: 400 },
    );
    expect(await add({ ...at, name: 'Unknown.txt' }, 'x')).toMatchObject({ status: 404 });
    await app.call(fileRoutes.deleteFile, { token: uploader.token, params: at });
    expect(await add(at, 'admitted')).toMatchObject({ status: 404 });
    expect(await restore(at, 1)).toMatchObject({ status: 404 });
  });

  test('gives its uploader no right to delete what a colleague added', async () => {
    const at = await upload('Exhibit.txt', 'first');
    await add(at, 'second');
    const remove = (token: string) => app.call(fileRoutes.deleteFile, { token, params: at });
    expect(await remove(colleague.token)).toMatchObject({ status: 403 });
    expect(await remove(uploader.token)).toMatchObject({ status: 200 });
  });

  test('gets a number of its own when several arrive at once', async () => {
    const at = await upload('Motion.txt', 'draft');
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, index) => add(at, `draft ${index}`)),
    );
    const numbers = replies.map(({ body }) => body?.version ?? 0).toSorted((a, b) => a - b);
    expect(numbers).toEqual([2, 3, 4, 5]);
    expect(await textOf(at)).toBe(await textOf(at, '?version=5'));
    const contents = await Promise.all([1, 2, 3, 4, 5].map((n) => textOf(at, `?version=${n}`)));
    expect(new Set(contents).size).toBe(5);
  });

  test('follows a renamed file, and answers at its former address', async () => {
    const at = await upload('scan.txt', 'first');
    await app.call(fileRoutes.changeFile, {
      token: uploader.token,
      params: at,
      body: { name: 'Letter' },
    });
    expect(await add(at, 'second')).toMatchObject({
      status: 201,
      body: { name: 'Letter.txt', version: 2 },
    });
    expect(await textOf({ ...at, name: 'Letter.txt' }, '?version=1')).toBe('first');
  });
});

describe('an earlier version of a file', () => {
  test('is restored as the newest, and nothing is lost', async () => {
    const at = await upload('Order.txt', 'granted');
    await add(at, 'denied');
    expect(await restore(at, 2)).toMatchObject({ status: 409 });
    expect(await restore(at, 1)).toMatchObject({
      status: 201,
      message: 'Version restored',
      body: { version: 3, size: 7 },
    });
    expect(await textOf(at)).toBe('granted');
    expect(await textOf(at, '?version=2')).toBe('denied');
    expect((await list(at)).map(({ n, by }) => [n, by.id])).toEqual([
      [3, uploader.id],
      [2, colleague.id],
      [1, uploader.id],
    ]);
  });

  test('is not found where there is none, and its number is a whole number', async () => {
    const at = await upload('Notice.txt', 'served');
    expect(await restore(at, 2)).toMatchObject({ status: 404, message: 'Version not found' });
    for (const version of [0, 1.5])
      expect(await restore(at, version)).toMatchObject({ status: 400 });
    const get = (query: string) =>
      app.request(`${urlOf(at)}${query}`, { headers: { 'x-auth-token': uploader.token } });
    expect(await get('?version=2')).toMatchObject({ status: 404 });
    expect(await get('?version=0')).toMatchObject({ status: 400 });
  });
});

test('versions are in the record and in the activity, in words', async () => {
  const at = await upload('Brief.txt', 'one');
  await add(at, 'two two');
  await restore(at, 1);
  const query = { entity: 'file', caseId, limit: 2 };
  const { entries } = (await app.call(auditRoutes.listEntries, { token: admin.token, query })).body;
  const words = entries.map(({ action, name, changes }) => ({
    action,
    name,
    changes: changes.map(({ label, from, to }) => [label, from, to]),
  }));
  expect(words).toEqual([
    {
      action: 'updated',
      name: 'Brief.txt',
      changes: [
        ['Size', '7', '3'],
        ['Version', '2', '3'],
        ['Restored from version', '', '1'],
      ],
    },
    {
      action: 'updated',
      name: 'Brief.txt',
      changes: [
        ['Size', '3', '7'],
        ['Version', '1', '2'],
      ],
    },
  ]);
  const { body } = await app.call(activityRoutes.readActivity, {
    token: colleague.token,
    params: { id: caseId },
  });
  expect(body.activity[1]).toMatchObject({
    action: 'updated',
    entity: 'file',
    name: 'Brief.txt',
    actor: { id: colleague.id },
  });
});

test('versions count in the storage of who uploaded them, go to the trash with their file, and leave with it', async () => {
  await app.call(trashRoutes.emptyTrash, { token: admin.token });
  const read = async () => {
    const { body } = await app.call(storageRoutes.readStorage, { token: admin.token });
    const of = (id: string) => body.people.find(({ person }) => person?.id === id)?.used ?? 0;
    return { trash: body.trash, mine: of(uploader.id), theirs: of(colleague.id), used: body.used };
  };
  const before = await read();
  const at = await upload('Video.bin', randomBytes(10_000));
  await add(at, randomBytes(500));
  await restore(at, 1);
  const kept = {
    trash: 0,
    mine: before.mine + 20_000,
    theirs: before.theirs + 500,
    used: before.used + 20_500,
  };
  expect(await read()).toEqual(kept);
  await app.call(fileRoutes.deleteFile, { token: uploader.token, params: at });
  expect(await read()).toMatchObject({ trash: 20_500 });
  await app.call(fileRoutes.restoreFile, { token: uploader.token, body: { url: urlOf(at) } });
  expect(await read()).toEqual(kept);
  expect(await list(at)).toHaveLength(3);
  await app.call(fileRoutes.deleteFile, { token: uploader.token, params: at });
  await app.call(trashRoutes.emptyTrash, { token: admin.token });
  expect(await read()).toEqual(before);
  const { rows } = await app.pool.query<{ n: number }>(
    'select (select count(*) from base.files)::int + (select count(*) from base.file_versions)::int as n',
  );
  await expect.poll(async () => (await filesBelow(app.filesDirectory)).length).toBe(rows[0]?.n);
});
