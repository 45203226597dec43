import { rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { suite } from '../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
  unique,
} from '../../testing/factories.ts';
import { textPdf } from '../../testing/papers.ts';
import { readDocument } from '../../testing/training.ts';
import { filesIn, sendParts } from '../../testing/uploads.ts';

const { app, admin } = suite({ admin: registerAdmin });
let caseId: string;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
});

/** @returns the file's URL; the sender claims an image type */
async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const parts = filesIn(
    { caseId, folder: `Folder ${unique()}` },
    { name, bytes, type: 'image/png' },
  );
  const reply = await sendParts(app, admin.token, parts);
  return reply.body?.urls[0] ?? `not uploaded: ${reply.text}`;
}

function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.request(url, { method, headers: { 'x-auth-token': admin.token, ...headers } });
}

function headersOf(reply: { headers: Headers }, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, reply.headers.get(name)]));
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const SCRIPT = '<script>parent.document.title = "taken"</script>';
const HTML = Buffer.from(`<!doctype html><html><body>${SCRIPT}</body></html>`);
const SVG = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`);
const PDF = textPdf([['Words.']]);

describe('a served file', () => {
  test.each([
    ['deed.pdf', PDF, 'application/pdf'],
    ['photo.png', PNG, 'image/png'],
    ['photo.PNG', PNG, 'image/png'],
    ['spin.gif', GIF, 'image/gif'],
    ['notes.txt', Buffer.from('words'), 'text/plain'],
    // Polyglot files run nothing: they are shown as an image or text only.
    ['both.gif', Buffer.concat([GIF, HTML]), 'image/gif'],
    ['page.txt', HTML, 'text/plain'],
  ])('shows %s with its own type', async (name, bytes, type) => {
    const url = await upload(name, bytes);
    const reply = await get(url);
    const sandbox = type === 'application/pdf' ? '' : '; sandbox';
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toMatch(/^inline; /);
    const names = ['content-type', 'x-content-type-options', 'content-security-policy'] as const;
    expect(headersOf(reply, ...names)).toEqual({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'${sandbox}`,
    });
    const { headers } = await get(`${url}?download=1`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  });

  test.each([
    ['page.png', HTML],
    ['page.html', HTML],
    ['page', HTML],
    ['page.pdf', HTML],
    ['drawing.svg', SVG],
    ['drawing.png', SVG],
    ['drawing.xml', Buffer.concat([Buffer.from('<?xml version="1.0"?>'), SVG])],
    ['photo.html', PNG],
    ['photo.txt', PNG],
    ['both.html', Buffer.concat([PDF, HTML])],
    ['both.svg', Buffer.concat([GIF, SVG])],
    ['late.pdf', Buffer.concat([HTML, PDF])],
    ['letter.eml', Buffer.from(`From: a@b\r\nContent-Type: text/html\r\n\r\n${SCRIPT}`)],
    ['table.csv', Buffer.from('=cmd()')],
    ['program.js', Buffer.from('alert(1)')],
    ['empty.png', Buffer.alloc(0)],
  ])('serves %s as a download only', async (name, bytes) => {
    const reply = await get(await upload(name, bytes));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; /);
    const names = ['content-type', 'x-content-type-options', 'content-security-policy'] as const;
    expect(headersOf(reply, ...names)).toEqual({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
  });

  test('sends its name in any alphabet, without header injection', async () => {
    const name = `حكم "x"; filename=evil.exe\\'(1)'.txt`.replace('\\', '');
    const sent = await upload(name.replaceAll('"', '%22'), Buffer.from('words'));
    const disposition = (await get(sent)).headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^inline; filename="[^"\\%]*"; filename\*=UTF-8''[\w.%!~-]*$/);
    const encoded = /''(.*)$/.exec(disposition)?.[1] ?? '';
    expect(decodeURIComponent(encoded)).toBe(name.replaceAll('"', '%22'));
  });

  test('returns every byte of any content', async () => {
    for (const name of ['lease.docx', 'lease.pdf', 'offer.msg', 'fax.tif']) {
      const bytes = await readDocument(name);
      const url = await upload(name, bytes);
      const response = await fetch(app.url + url, { headers: { 'x-auth-token': admin.token } });
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });
});

