import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentUrl, fileRoutes } from '@matterdesk/contract/files.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import {
  change,
  draftOf,
  fileOf,
  remove,
  runOf,
  rowOf,
  importRows,
  valuesOf,
} from '../../testing/imports.ts';
import { filesBelow } from '../../testing/uploads.ts';
import { documentKind, mailKind } from './service.documents.ts';
import type { Run } from './service.kinds.ts';

const { app, admin, jane } = suite({ admin: registerAdmin, jane: registerUser });
let caseId: string;
let run: Run;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
  run = await runOf(app, admin, { matters: { '12': caseId }, people: { Jane: jane.id } });
});

async function library(of = caseId) {
  const asked = { token: admin.token, params: { caseId: of } };
  return (await app.call(fileRoutes.listFiles, asked)).body;
}
const textOf = async (folder: string, name: string) => {
  const url = contentUrl(caseId, folder, name);
  return (await app.request(url, { headers: { 'x-auth-token': admin.token } })).text;
};
const pending = async () => (await app.pool.query('select from pending_blobs')).rowCount;

describe('a document of an import', () => {
  test('is a file of its matter in a flat folder, as old as it says', async () => {
    const row = fileOf(
      {
        matter: '12',
        folder: 'Medical/Mercy',
        path: 'a/chart.txt',
        at: '02/03/2024',
        author: 'Jane',
      },
      'the chart',
    );
    const { ids, drafts } = await importRows(documentKind, run, [row]);
    const url = contentUrl(caseId, 'Medical – Mercy', 'chart.txt');
    expect((await library()).details[url]).toMatchObject({
      name: 'chart.txt',
      size: 9,
      mimeType: 'text/plain',
      uploadedAt: '2024-02-03T05:00:00.000Z',
      uploadedBy: { id: jane.id },
    });
    expect(await textOf('Medical – Mercy', 'chart.txt')).toBe('the chart');
    expect(await valuesOf(documentKind, run, ids)).toEqual([drafts[0]?.values]);
    expect(await pending()).toBe(0);
  });

  test('is in the stream of its matter, added by whom imported it', async () => {
    const { id } = await openCase(app, admin.token);
    const own = await runOf(app, admin, { matters: { '13': id } });
    await importRows(documentKind, own, [fileOf({ matter: '13', path: 'chart.txt' }, 'the chart')]);
    const asked = { token: admin.token, params: { id }, query: { kinds: 'file' } };
    const { items, counts } = (await app.call(streamRoutes.readStream, asked)).body;
    expect(items).toMatchObject([
      { source: 'file', kind: 'created', title: 'chart.txt', actor: { id: admin.id } },
    ]);
    expect(counts['file']).toBe(1);
  });

  test('with the bytes that are here under its name is that file, and with others gets a number', async () => {
    const cells = { matter: '12', folder: `Folder ${unique()}`, path: 'letter.txt' };
    const first = await importRows(documentKind, run, [fileOf(cells, 'one')]);
    const again = await importRows(documentKind, run, [fileOf(cells, 'one')]);
    expect([again.ids, again.matched]).toEqual([[], new Map([[0, first.ids[0]]])]);
    await importRows(documentKind, run, [fileOf(cells, 'two'), fileOf(cells, 'three')]);
    expect(
      (await library()).files[cells.folder]?.map((url) => decodeURI(url.split('/').at(-1) ?? '')),
    ).toEqual(['letter (2).txt', 'letter (3).txt', 'letter.txt']);
    const dry = await documentKind.draft({ ...run, isDry: true }, [fileOf(cells, 'one')]);
    expect(dry).toMatchObject([{ key: 'letter.txt', values: {} }]);
  });

  test('that is not in the export, or cannot be read, is refused, and leaves nothing', async () => {
    const before = await filesBelow(app.filesDirectory);
    const broken = fileOf({ matter: '12', path: 'broken.txt' }, 'x');
    const open = () =>
      Promise.resolve(
        new Readable({
          read() {
            this.destroy(new Error('the disk is broken'));
          },
        }),
      );
    const { refused, ids } = await importRows(documentKind, run, [
      rowOf({ matter: '12', path: 'missing.txt' }),
      { ...broken, bytes: { size: 1, open } },
      { ...broken, bytes: { size: 1, open: () => Promise.reject(new Error('no such file')) } },
    ]);
    expect(ids).toEqual([]);
    expect(refused.map(({ message }) => message)).toEqual([
      'The file is not in the export',
      'The file could not be read',
      'The file could not be read',
    ]);
    expect(await filesBelow(app.filesDirectory)).toEqual(before);
    expect(await pending()).toBe(0);
  });

  test('in a dry run is only read, and refused where it cannot be', async () => {
    const before = await filesBelow(app.filesDirectory);
    const dry = { ...run, isDry: true };
    const one = await draftOf(documentKind, dry, fileOf({ matter: '12', path: 'x.txt' }, 'x'));
    const lost = fileOf({ matter: '12', path: 'lost.txt' }, 'x');
    const open = () => Promise.reject(new Error('no such file'));
    const other = await draftOf(documentKind, dry, { ...lost, bytes: { size: 1, open } });
    expect(await documentKind.prepare?.(dry, [one, other])).toMatchObject({
      refused: [{ field: 'path', message: 'The file could not be read' }],
    });
    expect(one.values).toEqual({
      path: '1 bytes, SHA-256 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    });
    expect(await filesBelow(app.filesDirectory)).toEqual(before);
  });

  test('whose transaction fails leaves no bytes', async () => {
    const before = await filesBelow(app.filesDirectory);
    const draft = await draftOf(documentKind, run, fileOf({ matter: '12', path: 'x.txt' }, 'x'));
    const prepared = await documentKind.prepare?.(run, [draft]);
    expect(await pending()).toBe(1);
    await prepared?.release();
    expect(await pending()).toBe(0);
    expect(await filesBelow(app.filesDirectory)).toEqual(before);
  });

  test('that changed there is a new version, and goes with its bytes and its folder', async () => {
    const own = (await openCase(app, admin.token)).id;
    const alone = await runOf(app, admin, { matters: { own } });
    const before = await filesBelow(app.filesDirectory);
    const cells = { matter: 'own', folder: 'Alone', path: 'notes.txt' };
    const { ids } = await importRows(documentKind, alone, [fileOf(cells, 'first')]);
    const draft = await draftOf(documentKind, alone, fileOf(cells, 'the second'));
    await change(documentKind, alone, [{ id: ids[0] ?? '', values: draft.values, draft }]);
    const { details } = await library(own);
    expect(Object.values(details)).toMatchObject([{ version: 2, size: 10 }]);
    expect(await remove(documentKind, alone, ids)).toEqual(new Map());
    expect(await library(own)).toMatchObject({ files: {} });
    await eventually(async () => {
      expect(await filesBelow(app.filesDirectory)).toEqual(before);
    });
  });
});

describe('a mail of an import', () => {
  const mail = (subject: string) =>
    `Subject: ${subject}\r\nMessage-ID: <${subject}@x>\r\n\r\nHello`;

  test('is filed verbatim in the folder for emails, and known by its id in each matter', async () => {
    const subject = `Offer ${unique()}`;
    const cells = { matter: '12', id: `<${subject}@x>`, subject, at: '2024-03-04 10:00' };
    const { drafts } = await importRows(mailKind, run, [fileOf(cells, mail(subject))]);
    expect(drafts[0]).toMatchObject({ key: `${subject}@x in 12`, values: {} });
    expect(await textOf('E-mail', `2024-03-04 ${subject}.eml`)).toBe(mail(subject));
    const again = await importRows(mailKind, run, [fileOf(cells, mail(subject))]);
    expect(again.ids).toEqual([]);
  });
});
