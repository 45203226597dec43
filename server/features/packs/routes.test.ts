import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { type Pack, type PackPart, packRoutes } from '@matterdesk/contract/packs.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { fullName } from '../../core/actor.ts';
import { nowAt } from '../../core/dates.ts';
import { BlobMissing } from '../../integrations/blobs/blob-store.ts';
import { fileAt, openFolder, expandArchives } from '../../integrations/exports/files.ts';
import { suite } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { isRow, readExport } from '../../testing/exports.ts';
import {
  addEvent,
  addTask,
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  restrict,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { filesIn, sendParts } from '../../testing/uploads.ts';
import { erasePacks } from './service.ts';

const { app, admin, exporter, user } = suite({
  admin: registerAdmin,
  exporter: (to) => registerWith(to, { exportMatters: true }),
  user: registerUser,
});
const home = mkdtempSync(join(tmpdir(), 'matterdesk-packs-'));
afterAll(() => rmSync(home, { recursive: true }));

const NAME = 'Abara v. Meridian <b>&';
const MAIL = 'From: a@client.example\r\nSubject: Hello\r\n\r\nHello\r\n';
let caseId: string;

async function openMatter(by: SignedInPerson = exporter): Promise<string> {
  const { id } = await openCase(app, admin.token, { caseName: NAME, judge: '<script>alert(1)' });
  const files = filesIn(
    { caseId: id, folder: 'Medical' },
    { field: 'attachments', name: 'Récords.txt', bytes: Buffer.from('Whiplash') },
    { field: 'attachments', name: 'Hello.eml', bytes: Buffer.from(MAIL) },
  );
  const sent = await sendParts(app, by.token, files);
  expect(sent.status).toBe(201);
  return id;
}

beforeAll(async () => {
  caseId = await openMatter();
  await addTask(app, admin.token, { case: caseId, assignedTo: user.id, name: '=1+1 Task' });
  await addEvent(app, user.token, { case: caseId, title: 'Open hearing' });
  const note = { kind: 'note', text: 'Called <the> adjuster & "left" word' } as const;
  await app.call(streamRoutes.addEntry, { token: user.token, params: { id: caseId }, body: note });
});

type Asked = { parts?: PackPart[]; dryRun?: boolean };
const ask = (body: Asked = {}, { token }: Pick<SignedInPerson, 'token'> = exporter, id = caseId) =>
  app.call(packRoutes.makePack, { token, params: { id }, body });
const list = async (id = caseId): Promise<Pack[]> =>
  (await app.call(packRoutes.listPacks, { token: exporter.token, params: { id } })).body.packs;

async function settled(n: number, id = caseId): Promise<Pack> {
  return eventually(async () => {
    const pack = (await list(id)).find((one) => one.n === n);
    expect(pack?.state).toMatch(/ready|failed|erased/);
    return pack as Pack;
  });
}

function fetchVolume(
  n: number | string,
  { id = caseId, by = exporter, headers = {} }: Partial<Fetched> = {},
): Promise<Response> {
  const path = `/api/v1/cases/${id}/pack/${n}/1`;
  return fetch(app.url + path, { headers: { 'x-auth-token': by.token, ...headers } });
}
type Fetched = { id: string; by: SignedInPerson; headers: Record<string, string> };

/** The unpacked top folder of a pack’s only volume. */
async function unpack({ n, volumes }: Pack, id = caseId): Promise<string> {
  const reply = await fetchVolume(n, { id });
  expect(reply.status).toBe(200);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect([volumes[0]?.size, volumes[0]?.sha256]).toEqual([bytes.length, sha256]);
  const zip = join(home, `${id}-${n}.zip`);
  writeFileSync(zip, bytes);
  const place = join(home, `${id}-${n}`);
  execFileSync('unzip', ['-q', zip, '-d', place]);
  const [top = ''] = readdirSync(place);
  expect(volumes[0]?.name).toBe(`${top}.zip`);
  return join(place, top);
}

describe('a pack', () => {
  let asked: Awaited<ReturnType<typeof ask>>;
  let pack: Pack;
  let top: string;
  const read = (path: string) => readFileSync(join(top, path), 'utf8');

  beforeAll(async () => {
    asked = await ask();
    pack = await settled(asked.body.pack.n);
    top = await unpack(pack);
  });

  test('waits for its turn, and is ready when it is written', () => {
    expect([asked.status, asked.body.pack.state]).toEqual([202, 'waiting']);
    expect(pack).toMatchObject({ state: 'ready', error: null, n: 1 });
  });

  test('is a bag that coreutils and its own script verify', () => {
    for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
      const checked = spawnSync('sha256sum', ['--check', '--strict', name], { cwd: top });
      expect([name, checked.status, checked.stderr.toString()]).toEqual([name, 0, '']);
    }
    const own = spawnSync(process.execPath, ['verify.mjs'], { cwd: top });
    expect([own.status, own.stdout.toString()]).toEqual([0, expect.stringContaining('Unchanged')]);
    writeFileSync(join(top, 'data/documents/Medical/Récords.txt'), 'whiplash');
    const changed = spawnSync(process.execPath, ['verify.mjs'], { cwd: top });
    expect(changed.status).toBe(1);
    expect(changed.stdout.toString()).toContain('documents/Medical/Récords.txt');
    writeFileSync(join(top, 'data/documents/Medical/Récords.txt'), 'Whiplash');
  });

  test('holds the files, the emails, and a table of both', () => {
    expect(read('data/documents/Medical/Récords.txt')).toBe('Whiplash');
    expect(read('data/mail/Hello.eml')).toBe(MAIL);
    expect(read('data/documents.csv')).toContain('"data/mail/Hello.eml","Medical","Hello.eml"');
  });

  test('shows what was written as text, never as markup', () => {
    const name = 'Abara v. Meridian &lt;b&gt;&amp;';
    const index = read('data/index.html');
    expect(index).toContain(name);
    expect(index).not.toContain('<script');
    expect(index).toContain('href="documents/Medical/R%C3%A9cords.txt"');
    expect(read('data/stream.html')).toContain(`<strong>Exported: ${name}</strong>`);
    expect(read('data/stream.html')).toContain(
      'Called &lt;the&gt; adjuster &amp; &quot;left&quot;',
    );
  });

  test('holds tasks, deadlines, contacts and events for other programs', () => {
    expect(read('data/tasks.csv')).toContain(`"'=1+1 Task"`);
    expect(read('data/deadlines.csv')).toMatch(/"limitation".*"[0-9a-f]{64}","yes"/);
    expect(read('data/contacts.vcf')).toMatch(/BEGIN:VCARD\r\nVERSION:4\.0/);
    expect(read('data/calendar.ics')).toContain('SUMMARY:Open hearing');
  });

  test('says that nothing was left out', () => {
    expect(pack.leftOut).toEqual({ texts: 0, mails: 0, events: 0, answers: 0 });
  });

  test('has a record in which each line covers the one before', () => {
    const lines = read('data/record.jsonl').trimEnd().split('\n');
    let before = '0'.repeat(64);
    for (const [at, line] of lines.entries()) {
      const { seq, prev, hash } = JSON.parse(line) as { seq: number; prev: string; hash: string };
      expect([seq, prev]).toEqual([at + 1, before]);
      const covered = line.replace(`,"hash":"${hash}"`, '');
      before = createHash('sha256').update(covered).digest('hex');
      expect(before).toBe(hash);
    }
    expect(read('bag-info.txt')).toContain(before);
  });

  test('holds the matter as data', () => {
    const matter = JSON.parse(read('data/matter.json')) as Record<string, unknown[]>;
    expect(matter).toMatchObject({ format: 'matterdesk', case: { caseName: NAME } });
    expect(matter['tasks']).toMatchObject([{ name: '=1+1 Task' }]);
    expect(matter['entries']).toMatchObject([{ kind: 'note' }]);
    expect(matter['contacts']).not.toEqual([]);
  });

  test('is read back, as its zip and as its folder', async () => {
    const zip = join(home, `${caseId}-${pack.n}.zip`);
    const zipped = await expandArchives([await fileAt(zip, 'pack.zip')]);
    for (const files of [zipped, await openFolder(join(top, '..'))]) {
      const { rows } = await readExport('matterdesk', files);
      expect(rows.filter((row) => !isRow(row))).toEqual([]);
      const cells = rows.filter(isRow).map((row) => ({ ...row.cells, size: row.bytes?.size }));
      const of = { matter: caseId, matterName: NAME };
      for (const one of [
        { id: caseId, name: NAME, judge: '<script>alert(1)', type: 'PI' },
        { ...of, name: '=1+1 Task', assignedTo: fullName(user) },
        { ...of, title: 'Open hearing' },
        { ...of, text: 'Called <the> adjuster & "left" word', author: fullName(user) },
        { ...of, folder: 'Medical', name: 'Récords.txt', size: 8 },
        { ...of, subject: 'Hello', size: MAIL.length },
      ])
        expect(cells).toContainEqual(expect.objectContaining(one));
    }
  });

  test('counts its files and bytes, of each part and of all', () => {
    const [files, bytes] = (read('bag-info.txt').match(/Payload-Oxum: (\d+)\.(\d+)/) ?? [])
      .slice(1)
      .toReversed()
      .map(Number);
    expect([pack.files, pack.bytes]).toEqual([files, bytes]);
    const documents = pack.parts.find(({ part }) => part === 'documents');
    expect(documents).toEqual({ part: 'documents', files: 1, bytes: 8 });
    const manifest = createHash('sha256').update(read('manifest-sha256.txt')).digest('hex');
    expect(pack.manifestSha256).toBe(manifest);
  });

  test('is on the record, and everyone with access is notified', async () => {
    const record = await app.call(auditRoutes.listEntries, {
      token: admin.token,
      query: { case: caseId, action: 'exported' },
    });
    expect(record.body.entries).toMatchObject([{ action: 'exported', entityId: caseId }]);
    const notices = await noticesOf(app, user);
    expect(notices.find(({ type }) => type === 'exported')).toMatchObject({
      item: { type: 'case', id: caseId },
    });
  });

  test('is in the stream of its matter as something that was done', async () => {
    const asked = { token: user.token, params: { id: caseId }, query: { kinds: 'change' } };
    const { items } = (await app.call(streamRoutes.readStream, asked)).body;
    expect(items.map(({ kind }) => kind)).toEqual(['done', 'created']);
  });

  // It is always another day in one of them.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'is named for the day of a firm in %s',
    async (timeZone) => {
      const { token } = admin;
      const { id } = await openCase(app, token, { caseName: 'Day v. Night' });
      await app.call(firmRoutes.changeFirm, { token, body: { timeZone } });
      const { n } = (await ask({}, exporter, id)).body.pack;
      const named = await settled(n, id);
      await app.call(firmRoutes.changeFirm, { token, body: { timeZone: 'UTC' } });
      expect(named.volumes[0]?.name).toBe(`Day v. Night ${nowAt(new Date(), timeZone).day}.zip`);
    },
  );

  test('goes on where a download was interrupted', async () => {
    const whole = await fetchVolume(pack.n);
    const etag = whole.headers.get('etag') ?? '';
    expect(whole.headers.get('content-type')).toBe('application/zip');
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = { range: 'bytes=100-', 'if-range': etag };
    const rest = await fetchVolume(pack.n, { headers: part });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${bytes.length - 1}/${bytes.length}`,
    ]);
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(100));
    const stale = await fetchVolume(pack.n, { headers: { ...part, 'if-range': '"other"' } });
    expect([stale.status, (await stale.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  });

  test('opens for the user who asked for it alone', async () => {
    expect((await fetchVolume(pack.n, { by: admin })).status).toBe(404);
    expect((await fetchVolume(pack.n, { by: user })).status).toBe(403);
    for (const n of [0, 2, 'x', '1e0']) expect((await fetchVolume(n)).status).toBe(404);
  });
});

test('a dry run says what a pack would hold, and makes none', async () => {
  const before = await list();
  const reply = await ask({ dryRun: true, parts: ['documents', 'record'] });
  expect(reply.status).toBe(200);
  expect(reply.body.pack).toMatchObject({ n: 0, volumes: [], manifestSha256: null });
  expect(reply.body.pack.parts.map(({ part }) => part)).toEqual(['documents', 'record']);
  expect(await list()).toEqual(before);
});

test('a pack of some parts holds those, and what every pack has', async () => {
  const id = await openMatter();
  const { n } = (await ask({ parts: ['mail', 'tasks'] }, exporter, id)).body.pack;
  const top = await unpack(await settled(n, id), id);
  expect(readdirSync(join(top, 'data')).toSorted()).toEqual(
    ['documents.csv', 'index.html', 'mail', 'matter.json', 'tasks.csv'].toSorted(),
  );
});

test('the same request sent again makes one pack', async () => {
  const id = await openMatter();
  const again = { token: exporter.token, params: { id }, headers: { 'idempotency-key': `k${id}` } };
  const [first, second] = await Promise.all([
    app.call(packRoutes.makePack, { ...again, body: {} }),
    app.call(packRoutes.makePack, { ...again, body: {} }),
  ]);
  expect(second.body.pack.n).toBe(first.body.pack.n);
  expect(await list(id)).toHaveLength(1);
});

test('the same request sent again has its pack, although the storage is full by now', async () => {
  const id = await openMatter();
  const send = (key: string) =>
    app.call(packRoutes.makePack, {
      token: exporter.token,
      params: { id },
      body: {},
      headers: { 'idempotency-key': `${key}-${id}` },
    });
  const first = await send('one');
  await settled(first.body.pack.n, id);
  const { config } = app.context;
  const { maxStorageBytes } = config;
  Object.assign(config, { maxStorageBytes: 1 });
  try {
    expect((await send('two')).status).toBe(507);
    expect(await send('one')).toMatchObject({ status: first.status, body: first.body });
  } finally {
    Object.assign(config, { maxStorageBytes });
  }
  expect((await send('two')).status).toBe(first.status);
});

test('packs are over at their time, and erased with their bytes', async () => {
  const id = await openMatter();
  const { n } = await settled((await ask({}, exporter, id)).body.pack.n, id);
  await app.pool.query(`update base.packs set expires_at = now() - interval '1 minute'
    where case_id = '${id}'`);
  const erased = [{ n, state: 'erased', volumes: [] }];
  expect(await list(id)).toMatchObject(erased);
  expect((await fetchVolume(n, { id })).status).toBe(404);
  const { rows } = await app.pool.query<{ key: string }>(
    `select volumes->0->>'key' as key from base.packs where case_id = '${id}'`,
  );
  const key = rows[0]?.key ?? '';
  (await app.context.blobs.read(key)).destroy();
  await erasePacks(app.context);
  expect(await list(id)).toMatchObject(erased);
  await expect(app.context.blobs.read(key)).rejects.toThrow(BlobMissing);
});

test('a pack is refused without the permission, without access, and for unknown parts', async () => {
  expect((await ask({}, user)).status).toBe(403);
  expect((await ask({ parts: [] })).status).toBe(400);
  expect((await ask({ parts: ['everything'] as never })).status).toBe(400);
  const id = await openMatter();
  const { n } = await settled((await ask({}, exporter, id)).body.pack.n, id);
  await restrict(app, { token: admin.token, id, people: [admin.id] });
  expect((await ask({}, exporter, id)).status).toBe(404);
  expect((await fetchVolume(n, { id })).status).toBe(404);
});
