import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import { storageRoutes } from '@matterdesk/contract/storage.ts';
import { suite } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { registerAdmin, registerUser } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';
import { sendExport } from '../../testing/uploads.ts';
import { workOn } from './service.runs.ts';

const home = mkdtempSync(path.join(tmpdir(), 'matterdesk-imports-'));
afterAll(() => rmSync(home, { recursive: true }));
const below = path.join(home, 'exports');
mkdirSync(path.join(below, 'clio'), { recursive: true });
mkdirSync(path.join(home, 'elsewhere'));
symlinkSync(path.join(home, 'elsewhere'), path.join(below, 'link'));

const { app, admin, user } = suite(
  { admin: registerAdmin, user: registerUser },
  { env: { IMPORT_DIR: below } },
);
const api = () => importsOf(app, admin);

/** More than two transactions take. */
const MANY = 1100;

function contactsOf(count: number, mark: string): string {
  const rows = Array.from({ length: count }, (_, at) => `${mark}${at},${mark} ${at},Client ${at}`);
  return lines('Id,First name,Last name', ...rows);
}

const counted = async (mark: string) => {
  const { rows } = await app.pool.query<{ n: number }>(
    'select count(*)::int as n from contacts where name like $1',
    [`${mark} %`],
  );
  return rows[0]?.n;
};

/** Statements of this form that wait for a lock. */
async function waiting(form: string): Promise<number | undefined> {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [form],
  );
  return rows[0]?.n;
}

const never = new AbortController().signal;

