import { appendFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, registerUser, registerWith } from '../../testing/factories.ts';
import { textPdf } from '../../testing/papers.ts';
import { purgeTaken, takeScans, warnOfInbox } from './service.inbox.ts';

const { app, admin, sorter, ama } = suite(
  {
    admin: registerAdmin,
    sorter: (to) => registerWith(to, { sortPapers: true }),
    ama: registerUser,
  },
  { env: { MAX_UPLOAD_MB: '1' } },
);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-inbox-'));
  await app.pool.query(`delete from tray_items`);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const { signal } = new AbortController();
/** @param rest what happens while the files are watched */
const take = (rest = () => Promise.resolve()) =>
  takeScans(app.context, { directory, rest }, signal);
const scan = (name: string, bytes: string | Buffer = `Scan ${name}`) =>
  writeFile(path.join(directory, name), bytes);

async function list({ token } = sorter) {
  return (await app.call(trayRoutes.listTray, { token })).body;
}
const titles = async () => (await list()).items.map(({ title }) => title);
const problems = async () => (await list()).problems.map(({ name, reason }) => [name, reason]);
/** Names in the folder, and of those put aside. */
const left = async () => (await readdir(directory)).toSorted();
const aside = async () => (await readdir(path.join(directory, '.taken'))).toSorted();

describe('the scanner’s folder', () => {
  test('gives its papers to those who sort them, and to no one else', async () => {
    const socket = await app.socket(sorter.token);
    const received = nextEvent(socket, 'tray.changed');
    await scan('Scan 1.pdf', textPdf([['MERIDIAN MUTUAL'], ['Page 2']]));
    await take();
    expect(await received).toMatchObject({ counts: { scan: 1, upload: 0 } });
    await eventually(async () =>
      expect((await list()).items).toEqual([
        expect.objectContaining({
          source: 'scan',
          title: 'Scan 1.pdf',
          excerpt: 'MERIDIAN MUTUAL',
          pages: 2,
          from: null,
          owner: null,
        }),
      ]),
    );
    expect((await list(admin)).items).toHaveLength(1);
    expect(await list(ama)).toMatchObject({ items: [], counts: { scan: 0 }, problems: [] });
    const { id = '' } = (await list()).items[0] ?? {};
    const { id: caseId } = await openCase(app, admin.token);
    const filing = { params: { id }, body: { case: caseId } };
    expect(await app.call(trayRoutes.fileItem, { token: ama.token, ...filing })).toMatchObject({
      status: 404,
    });
    const filed = await app.call(trayRoutes.fileItem, { token: sorter.token, ...filing });
    expect(filed.body.url).toMatch(/\/Scans\/Scan%201\.pdf$/);
  });

  test('keeps a file that grows until it rests', async () => {
    await scan('growing.pdf', 'first');
    await scan('whole.pdf');
    await take(() => appendFile(path.join(directory, 'growing.pdf'), ' second'));
    expect([await titles(), await left()]).toEqual([['whole.pdf'], ['.taken', 'growing.pdf']]);
    await take();
    expect(await titles()).toEqual(['whole.pdf', 'growing.pdf']);
    expect(await left()).toEqual(['.taken']);
  });

  test('takes two at once, and a name again, each as a paper of its own', async () => {
    await Promise.all([scan('Scan.pdf', 'one'), scan('SCAN0002.PDF', 'two')]);
    await Promise.all([take(), take()]);
    await scan('Scan.pdf', 'three');
    await take();
    expect((await titles()).toSorted()).toEqual(['SCAN0002.PDF', 'Scan.pdf', 'Scan.pdf']);
    expect(await aside()).toEqual(['SCAN0002.PDF', 'Scan (2).pdf', 'Scan.pdf']);
  });

  test('keeps folders, links and names with a leading dot', async () => {
    await mkdir(path.join(directory, 'Old'));
    await scan('.tmp-scan');
    await symlink('/etc/hostname', path.join(directory, 'link.pdf'));
    await take();
    expect([await titles(), await problems()]).toEqual([[], []]);
    expect(await left()).toEqual(['.tmp-scan', 'Old', 'link.pdf']);
  });

  test('says what cannot be taken, since when, and only while that is so', async () => {
    await scan('empty.pdf', '');
    await scan('large.pdf', Buffer.alloc(1_048_577));
    await scan('odd\u0007.pdf');
    await take();
    expect(await problems()).toEqual([
      ['empty.pdf', 'The file is empty. Scan it again.'],
      ['large.pdf', 'It is larger than 1 MB.'],
      ['odd\u0007.pdf', 'A file name must not hold control characters.'],
    ]);
    expect((await list(ama)).problems).toEqual([]);
    const [since] = (await list()).problems;
    const said = () =>
      app.logLines().filter(({ msg }) => msg === 'scans that were not taken').length;
    const before = said();
    await take();
    expect([(await list()).problems[0], said()]).toEqual([since, before]);
    await scan('empty.pdf', 'full');
    await rm(path.join(directory, 'large.pdf'));
    await rm(path.join(directory, 'odd\u0007.pdf'));
    await take();
    expect([await problems(), await titles()]).toEqual([[], ['empty.pdf']]);
  });

  test('takes a paper once that cannot be moved aside, and moves it later', async () => {
    // A file in the way, since no right stops the user who runs the tests.
    await scan('Scan.pdf');
    await scan('.taken', 'a file in the way');
    await take();
    await take();
    expect(await titles()).toEqual(['Scan.pdf']);
    expect(await problems()).toMatchObject([['Scan.pdf', /could not be moved to .taken/]]);
    await rm(path.join(directory, '.taken'));
    await take();
    expect([await titles(), await problems(), await aside()]).toEqual([
      ['Scan.pdf'],
      [],
      ['Scan.pdf'],
    ]);
  });

  test('is said to be away while it is, and in one line at the start', async () => {
    await scan('Scan.pdf');
    await rm(directory, { recursive: true });
    const warned = () =>
      app.logLines().filter(({ msg }) => msg === 'INBOX_DIR cannot be read').length;
    const before = warned();
    await warnOfInbox(app.context, { directory });
    expect(warned()).toBe(before + 1);
    await take();
    expect(await problems()).toMatchObject([[path.basename(directory), /can’t be read/]]);
    await mkdir(directory);
    await take();
    expect(await problems()).toEqual([]);
  });

  test('keeps what was taken for 30 days', async () => {
    await scan('Scan.pdf');
    await take();
    const day = 86_400_000;
    await purgeTaken({ directory }, Date.now() + 29 * day);
    expect(await aside()).toEqual(['Scan.pdf']);
    await purgeTaken({ directory }, Date.now() + 31 * day);
    expect(await aside()).toEqual([]);
  });

  test('neither moves nor removes files where a link leads', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'matterdesk-elsewhere-'));
    await writeFile(path.join(elsewhere, 'theirs.pdf'), 'theirs');
    await symlink(elsewhere, path.join(directory, '.taken'));
    await scan('Scan.pdf');
    await take();
    expect(await titles()).toEqual(['Scan.pdf']);
    expect(await problems()).toMatchObject([['Scan.pdf', /could not be moved to .taken/]]);
    await purgeTaken({ directory }, Date.now() + 365 * 86_400_000);
    expect(await readdir(elsewhere)).toEqual(['theirs.pdf']);
    await rm(elsewhere, { recursive: true });
  });
});
