import { beforeAll, expect, test } from 'vitest';
import { caseRoutes, COUNTED_FILES_MAX } from '@matterdesk/contract/cases.ts';
import { contentUrl, fileRoutes } from '@matterdesk/contract/files.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import { filesIn, sendFile, sendParts } from '../../testing/uploads.ts';

const { app, admin, uploader, colleague } = suite({
  admin: registerAdmin,
  uploader: registerUser,
  colleague: registerUser,
});
let caseId: string;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
});

async function upload(folder: string, name: string, token = uploader.token) {
  const bytes = Buffer.from(`the words of ${unique()}`);
  expect(await sendFile(app, { token, caseId, folder }, { name, bytes })).toMatchObject({
    status: 201,
  });
  return { caseId, folder, name };
}

const change = (params: object, body: object, token = uploader.token) =>
  app.call(fileRoutes.changeFile, { token, params: params as never, body });

test('a file is renamed and moved, keeps its extension, and answers at its former addresses too', async () => {
  const at = await upload('Bills', 'scan0001.txt');
  const renamed = await change(at, { name: 'Bill of March' });
  expect(renamed).toMatchObject({
    status: 200,
    body: { url: contentUrl(caseId, 'Bills', 'Bill of March.txt') },
  });
  const moved = await change({ ...at, name: 'Bill of March.txt' }, { folder: 'Medical' });
  const url = contentUrl(caseId, 'Medical', 'Bill of March.txt');
  expect(moved.body).toEqual({ url });
  const { body } = await app.call(fileRoutes.listFiles, {
    token: colleague.token,
    params: { caseId },
  });
  expect(body.files).toMatchObject({ Bills: [], Medical: [url] });
  expect(body.details[url]).toMatchObject({ uploadedBy: { id: uploader.id } });
  const textAt = async (address: string) =>
    (await app.request(address, { headers: { 'x-auth-token': colleague.token } })).text;
  const words = await textAt(url);
  expect(words).toContain('the words of');
  for (const name of ['scan0001.txt', 'Bill of March.txt'])
    expect(await textAt(contentUrl(caseId, 'Bills', name))).toBe(words);
  // A new file takes the address over, and only what never was one is unknown.
  await upload('Bills', 'scan0001.txt');
  expect(await textAt(contentUrl(caseId, 'Bills', 'scan0001.txt'))).not.toBe(words);
  expect(await change({ ...at, name: 'never.txt' }, { name: 'other' })).toMatchObject({
    status: 404,
  });
});

test('a file is not renamed to a taken name, to none, or by someone who is signed out', async () => {
  const [one] = [await upload('Letters', 'one.txt'), await upload('Letters', 'two.txt')];
  expect(await change(one, { name: 'TWO' })).toMatchObject({
    status: 409,
    errors: [{ path: 'name', message: 'A file of this name already exists in the folder' }],
  });
  expect(await change(one, { name: 'ONE.txt' })).toMatchObject({ status: 200 });
  const now = { ...one, name: 'ONE.txt' };
  expect(await change(now, { name: ' ' })).toMatchObject({ status: 400 });
  expect(await change(now, { folder: '..' })).toMatchObject({ status: 400 });
  expect(await change(now, { name: 'x' }, '')).toMatchObject({ status: 400 });
});

test('a file is deleted and restored by its uploader and by those who edit tasks alone', async () => {
  const remove = (params: { caseId: string; folder: string; name: string }, token: string) =>
    app.call(fileRoutes.deleteFile, { token, params });
  const at = await upload('Photographs', 'photo.txt');
  expect(await remove(at, colleague.token)).toMatchObject({ status: 403 });
  expect(await remove(at, uploader.token)).toMatchObject({ status: 200 });
  const body = { url: contentUrl(caseId, at.folder, at.name) };
  const restore = (token: string) => app.call(fileRoutes.restoreFile, { token, body });
  expect(await restore(colleague.token)).toMatchObject({ status: 403 });
  expect(await restore(uploader.token)).toMatchObject({ status: 201 });
  expect(await remove(at, admin.token)).toMatchObject({ status: 200 });
});

test('a case counts its files, without deleted ones and up to a bound, beside the newest five', async () => {
  const { id } = await openCase(app, admin.token);
  const { token } = uploader;
  const read = async () => {
    const { body } = await app.call(caseRoutes.readCase, { token, params: { id } });
    return { count: body.case.fileCount, newest: body.case.download.length };
  };
  expect(await read()).toEqual({ count: 0, newest: 0 });
  const place = { token, caseId: id, folder: 'Bills' };
  for (const name of ['one.txt', 'two.txt']) await sendFile(app, place, name);
  expect(await read()).toEqual({ count: 2, newest: 2 });
  const params = { caseId: id, folder: 'Bills', name: 'one.txt' };
  await app.call(fileRoutes.deleteFile, { token, params });
  expect(await read()).toEqual({ count: 1, newest: 1 });
  const file = { name: 'scan.txt', bytes: Buffer.from('x') };
  const many = Array.from({ length: COUNTED_FILES_MAX }, () => file);
  await sendParts(app, token, filesIn(place, ...many));
  expect(await read()).toEqual({ count: COUNTED_FILES_MAX, newest: 5 });
});