/** Aborts after some transactions, as when the process ends. */
function cutAfter(transactions: number): AbortSignal {
  const cutting = new AbortController();
  const { signal } = cutting;
  let begun = 0;
  signal.throwIfAborted = () => {
    begun += 1;
    if (begun > transactions) cutting.abort();
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  return signal;
}

/** As a process leaves an import that is killed before its first transaction. */
async function begin(id: string, work: 'check' | 'import'): Promise<void> {
  await app.pool.query(
    `update imports set state = 'running', work = $2, run_id = gen_random_uuid(),
      run_at = now(), begun_at = case when $2 = 'import' then now() end where id = $1`,
    [id, work],
  );
}

describe('a run', () => {
  test('goes on from the last transaction after it was cut off', async () => {
    const added = await api().add({ 'contacts.csv': contactsOf(MANY, 'Cut') });
    await begin(added.id, 'import');
    const first = workOn(app.context, added.id, { signal: cutAfter(2), before: 0 });
    await expect(first).rejects.toThrow('aborted');
    const half = await api().read(added.id);
    expect(half).toMatchObject({ state: 'running', dryRun: false });
    expect(half.progress).toMatchObject({ kind: 'contacts', done: 1000 });
    expect(await counted('Cut')).toBe(1000);
    await workOn(app.context, added.id, { signal: never, before: 1 });
    const done = await api().read(added.id);
    expect(done).toMatchObject({
      state: 'done',
      counts: { contacts: { found: MANY, new: MANY, same: 0 } },
    });
    expect(await counted('Cut')).toBe(MANY);
  });

  test('that is a check starts over after it was cut off', async () => {
    const added = await api().add({ 'contacts.csv': contactsOf(MANY, 'Try') });
    await begin(added.id, 'check');
    const first = workOn(app.context, added.id, { signal: cutAfter(1), before: 0 });
    await expect(first).rejects.toThrow('aborted');
    expect((await api().read(added.id)).counts.contacts).toMatchObject({ found: 500 });
    await workOn(app.context, added.id, { signal: never, before: 1 });
    expect(await api().read(added.id)).toMatchObject({
      state: 'checked',
      counts: { contacts: { found: MANY, new: MANY } },
    });
    expect(await counted('Try')).toBe(0);
  });

  test('is stopped between transactions, alone, and goes on when it is run again', async () => {
    const added = await api().add({ 'contacts.csv': contactsOf(MANY, 'Stop') });
    const other = await api().add({ 'contacts.csv': contactsOf(1, 'Other') });
    const { token } = admin;
    const runOne = (id: string) =>
      app.call(importRoutes.runImport, { token, params: { id }, body: { dryRun: false } });
    // Holds the first transaction up.
    const client = await app.pool.connect();
    await client.query('begin');
    await client.query('lock table base.contacts in exclusive mode');
    await runOne(added.id);
    expect(await runOne(other.id)).toMatchObject({ status: 409 });
    await expect.poll(() => waiting('insert into "contacts"%')).toBe(1);
    const stopping = api().stop(added.id);
    await expect.poll(() => waiting('update "imports"%')).toBe(1);
    await client.query('rollback');
    client.release();
    expect(await stopping).toMatchObject({
      status: 200,
      body: { import: { state: 'mapped', progress: null } },
    });
    expect(await counted('Stop')).toBe(500);
    expect(await api().run(added.id)).toMatchObject({
      state: 'done',
      counts: { contacts: { found: MANY, new: MANY } },
    });
    expect(await counted('Stop')).toBe(MANY);
  });
});

test('a run takes the statistics of what has grown, such as by the run before', async () => {
  const known = async () => {
    const { rows } = await app.pool.query<{ rows: number; since: number }>(
      `select greatest(c.reltuples, 0)::int as rows, s.n_mod_since_analyze::int as since
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relid = 'base.contacts'::regclass`,
    );
    return rows[0];
  };
  await api().run((await api().add({ 'contacts.csv': contactsOf(MANY, 'Counted') })).id);
  // Changes of a connection are counted within a second, unless it rests for ten.
  await eventually(async () => {
    const { rows = 0, since = 0 } = (await known()) ?? {};
    expect(rows + since).toBeGreaterThanOrEqual(MANY);
  });
  await api().run((await api().add({ 'contacts.csv': contactsOf(1, 'Next') })).id);
  expect((await known())?.rows).toBeGreaterThanOrEqual(MANY);
});

describe('a folder of the server', () => {
  test('is imported from where it lies', async () => {
    writeFileSync(path.join(below, 'clio', 'contacts.csv'), contactsOf(2, 'Folder'));
    const reply = await sendExport(app, { token: admin.token, profile: 'clio', dir: 'clio' });
    expect(reply).toMatchObject({ status: 201, body: { import: { state: 'mapped' } } });
    expect(await api().run(reply.body.import.id)).toMatchObject({ state: 'done' });
    expect(await counted('Folder')).toBe(2);
  });

  test('is refused outside IMPORT_DIR, through a link, and beside files', async () => {
    const { token } = admin;
    for (const dir of ['..', '../elsewhere', '/etc', 'link', 'missing', path.join(home, 'x')])
      expect(await sendExport(app, { token, profile: 'clio', dir })).toMatchObject({
        status: 400,
        message: 'Please name a folder below IMPORT_DIR, without links',
      });
    const files = { 'contacts.csv': contactsOf(1, 'Both') };
    expect(await sendExport(app, { token, profile: 'clio', dir: 'clio' }, files)).toMatchObject({
      status: 400,
      message: 'Please choose files or a folder, not both',
    });
  });
});

test('uploads count as storage until they are erased', async () => {
  const used = async () =>
    (await app.call(storageRoutes.readStorage, { token: admin.token })).body.used;
  const before = await used();
  const csv = contactsOf(3, 'Room');
  const added = await api().add({ 'contacts.csv': csv });
  expect((await used()) - before).toBe(Buffer.byteLength(csv));
  await api().run(added.id);
  await api().undo(added.id);
  expect(await used()).toBe(before);
});

test('the report has every problem as CSV', async () => {
  const added = await api().add({
    'contacts.csv': lines('Id,Name', '801,N/A', '802,=1+1', '803,Unknown'),
  });
  const done = await api().run(added.id);
  expect(done).toMatchObject({ problemCount: 2, counts: { contacts: { new: 1, refused: 2 } } });
  const reply = await app.request(`/api/v1/imports/${added.id}/report.csv`, {
    headers: { 'x-auth-token': admin.token },
  });
  expect(reply).toMatchObject({ status: 200 });
  expect(reply.text.split('\r\n').slice(0, 2)).toEqual([
    '"File","Row","Column","Kind","Outcome","Message","Record"',
    '"contacts.csv","2","Name","contacts","refused","“N/A” names no one",""',
  ]);
  const { cases } = (await app.call(caseRoutes.listCases, { token: user.token, query: {} })).body;
  expect(cases.map(({ caseName }) => caseName)).not.toContain('N/A');
});

test('a contact whose name is too long comes with its beginning, and the whole name as a note', async () => {
  const name = `Abara ${'and Partners '.repeat(20)}`.trim();
  const done = await api().run(
    (await api().add({ 'contacts.csv': lines('Name,Email', `${name},`) }, 'spreadsheet')).id,
  );
  expect(done.problems).toEqual([]);
  const { rows } = await app.pool.query(
    `select name, notes from contacts where name like 'Abara and%'`,
  );
  expect(rows).toEqual([
    { name: `${name.slice(0, 199).trimEnd()}…`, notes: `From your spreadsheet\nName: ${name}` },
  ]);
});

test('a kind of contact that is none of ours is kept as a note', async () => {
  const header = 'ContactExternalID,FullName,PersonType';
  const rowsThere = ['k1,Gus Kindly,Adjuster', 'k2,Fay Kindly,Person', 'k3,Ida Kindly,Company'];
  const files = { 'contacts.csv': lines(header, ...rowsThere) };
  const added = await api().add(files, 'filevine');
  expect(await api().run(added.id)).toMatchObject({ state: 'done', problemCount: 0 });
  const { rows } = await app.pool.query(
    `select name, kind, notes from contacts where name like '% Kindly' order by name`,
  );
  expect(rows).toEqual([
    { name: 'Fay Kindly', kind: 'person', notes: null },
    { name: 'Gus Kindly', kind: 'person', notes: 'From Filevine\nKind: Adjuster' },
    { name: 'Ida Kindly', kind: 'organisation', notes: null },
  ]);
});

test('rows that name people by their ids there mean those people', async () => {
  const added = await api().add(
    {
      'SB-StaffImport.csv': lines('External ID,First Name,Last Name', 'S901,Mary,Jackson'),
      'SB-ContactImport.csv': lines('External ID,First Name,Last Name', '901,Alva,Belmont'),
      'SB-MatterImport.csv': lines(
        'External MatterID,Matter Number / Reference,Client ID,Matter Type',
        'M901,2024-901,901,PI',
      ),
      'SB-MemoImport.csv': lines(
        'External MatterID,Memo,Date,Staff ID',
        'M901,Said yes,1/2/2024,S901',
      ),
    },
    'smokeball',
  );
  expect(await api().run(added.id)).toMatchObject({ state: 'done', problemCount: 0 });
  const { rows } = await app.pool.query(`select u.last_name, u.active from entries e
    join users u on u.id = e.author_id where e.text = 'Said yes'`);
  expect(rows).toEqual([{ last_name: 'Jackson', active: false }]);
});
