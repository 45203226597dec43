import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { writeBag, type Bag, type PayloadFile, type WrittenBag } from './bag.ts';

const AT = new Date('2026-11-27T10:00:00Z');
/** The tool of the Library of Congress, which neither Debian nor npm has; the test with it is skipped without it. */
const BAGIT = spawnSync('which', ['bagit.py'], { encoding: 'utf8' }).stdout.trim();
const VERIFY = path.join(import.meta.dirname, 'verify.mjs');
const PROOF = 'Unchanged since it was packed. This does not prove that what was packed was true.';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-bags-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function file(name: string, bytes: Buffer | string): PayloadFile {
  const open = async () => Readable.from([Buffer.from(bytes)]);
  return { path: name, size: Buffer.byteLength(bytes), at: AT, open };
}

function bagOf(payload: PayloadFile[], rest: Partial<Bag> = {}): Bag {
  const { signal } = new AbortController();
  return { name: 'Abara v. Meridian', payload, info: () => ({}), at: AT, signal, ...rest };
}

/** Writes the zips, unpacks them, and returns their top folders. */
async function unpack(bag: Bag): Promise<{ folders: string[]; written: WrittenBag }> {
  const { volumes, written } = writeBag(bag);
  const folders: string[] = [];
  for await (const { name, bytes } of volumes) {
    const zip = path.join(directory, name);
    await pipeline(bytes, createWriteStream(zip));
    const { status, stderr } = spawnSync('unzip', ['-q', zip, '-d', directory], utf8);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    folders.push(path.join(directory, path.basename(name, '.zip')));
  }
  return { folders, written: await written };
}

async function unpackOne(bag: Bag): Promise<string> {
  const { folders } = await unpack(bag);
  return folders[0] ?? '';
}

const utf8 = {
  encoding: 'utf8',
  // Info-ZIP writes names in the character set of the locale.
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
} as const;

function verify(folder: string) {
  const { status, stdout } = spawnSync(process.execPath, ['verify.mjs'], { ...utf8, cwd: folder });
  return { status, lines: stdout.split('\n') };
}