describe('a byte range', () => {
  const text = '0123456789';

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', text, 'bytes 0-9/10'],
    ['bytes=9-99999999999999999999', '9', 'bytes 9-9/10'],
  ])('returns what %s requests', async (range, part, said) => {
    const reply = await get(await upload('digits.txt', Buffer.from(text)), { range });
    expect(reply).toMatchObject({ status: 206, text: part });
    expect(headersOf(reply, 'content-range', 'content-length', 'accept-ranges')).toEqual({
      'content-range': said,
      'content-length': String(part.length),
      'accept-ranges': 'bytes',
    });
  });

  test.each(['bytes=10-', 'bytes=5-4', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    'is refused for %.20s',
    async (range) => {
      const reply = await get(await upload('digits.txt', Buffer.from(text)), { range });
      expect(reply).toMatchObject({ status: 416, text: '' });
      expect(reply.headers.get('content-range')).toBe('bytes */10');
    },
  );

  test.each([
    { range: 'bytes=0-1,4-5' },
    { range: 'bytes=-' },
    { range: 'lines=1-2' },
    { range: 'bytes=0-3', 'if-range': '"of another time"' },
  ])('is ignored when %j is unsupported', async (headers) => {
    const reply = await get(await upload('digits.txt', Buffer.from(text)), headers);
    expect(reply).toMatchObject({ status: 200, text });
  });

  test('is described by HEAD without bytes', async () => {
    const reply = await get(await upload('digits.txt', Buffer.from(text)), {}, 'HEAD');
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers.get('content-length')).toBe('10');
  });

  test('is refused for an empty file', async () => {
    const url = await upload('empty.txt', Buffer.alloc(0));
    const reply = await get(url);
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers.get('content-length')).toBe('0');
    expect(await get(url, { range: 'bytes=0-' })).toMatchObject({ status: 416 });
  });
});

describe('reading a file', () => {
  const UNAUTHORIZED = {
    status: 400,
    code: 'invalidToken',
    message: 'Unauthorized token provided',
    body: null,
  };

  /** The cookie that came with this token. */
  const cookieOf = async ({ email }: SignedInPerson) => {
    const body = { email, password: 'correct horse battery' };
    const { headers } = await app.call(accountRoutes.login, { body });
    return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  };

  test('requires a session', async () => {
    const url = await upload('secret.txt', Buffer.from('secret'));
    for (const headers of [{}, { 'x-auth-token': 'x' }, { cookie: 'a=b' }])
      expect(await app.request(url, { headers })).toMatchObject(UNAUTHORIZED);
    expect(await app.request(`${url}?token=${admin.token}`)).toMatchObject(UNAUTHORIZED);
  });

  test('accepts the session’s cookie, for reading only', async () => {
    const url = await upload('shown.txt', Buffer.from('shown'));
    const cookie = await cookieOf(admin);
    expect(cookie).not.toBe('');
    expect(await app.request(url, { headers: { cookie } })).toMatchObject({
      status: 200,
      text: 'shown',
    });
    expect(await app.request(url, { method: 'DELETE', headers: { cookie } })).toMatchObject(
      UNAUTHORIZED,
    );
    const list = `/api/v1/files/listOfFilesByCase/${caseId}`;
    expect(await app.request(list, { headers: { cookie } })).toMatchObject(UNAUTHORIZED);
  });

  test('ends with a logout, by token or by cookie', async () => {
    const url = await upload('left.txt', Buffer.from('left'));
    const person = await registerUser(app);
    const cookie = await cookieOf(person);
    const byCookie = { headers: { cookie } };
    const byToken = { headers: { 'x-auth-token': person.token } };
    for (const way of [byToken, byCookie]) expect((await app.request(url, way)).status).toBe(200);
    await app.call(accountRoutes.logout, { token: person.token });
    expect(await app.request(url, byToken)).toMatchObject(UNAUTHORIZED);
  });

  test('ends with deactivation', async () => {
    const url = await upload('gone.txt', Buffer.from('gone'));
    const person = await registerUser(app);
    const cookie = await cookieOf(person);
    const params = { id: person.id };
    await app.call(accountRoutes.deactivateUser, { token: admin.token, params });
    for (const headers of [{ cookie }, { 'x-auth-token': person.token }])
      expect(await app.request(url, { headers })).toMatchObject(UNAUTHORIZED);
  });

  test('ends with the session’s expiry', async () => {
    const url = await upload('old.txt', Buffer.from('old'));
    const person = await registerUser(app);
    const cookie = await cookieOf(person);
    await app.pool.query(
      `update sessions set created_at = created_at - interval '1 year',
        last_seen_at = last_seen_at - interval '1 year' where user_id = $1`,
      [person.id],
    );
    for (const headers of [{ cookie }, { 'x-auth-token': person.token }])
      expect(await app.request(url, { headers })).toMatchObject(UNAUTHORIZED);
  });

  test('refuses deleted files until they are restored', async () => {
    const url = await upload('deed.txt', Buffer.from('deed'));
    expect((await get(url, {}, 'DELETE')).status).toBe(200);
    expect(await get(url)).toMatchObject({ status: 404, message: 'File not found' });
    await app.call(fileRoutes.restoreFile, { token: admin.token, body: { url } });
    expect(await get(url)).toMatchObject({ status: 200, text: 'deed' });
  });
});

test('the server reports lost bytes like any other fault', async () => {
  const url = await upload('lost.pdf', PDF);
  const key = `select blob_key from files where name = 'lost.pdf'`;
  const { rows } = await app.pool.query<{ blob_key: string }>(key);
  const { blob_key: lost = '' } = rows[0] ?? {};
  await rm(path.join(app.filesDirectory, lost.slice(0, 2), lost));
  const reply = await get(url);
  expect(reply).toMatchObject({ status: 500, message: 'Something went wrong', body: null });
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('content-disposition')).toBeNull();
});
