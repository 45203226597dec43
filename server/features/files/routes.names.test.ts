import { beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes, type Library } from '@matterdesk/contract/files.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, unique } from '../../testing/factories.ts';
import { filesBelow, filesIn, sendFile, sendParts } from '../../testing/uploads.ts';

const { app } = suite({});
let token: string;
let caseId: string;

beforeAll(async () => {
  ({ token } = await registerAdmin(app));
  caseId = (await openCase(app, token)).id;
});

const newFolder = () => `Folder ${unique()}`;

async function library(): Promise<Library> {
  return (await app.call(fileRoutes.listFiles, { token, params: { caseId } })).body;
}

function get(url: string) {
  return app.request(url, { headers: { 'x-auth-token': token } });
}

/** @returns the stored name, after reading the file back by its URL */
async function keptAs(name: string): Promise<string | undefined> {
  const words = `the words of ${unique()}`;
  const reply = await sendFile(
    app,
    { token, caseId, folder: newFolder() },
    { name, bytes: Buffer.from(words) },
  );
  expect(reply).toMatchObject({ status: 201 });
  const url = reply.body?.urls[0] ?? '';
  expect(await get(url)).toMatchObject({ status: 200, text: words });
  return (await library()).details[url]?.name;
}

describe('a file name that looks like a path', () => {
  test.each([
    ['../../../etc/passwd.txt', 'passwd.txt'],
    ['/etc/shadow', 'shadow'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['\\\\host\\share\\deed.pdf', 'deed.pdf'],
    ['a/b\\c/deed.pdf', 'deed.pdf'],
    ['..%2f..%2fdeed.pdf', '..%2f..%2fdeed.pdf'],
    ['%2e%2e', '%2e%2e'],
    ['....', '....'],
    ['file:deed.pdf', 'file:deed.pdf'],
    ['deed.pdf?download=1#x', 'deed.pdf?download=1#x'],
  ])('is cut to its last segment: %j', async (sent, kept) => {
    expect(await keptAs(sent)).toBe(kept);
  });

  test.each(['..', '.', '', '   ', 'a/..', 'deed/', '../'])(
    'is refused without a name: %j',
    async (name) => {
      const reply = await sendFile(app, { token, caseId, folder: newFolder() }, name);
      expect(reply).toMatchObject({ status: 400, message: 'A file needs a name', body: null });
    },
  );
});

describe('file names in any alphabet', () => {
  test.each([
    'حكم المحكمة.pdf',
    'צו בית משפט (סופי).pdf',
    '賃貸借契約書.pdf',
    '⚖️ order 👩🏽‍⚖️.pdf',
    'CON',
    'nul.txt',
    'deed.pdf.',
    '.hidden',
    '-rf',
    '%',
    "it's; drop table files; --.pdf",
    '__proto__',
    'constructor',
    'toString',
  ])('keep %j as typed', async (name) => {
    expect(await keptAs(name)).toBe(name);
  });

  test('compare combining marks with composed letters, and number the second', async () => {
    const place = { token, caseId, folder: newFolder() };
    const letters = await sendFile(app, place, 'Café.pdf'.normalize('NFC'));
    const marks = await sendFile(app, place, 'CAFÉ.pdf'.normalize('NFD'));
    const names = [letters, marks].map((reply) => decodeURIComponent(reply.body?.urls[0] ?? ''));
    expect(names[0]).toMatch(/\/Café\.pdf$/u);
    expect(names[1]).toMatch(/\/CAFÉ \(2\)\.pdf$/u);
  });

  test('are trimmed', async () => {
    expect(await keptAs('  deed .pdf  ')).toBe('deed .pdf');
  });

  test('have up to 255 bytes, so 300 letters are refused', async () => {
    expect(await keptAs(`${'ü'.repeat(125)}a.pdf`)).toBe(`${'ü'.repeat(125)}a.pdf`);
    for (const name of [`${'ü'.repeat(126)}.pdf`, `${'a'.repeat(296)}.pdf`]) {
      const reply = await sendFile(app, { token, caseId, folder: newFolder() }, name);
      expect(reply).toMatchObject({
        status: 400,
        message: 'A file name must have at most 255 bytes',
        errors: [{ path: 'attachments' }],
      });
    }
  });

  test('have up to 255 bytes, also those with a number', async () => {
    const place = { token, caseId, folder: newFolder() };
    const long = `${'ü'.repeat(125)}a.pdf`;
    await sendFile(app, place, long);
    const second = await sendFile(app, place, long);
    const name = decodeURIComponent(second.body?.urls[0]?.split('/').at(-1) ?? '');
    expect(name).toMatch(/^ü+… \(2\)\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });

  test('show invalid UTF-8 as replacement characters', async () => {
    const name = Buffer.from('de\xff\xfeed.pdf', 'latin1');
    const reply = await sendFile(app, { token, caseId, folder: newFolder() }, name);
    expect(decodeURIComponent(reply.body?.urls[0] ?? '')).toMatch(/\/de\ufffd\ufffded\.pdf$/);
  });

  test.each([
    'de\0ed.pdf',
    'deed\u202Efdp.exe',
    'deed\u2066.pdf',
    'deed\u0007.pdf',
    'deed\u0085.pdf',
    'deed\tof.pdf',
  ])('refuse %j', async (name) => {
    const reply = await sendFile(app, { token, caseId, folder: newFolder() }, name);
    expect(reply.status).toBe(400);
    expect(reply.body).toBeNull();
  });

  test.each(['\u200B', '\u200B\u2060', '\uFEFF', '\u00AD', '\u3164'])(
    'refuse the invisible %j',
    async (name) => {
      const reply = await sendFile(app, { token, caseId, folder: newFolder() }, name);
      expect(reply).toMatchObject({ status: 400, message: 'A file needs a name' });
    },
  );
});

describe('folder names', () => {
  test.each(['..', '.', 'a/b', 'a\\b', '/', '../x'])('refuse the path %j', async (folder) => {
    const asked = await app.call(fileRoutes.createFolder, { token, body: { caseId, folder } });
    const reply = await sendFile(app, { token, caseId, folder }, 'deed.pdf');
    for (const { status, message } of [asked, reply])
      expect({ status, message }).toEqual({
        status: 400,
        message: 'Folder name can’t be a path',
      });
  });

  test.each(['', '   ', '\u200B', 'a\0b', 'a\u202Eb', 'x'.repeat(201)])(
    'refuse %j',
    async (folder) => {
      expect((await sendFile(app, { token, caseId, folder }, 'deed.pdf')).status).toBe(400);
    },
  );

  test('keep the list of a case intact despite a name that JavaScript reserves', async () => {
    const reply = await sendFile(app, { token, caseId, folder: '__proto__' }, 'deed.pdf');
    expect(reply).toMatchObject({ status: 400, message: 'Folder name isn’t allowed' });
    expect(Object.keys((await library()).files)).not.toContain('__proto__');
  });

  test.each(['constructor', 'toString', '100% done?', 'حكم', '⚖️'])('accept %j', async (folder) => {
    const reply = await sendFile(app, { token, caseId, folder }, 'deed.pdf');
    const url = reply.body?.urls[0] ?? '';
    expect(url).toBe(`/api/v1/files/content/${caseId}/${encodeURIComponent(folder)}/deed.pdf`);
    expect((await get(url)).status).toBe(200);
    const { files } = await library();
    expect(Object.entries(files)).toContainEqual([folder, [url]]);
  });
});

describe('file URLs', () => {
  test.each([
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e%2fsecret.key',
    '..%5c..%5csecret.key',
    '%00',
    'deed.pdf%00.png',
    '%ff%fe',
    '%ed%a0%80',
    'a'.repeat(4000),
  ])('are not found: %.40s', async (name) => {
    const base = `/api/v1/files/content/${caseId}`;
    for (const path of [`${base}/Folder/${name}`, `${base}/${name}/deed.pdf`]) {
      const { status, text } = await get(path);
      expect({ path, status }).toEqual({ path, status: 404 });
      expect(text).not.toContain('root:');
    }
  });
});

describe('multipart uploads', () => {
  const file = { name: 'deed.pdf', bytes: Buffer.from('words') };

  test('accept text fields before the files only', async () => {
    const folder = newFolder();
    const [first, second] = filesIn({ caseId, folder });
    const trailing = { field: 'folder', value: 'Elsewhere' };
    for (const parts of [
      [file, first, second],
      [first, file, second],
      [first, second, file, trailing],
    ])
      expect(
        await sendParts(
          app,
          token,
          parts.flatMap((part) => part ?? []),
        ),
      ).toMatchObject({
        status: 400,
        body: null,
      });
    expect(Object.keys((await library()).files)).not.toContain('Elsewhere');
  });

  test('accept files in their own field only, and at least one', async () => {
    const place = { caseId, folder: newFolder() };
    const stray = await sendParts(app, token, filesIn(place, { ...file, field: 'caseId' }));
    expect(stray).toMatchObject({ status: 400, message: 'Files must be in the field attachments' });
    expect(await sendParts(app, token, filesIn(place))).toMatchObject({
      status: 400,
      message: 'Choose a file',
    });
  });

  test('accept known fields only, each once', async () => {
    const usual = filesIn({ caseId, folder: newFolder() }, file);
    const strange = await sendParts(app, token, [{ field: 'color', value: 'red' }, ...usual]);
    const unknown = { path: 'color', message: 'Unknown field: color' };
    expect(strange).toMatchObject({ status: 400, errors: [unknown] });
    const twice = await sendParts(app, token, [{ field: 'caseId', value: caseId }, ...usual]);
    expect(twice).toMatchObject({ status: 400, errors: [{ path: 'caseId' }] });
  });

  test('name the invalid fields', async () => {
    const reply = await sendParts(app, token, filesIn({ caseId: ' ', folder: ' ' }, file));
    expect(reply.errors).toEqual([
      { path: 'caseId', message: 'Please select any case' },
      { path: 'folder', message: 'Please add folder name.' },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('survive a field named %s', async (field) => {
    const parts = [{ field, value: '{}' }, ...filesIn({ caseId, folder: newFolder() }, file)];
    expect((await sendParts(app, token, parts)).status).toBe(400);
  });

  test('store a hundred files at once, but refuse a hundred and one', async () => {
    const many = (count: number, folder: string) =>
      filesIn(
        { caseId, folder },
        ...Array.from({ length: count }, (_, at) => ({ ...file, name: `${at}.txt` })),
      );
    const hundred = newFolder();
    const reply = await sendParts(app, token, many(100, hundred));
    expect(reply.status).toBe(201);
    expect(reply.body?.urls).toHaveLength(100);
    const before = await filesBelow(app.filesDirectory);
    const more = newFolder();
    expect((await sendParts(app, token, many(101, more))).status).toBe(400);
    expect(Object.keys((await library()).files)).not.toContain(more);
    expect((await filesBelow(app.filesDirectory)).toSorted()).toEqual(before.toSorted());
  });

  test.each([
    ['nothing', ''],
    ['no boundary', 'words'],
    ['an end that is missing', '--b\r\ncontent-disposition: form-data; name="caseId"\r\n\r\nx'],
    [
      'a file that breaks off',
      () =>
        `${fieldsOf(caseId)}--b\r\ncontent-disposition: form-data; name="attachments"; filename="a"\r\n\r\nx`,
    ],
    ['a head that never ends', `--b\r\n${'x: y\r\n'.repeat(50_000)}`],
  ])('refuse a body with %s', async (_what, made) => {
    const body = typeof made === 'string' ? made : made();
    const reply = await app.request(fileRoutes.uploadFiles.path, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'x-auth-token': token },
      body,
    });
    expect(reply).toMatchObject({ status: 400, body: null });
  });
});

/** The usual fields, with the boundary b. */
function fieldsOf(caseId: string) {
  return Object.entries({ caseId, folder: newFolder() })
    .map(
      ([name, value]) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('');
}

test('a file is stored under a random key that does not reveal its name', async () => {
  const before = new Set(await filesBelow(app.filesDirectory));
  const place = { token, caseId, folder: newFolder() };
  await sendFile(app, place, 'divorce.pdf');
  await sendFile(app, place, 'divorce.pdf');
  const added = (await filesBelow(app.filesDirectory)).filter((name) => !before.has(name));
  expect(added).toHaveLength(2);
  for (const name of added) expect(name).toMatch(/^[0-9a-f-]{32,}$/);
});
