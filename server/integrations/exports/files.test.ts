import { link, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { filesOf } from '../../testing/exports.ts';
import { openFolder, expandArchives } from './files.ts';
import type { SourceFile } from './source.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'exports-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function contentOf(file: SourceFile | undefined, range?: [number, number]): Promise<string> {
  const stream = await (range ? file?.openAt?.(...range) : file?.open());
  return stream ? text(stream) : 'no file';
}

async function zipOf(contents: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents))
    zip.addBuffer(Buffer.from(content as Buffer), name, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** A zip whose directory says what it is asked to. */
async function forged(change: (zip: Buffer, directory: number) => void): Promise<Buffer> {
  const zip = await zipOf({ 'aaaaaaaaaa.csv': 'x'.repeat(50) });
  change(zip, zip.indexOf(Buffer.from('PK\u0001\u0002')));
  return zip;
}

test('files of a folder come in order, without links, devices and leftovers', async () => {
  const root = path.join(dir, 'export');
  await mkdir(path.join(root, 'b/__MACOSX'), { recursive: true });
  await writeFile(path.join(root, 'b/x.csv'), 'x');
  await writeFile(path.join(root, 'a.csv'), 'abc');
  for (const name of ['.DS_Store', 'Thumbs.db', '~$a.docx', '._a.csv', 'b/__MACOSX/a.csv'])
    await writeFile(path.join(root, name), 'x');
  await writeFile(path.join(dir, 'secret'), 'secret');
  await symlink(path.join(dir, 'secret'), path.join(root, 'link.csv'));
  await symlink(dir, path.join(root, 'linked'));
  await link(path.join(root, 'a.csv'), path.join(root, 'hard.csv'));
  const files = await openFolder(root);
  expect(files.map((file) => [file.path, file.size])).toEqual([
    ['a.csv', 3],
    ['b/x.csv', 1],
    ['hard.csv', 3],
  ]);
  expect(await contentOf(files[0])).toBe('abc');
  expect(await contentOf(files[0], [1, 2])).toBe('b');
});

test('a file has another mark once its bytes are others, be they as many', async () => {
  const root = path.join(dir, 'marked');
  await mkdir(root);
  await writeFile(path.join(root, 'a.txt'), 'one');
  const [first] = await openFolder(root);
  const [untouched] = await openFolder(root);
  expect(untouched?.mark).toBe(first?.mark);
  await writeFile(path.join(root, 'a.txt'), 'two');
  const later = new Date(Date.now() + 1000);
  await utimes(path.join(root, 'a.txt'), later, later);
  const [changed] = await openFolder(root);
  expect(changed?.mark).not.toBe(first?.mark);
  const marks = await Promise.all(
    ['one', 'two', 'one'].map(async (content) => {
      const zip = await zipOf({ 'a.txt': content });
      return (await expandArchives(filesOf({ 'a.zip': zip }))).map(({ mark }) => mark);
    }),
  );
  expect(marks[1]).not.toEqual(marks[0]);
  expect(marks[2]).toEqual(marks[0]);
});

test('a file that becomes a link is not opened', async () => {
  const root = path.join(dir, 'swapped');
  await mkdir(root);
  await writeFile(path.join(root, 'a.csv'), 'x');
  const [file] = await openFolder(root);
  await rm(path.join(root, 'a.csv'));
  await symlink(path.join(dir, 'secret'), path.join(root, 'a.csv'));
  await expect(file?.open()).rejects.toMatchObject({ code: 'ELOOP' });
});

test('files of a zip take its place, and those in folders stay zips', async () => {
  const inner = await zipOf({ 'inner.txt': 'x' });
  const outer = await zipOf({ 'b.csv': 'bb', 'Doe/inner.zip': inner, '__MACOSX/b.csv': 'x' });
  const stored = await zipOf({ 'b.csv': 'stored', 'c.csv': 'cc' }, false);
  const files = await expandArchives(filesOf({ 'x.zip': outer, 'y.zip': stored, 'a.csv': 'a' }));
  expect(files.map((file) => file.path)).toEqual([
    'Doe/inner.zip',
    'a.csv',
    'b.csv',
    'c.csv',
    'y/b.csv',
  ]);
  expect(await contentOf(files[2])).toBe('bb');
  expect(await contentOf(files[4])).toBe('stored');
  expect(await contentOf(files[4], [2, 4])).toBe('or');
  expect(files[2]?.openAt).toBeUndefined();
});

test('a zip in a folder is opened, too', async () => {
  const root = path.join(dir, 'zipped');
  await mkdir(root);
  await writeFile(path.join(root, 'x.zip'), await zipOf({ 'a.csv': 'abc' }));
  const [file] = await openFolder(root);
  expect(await contentOf(file)).toBe('abc');
});

test('links in a zip are left out', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('/etc/passwd'), 'link.csv', { mode: 0o120_777 });
  zip.addBuffer(Buffer.from('x'), 'a.csv');
  zip.end();
  const files = await expandArchives(filesOf({ 'x.zip': await buffer(zip.outputStream) }));
  expect(files.map((file) => file.path)).toEqual(['a.csv']);
});

const HARMFUL = 'x.zip expands to far more than its size, so it may be damaged or harmful';
const BROKEN = 'x.zip is damaged or isn’t a zip file';

test.each<[string, string, () => Promise<Buffer>]>([
  ['no zip', BROKEN, () => Promise.resolve(Buffer.from('no zip at all, but long enough for one'))],
  [
    'a path that leads out of it',
    BROKEN,
    () =>
      forged((zip) => {
        for (let at; (at = zip.indexOf('aaaaaaaaaa.csv')) !== -1;) zip.write('../../../a.csv', at);
      }),
  ],
  [
    'a path from the root',
    BROKEN,
    () =>
      forged((zip) => {
        for (let at; (at = zip.indexOf('aaaaaaaaaa.csv')) !== -1;) zip.write('/etc/passwd.cs', at);
      }),
  ],
  [
    'a bomb that says its size',
    HARMFUL,
    () => forged((zip, directory) => zip.writeUInt32LE(2_000_000_000, directory + 24)),
  ],
  [
    'more packed bytes than it has',
    HARMFUL,
    () => forged((zip, directory) => zip.writeUInt32LE(1_000_000, directory + 20)),
  ],
  [
    'a password',
    'x.zip is password-protected. Unpack it first.',
    () =>
      forged((zip, directory) =>
        zip.writeUInt16LE(zip.readUInt16LE(directory + 8) | 1, directory + 8),
      ),
  ],
])('a zip with %s is refused', async (_, message, make) => {
  await expect(expandArchives(filesOf({ 'x.zip': await make() }))).rejects.toThrow(message);
});

test('a file that unpacks to more than its zip says is damaged', async () => {
  const packed = deflateRawSync(Buffer.alloc(100_000_000));
  const zip = await zipOf({ 'a.csv': 'x'.repeat(packed.length) }, false);
  const data = zip.indexOf('xxxx');
  packed.copy(zip, data);
  const directory = zip.indexOf(Buffer.from('PK\u0001\u0002'));
  zip.writeUInt16LE(8, directory + 10);
  zip.writeUInt32LE(50, directory + 24);
  const [file] = await expandArchives(filesOf({ 'x.zip': zip }));
  await expect(contentOf(file)).rejects.toThrow('too many bytes in the stream');
});