/** Paths of all files below the folder. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
}

function checkSums(folder: string) {
  return ['manifest-sha256.txt', 'tagmanifest-sha256.txt'].map(
    (name) => spawnSync('sha256sum', ['-c', '--strict', name], { ...utf8, cwd: folder }).status,
  );
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

function recordOf(events: string[]): { text: string; head: string } {
  let head = '0'.repeat(64);
  const lines = events.map((event, index) => {
    const body = JSON.stringify({ seq: index + 1, event, prev: head });
    head = sha256(body);
    return `${body.slice(0, -1)},"hash":"${head}"}\n`;
  });
  return { text: lines.join(''), head };
}

const record = recordOf(['opened', 'a line\u2028separator', 'exported']);
const withRecord = (text: string) =>
  bagOf([file('record.jsonl', text)], { info: () => ({ 'Record-Head': record.head }) });

const sample = () => [
  file('index.html', '<!doctype html>'),
  file('documents/Café/Deed.pdf', randomBytes(300_000)),
  file('documents/empty.txt', ''),
];

describe('a bag', () => {
  test('is one folder that other programs and its own find complete', async () => {
    const payload = [...sample(), file('record.jsonl', record.text)];
    const info = () => ({ 'Record-Head': record.head });
    const { folders, written } = await unpack(bagOf(payload, { info }));
    expect(folders.map((folder) => path.basename(folder))).toEqual(['Abara v. Meridian']);
    const folder = folders[0] ?? '';
    expect(checkSums(folder)).toEqual([0, 0]);
    expect(verify(folder)).toMatchObject({
      status: 0,
      lines: expect.arrayContaining([PROOF, '9 files checked.']),
    });
    const manifest = await readFile(path.join(folder, 'manifest-sha256.txt'));
    const bytes = payload.reduce((sum, { size }) => sum + size, 0);
    const hash = sha256(manifest);
    const sizes = new Map(payload.map(({ path, size }) => [path, size]));
    expect(written).toEqual({ files: 4, bytes, sizes, manifests: [hash], manifestSha256: hash });
    expect(await readFile(path.join(folder, 'bagit.txt'), 'utf8')).toBe(
      'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    );
    expect((await readFile(path.join(folder, 'bag-info.txt'), 'utf8')).split('\n')).toEqual([
      'Bagging-Date: 2026-11-27',
      `Payload-Oxum: ${bytes}.4`,
      'Bag-Count: 1 of 1',
      `Record-Head: ${record.head}`,
      `Manifest-SHA256: ${hash}`,
      '',
    ]);
  });

  test.skipIf(BAGIT === '')('is valid to the tool of the Library of Congress', async () => {
    const folder = await unpackOne(bagOf(sample()));
    const validate = () => spawnSync(BAGIT, ['--validate', folder], utf8).status;
    expect(validate()).toBe(0);
    await writeFile(path.join(folder, 'data/documents/Café/Deed.pdf'), 'changed');
    expect(validate()).toBe(1);
  });

  test('without files has an empty data folder', async () => {
    const folder = await unpackOne(bagOf([]));
    expect(verify(folder).status).toBe(0);
    expect(spawnSync('ls', ['-A', path.join(folder, 'data')], utf8).stdout).toBe('');
  });

  test('stores its files without compression', async () => {
    await unpack(bagOf([file('a.txt', 'a'.repeat(10_000))]));
    const zip = path.join(directory, 'Abara v. Meridian.zip');
    const { stdout } = spawnSync('unzip', ['-v', zip], utf8);
    expect(stdout).toMatch(/10000 {2}Stored {4}10000 .*data\/a\.txt/);
    expect(stdout).not.toContain('Defl');
  });

  test('encodes percent signs and line breaks of names in its manifest', async () => {
    const folder = await unpackOne(bagOf([file('50% off.txt', 'x'), file('a\nb\r.txt', 'y')]));
    expect(await readFile(path.join(folder, 'manifest-sha256.txt'), 'utf8')).toBe(
      `${sha256('x')}  data/50%25 off.txt\n${sha256('y')}  data/a%0Ab%0D.txt\n`,
    );
  });

  test('folds long lines of its information, which stay one line each', async () => {
    const firm = `Ames,\nBell ${'& Partners '.repeat(20)}`;
    const folder = await unpackOne(bagOf([], { info: () => ({ 'Source-Organization': firm }) }));
    const text = await readFile(path.join(folder, 'bag-info.txt'), 'utf8');
    const long = text.split('\n').filter((line) => line.length > 79);
    expect(long.map((line) => line.slice(0, 16))).toEqual(['Manifest-SHA256:']);
    expect(text.replaceAll(/\n +/g, ' ')).toContain(
      `\nSource-Organization: ${firm.trim().replace('\n', ' ')}\n`,
    );
  });

  test('comes in volumes that are bags themselves', async () => {
    const payload = [
      file('a.bin', randomBytes(600)),
      file('b.bin', randomBytes(300)),
      file('big.bin', randomBytes(5000)),
      file('c.bin', randomBytes(400)),
      file('d.bin', randomBytes(600)),
    ];
    const { folders, written } = await unpack(bagOf(payload, { volumeBytes: 1000 }));
    expect(folders.map((folder) => path.basename(folder))).toEqual(
      [1, 2, 3].map((n) => `Abara v. Meridian ${n} of 3`),
    );
    const names = ['a.bin,b.bin', 'big.bin', 'c.bin,d.bin'];
    const manifests: Buffer[] = [];
    for (const [index, folder] of folders.entries()) {
      expect(checkSums(folder)).toEqual([0, 0]);
      const { status, lines } = verify(folder);
      expect(status).toBe(0);
      expect(lines).toContain(`Volume ${index + 1} of 3: check each of them.`);
      const { stdout } = spawnSync('ls', [path.join(folder, 'data')], utf8);
      expect(stdout.trim().split('\n').join()).toBe(names[index]);
      const info = await readFile(path.join(folder, 'bag-info.txt'), 'utf8');
      expect(info).toContain(`Bag-Count: ${index + 1} of 3\n`);
      expect(info).toContain('Bag-Group-Identifier: Abara v. Meridian\n');
      manifests.push(await readFile(path.join(folder, 'manifest-sha256.txt')));
    }
    expect(written).toEqual({
      files: 5,
      bytes: 6900,
      sizes: new Map(payload.map(({ path, size }) => [path, size])),
      manifests: manifests.map((manifest) => sha256(manifest)),
      manifestSha256: sha256(Buffer.concat(manifests)),
    });
  });
});

describe('verify.mjs', () => {
  test('names every file with a flipped bit, a missing file and an extra file', async () => {
    const folder = await unpackOne(bagOf(sample()));
    const names = await filesOf(folder);
    expect(names).toEqual(
      expect.arrayContaining(['data/documents/Café/Deed.pdf', 'verify.html', 'bag-info.txt']),
    );
    for (const name of names) {
      const place = path.join(folder, name);
      const bytes = await readFile(place);
      if (bytes.length === 0) continue;
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(place, bytes);
      // The script of the product, because that of the bag is changed as well.
      const { status, stdout } = spawnSync(process.execPath, [VERIFY, folder], utf8);
      expect([name, status]).toEqual([name, 1]);
      // No other file has the hash of the last manifest, which differs from what it lists.
      const isLast = name === 'tagmanifest-sha256.txt';
      expect(stdout).toMatch(isLast ? /^(?:Differs|Missing|Line)/m : `Differs: ${name}\n`);
      expect(stdout).not.toContain(PROOF);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(place, bytes);
    }
    expect(verify(folder).status).toBe(0);
    await rm(path.join(folder, 'data/documents/empty.txt'));
    await appendFile(path.join(folder, 'data/documents/planted.txt'), 'x');
    await appendFile(path.join(folder, 'planted.txt'), 'x');
    const { status, lines } = verify(folder);
    expect(status).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Missing: data/documents/empty.txt',
        'Extra: data/documents/planted.txt',
        'Extra: planted.txt',
        'Not as it was packed: 3 problems.',
      ]),
    );
  });

  test('checks a folder by its path, and finds no bag where there is none', async () => {
    const folder = await unpackOne(bagOf(sample()));
    const run = (asked: string) => spawnSync(process.execPath, [VERIFY, asked], utf8);
    expect(run(folder).status).toBe(0);
    await mkdir(path.join(directory, 'empty'));
    expect(run(path.join(directory, 'empty'))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Missing: manifest-sha256.txt'),
    });
  });

  test('reads nothing outside the folder, by a path or by a link', async () => {
    const folder = await unpackOne(bagOf(sample()));
    const outside = path.join(directory, 'outside.txt');
    await writeFile(outside, 'secret');
    await symlink(outside, path.join(folder, 'data/link.txt'));
    const lines = ['data/../../outside.txt', outside, 'data/link.txt'].map(
      (name) => `${sha256('secret')}  ${name}\n`,
    );
    await appendFile(path.join(folder, 'manifest-sha256.txt'), lines.join(''));
    const outcome = verify(folder);
    expect(outcome.status).toBe(1);
    expect(outcome.lines).toEqual(
      expect.arrayContaining([
        'manifest-sha256.txt names a path that it must not: data/../../outside.txt',
        `manifest-sha256.txt names a path that it must not: ${outside}`,
        'Not a file: data/link.txt',
        'Missing: data/link.txt',
      ]),
    );
  });

  test('follows the chain of the record to the head', async () => {
    expect(verify(await unpackOne(withRecord(record.text))).status).toBe(0);
  });

  test.each([
    ['a changed line', (text: string) => text.replace('opened', 'edited'), 'line 1: its hash'],
    [
      'a dropped line',
      (text: string) => text.replace(/\n[^\n]*\n/, '\n'),
      'line 2: it does not follow',
    ],
    ['a dropped end', (text: string) => text.replace(/[^\n]*\n$/, ''), 'Record-Head'],
    ['a line without hash', (text: string) => `${text}{}\n`, 'line 4: it does not end'],
  ])('refuses a record with %s', async (_what, change, words) => {
    const { status, lines } = verify(await unpackOne(withRecord(change(record.text))));
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith('data/record.jsonl'))).toEqual([
      expect.stringContaining(words),
    ]);
  });
});

describe('a bag that cannot be written', () => {
  /** A source without end that leaves others their turn, as a disk does. */
  function endless(): Readable {
    return new Readable({
      read() {
        setImmediate(() => this.push(Buffer.alloc(65_536)));
      },
    });
  }

  /** The message of the failed volume. */
  async function failureOf(bag: Bag): Promise<string> {
    const { volumes, written } = writeBag(bag);
    const message = await drain(volumes).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
    await expect(written).rejects.toThrow(message);
    return message;
  }

  async function drain(volumes: AsyncIterable<{ bytes: Readable }>) {
    for await (const { bytes } of volumes) await finished(bytes.resume());
  }

  test('fails with the error of a file that does not open, and opens no other', async () => {
    let opened = 0;
    const open = async (): Promise<Readable> => {
      opened += 1;
      throw new Error('no such blob');
    };
    const bad = { ...file('bad', 'x'), open };
    expect(await failureOf(bagOf([file('a', 'x'), bad, bad]))).toContain('no such blob');
    expect(opened).toBe(1);
  });

  test.each([
    ['that breaks', new Error('the disk broke'), 'the disk broke'],
    ['that ends too early', undefined, 'Premature close'],
  ])('fails with the error of a file %s', async (_what, error, message) => {
    const source = endless();
    const bad = { ...file('bad', 'x'), open: async () => source };
    source.once('resume', () => setImmediate(() => source.destroy(error)));
    expect(await failureOf(bagOf([bad]))).toContain(message);
  });

  test('closes its open file when it is aborted', async () => {
    const [source, stop] = [endless(), new AbortController()];
    const file1 = { ...file('a', 'x'), open: async () => source };
    source.once('resume', () => setImmediate(() => stop.abort(new Error('the job was stopped'))));
    expect(await failureOf(bagOf([file1], { signal: stop.signal }))).toContain(
      'the job was stopped',
    );
    await eventually(() => expect(source.destroyed).toBe(true));
  });

  test('does not wait for a file that never opens when it is aborted', async () => {
    const stop = new AbortController();
    const late = Promise.withResolvers<Readable>();
    const open = () => {
      setImmediate(() => stop.abort());
      return late.promise;
    };
    expect(
      await failureOf(bagOf([{ ...file('a', 'x'), open }], { signal: stop.signal })),
    ).toContain('aborted');
    const source = endless();
    late.resolve(source);
    await eventually(() => expect(source.destroyed).toBe(true));
  });

  test('is refused when it was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    expect(await failureOf(bagOf([file('a', 'x')], { signal }))).toContain('too late');
  });

  test('closes its open file when its reader leaves', async () => {
    const source = endless();
    const { volumes, written } = writeBag(bagOf([{ ...file('a', 'x'), open: async () => source }]));
    const isRead = once(source, 'resume');
    for await (const _ of volumes) {
      await isRead;
      break;
    }
    await expect(written).rejects.toThrow('the reading of volumes ended');
    await eventually(() => expect(source.destroyed).toBe(true));
  });

  test('does not go on to the next volume before the first was read', async () => {
    const { volumes, written } = writeBag(bagOf(sample(), { volumeBytes: 1 }));
    await volumes.next();
    await expect(volumes.next()).rejects.toThrow('was not read to its end');
    await expect(written).rejects.toThrow('was not read to its end');
  });
});
