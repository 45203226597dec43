import { createHash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import { eventually } from '../../testing/eventually.ts';
import { register } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';
import {
  connectTo,
  newPlace,
  type ServerProcess,
  startAgain,
  startProcess,
} from '../../testing/process.ts';
import { filesBelow, sendExport } from '../../testing/uploads.ts';

/** Rows of each kind; a transaction has 500, or 100 files. */
const ROWS = {
  people: 20,
  contacts: 700,
  matters: 600,
  parties: 700,
  notes: 1100,
  tasks: 700,
  events: 700,
  documents: 250,
  mails: 130,
};
/**
 * Rows in whose transactions the server is killed: a table, a column and its value. Each time the job of the import waits
 * twice as long before it goes on.
 */
const KILLS = [
  ['cases', 'case_no', 'K-555'],
  ['entries', 'text', 'Memo 777'],
  ['events', 'title', 'Event 612'],
  ['files', 'name', 'letter 222.txt'],
  ['files', 'name', '2024-03-04 Mail 120.eml'],
] as const;

const ADMIN = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@firm.example',
  role: 'admin',
} as const;

const COPIED = new Date('2026-03-02T09:00:00Z');

type Place = Awaited<ReturnType<typeof newPlace>>;
type Running = { place: Place; server: ServerProcess; admin: { token: string } };

const all: Running[] = [];
afterAll(async () => {
  for (const { place, server } of all) {
    await server.kill();
    place.remove();
  }
});

async function start(): Promise<Running> {
  const place = await newPlace();
  const folder = path.join(place.dataDir, '..', 'exports');
  mkdirSync(folder);
  Object.assign(place.env, { IMPORT_DIR: folder });
  writeExport(folder);
  const server = startProcess(place);
  await server.ready;
  const admin = await register(server, ADMIN);
  const running = { place, server, admin };
  all.push(running);
  return running;
}

const matterOf = (n: number) => (n % ROWS.matters) + 1;
const staffOf = (n: number) => `S${(n % ROWS.people) + 1}`;

function writeExport(folder: string): void {
  const many = (kind: keyof typeof ROWS, row: (n: number) => string) =>
    Array.from({ length: ROWS[kind] }, (_, at) => row(at + 1));
  const tables = {
    Staff: [
      'External ID,First Name,Last Name,Email',
      ...many('people', (n) => `S${n},Staff,Number${n},s${n}@firm.example`),
    ],
    Contact: [
      'External ID,First Name,Last Name,Email',
      ...many('contacts', (n) => `${n},Client,Number${n},client${n}@client.example`),
    ],
    Matter: [
      'External MatterID,Matter Number / Reference,Client ID,Description,Matter Type,Extra',
      ...many('matters', (n) => `M${n},K-${n},${n},Matter ${n},PI,Column ${n}`),
    ],
    Relationship: [
      'External MatterID,External ContactID,Role',
      ...many('parties', (n) => `M${matterOf(n)},${n},Insurer`),
    ],
    Memo: [
      'External MemoID,External MatterID,Memo,Date,Staff ID',
      ...many('notes', (n) => `N${n},M${matterOf(n)},Memo ${n},01/02/2024,${staffOf(n)}`),
    ],
    Task: [
      'External TaskID,External MatterID,Subject,Due Date,Staff ID',
      ...many('tasks', (n) => `T${n},M${matterOf(n)},Task ${n},01/02/2024,${staffOf(n)}`),
    ],
    Event: [
      'External EventID,External MatterID,Subject,Start Date,Start Time,Staff ID',
      ...many('events', (n) => `E${n},M${matterOf(n)},Event ${n},1/2/2024,9:00 AM,${staffOf(n)}`),
    ],
    File: [
      'External MatterID,File Name,File Path,Folder',
      ...many('documents', (n) => `M${matterOf(n)},letter ${n},Files\\letter ${n}.txt,Letters`),
    ],
  };
  for (const [name, rows] of Object.entries(tables))
    writeFileSync(path.join(folder, `SB-${name}Import.csv`), lines(...rows));
  mkdirSync(path.join(folder, 'Files'));
  for (let n = 1; n <= ROWS.documents; n += 1) {
    const file = path.join(folder, 'Files', `letter ${n}.txt`);
    writeFileSync(file, `Letter ${n} `.repeat(n * 10));
    // Both firms have the same copy, which the time of a file's last change tells.
    utimesSync(file, COPIED, COPIED);
  }
  for (let n = 1; n <= ROWS.mails; n += 1) {
    const matter = path.join(folder, `K-${matterOf(n)}`);
    mkdirSync(matter, { recursive: true });
    writeFileSync(path.join(matter, `mail ${n}.eml`), mailOf(n));
  }
}

const mailOf = (n: number): string =>
  lines(
    `Message-ID: <${n}@client.example>`,
    'Date: Mon, 04 Mar 2024 12:00:00 +0000',
    'From: client@client.example',
    `Subject: Mail ${n}`,
    '',
    `Text ${n}`,
  );

async function begin({ server, admin: { token } }: Running): Promise<string> {
  const reply = await sendExport(server, { token, profile: 'smokeball', dir: '.' });
  expect(reply).toMatchObject({ status: 201, body: { import: { state: 'mapped' } } });
  const { id } = reply.body.import;
  await server.call(importRoutes.runImport, { token, params: { id }, body: { dryRun: false } });
  return id;
}

async function asking<T>({ place }: Running, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectTo(place);
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

/** Transactions that insert one of these rows wait until the row's barrier is lifted, also after a restart. */
async function plantBarriers(client: pg.Client): Promise<void> {
  await client.query(`
    create table public.barriers (place text primary key);
    create function public.wait_there() returns trigger language plpgsql security definer as $$
      begin
        if to_jsonb(new) ->> tg_argv[0] = tg_argv[1] then
          while exists (select from public.barriers where place = tg_argv[1]) loop
            perform pg_sleep(0.01);
          end loop;
        end if;
        return new;
      end $$;`);
  for (const [n, [table, column, value]] of KILLS.entries()) {
    await client.query('insert into public.barriers values ($1)', [value]);
    await client.query(`create trigger barrier_${n} before insert on base.${table} for each row
      execute function public.wait_there('${column}', '${value}')`);
  }
}

/** Kills everything in the transaction of each row, and starts it again. */
async function killAtAll(running: Running): Promise<void> {
  for (const [, , value] of KILLS) {
    await asking(running, (client) =>
      eventually(async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where wait_event = 'PgSleep'`,
        );
        expect([value, rows.length]).toEqual([value, 1]);
      }),
    );
    await running.server.kill();
    running.server = await startAgain(running.place);
    await running.server.ready;
    await asking(running, (client) =>
      client.query('delete from public.barriers where place = $1', [value]),
    );
  }
}

const ID = `'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'`;
const inCases = (alias: string) => `join base.cases c on c.id = ${alias}.case_id`;
/** Everything that an import writes in words, without ids and the time of the import. */
const WRITTEN: Record<string, string> = {
  users: `select u.first_name, u.last_name, u.email, u.active from users u`,
  contacts: `select k.name, k.emails from base.contacts k`,
  cases: `select c.case_no, c.case_name, c.type, c.client_name, c.client_email from base.cases c`,
  parties: `select c.case_no, p.role, p.embedded, k.name from base.parties p ${inCases('p')}
    join base.contacts k on k.id = p.contact_id`,
  entries: `select c.case_no, e.kind, e.text, u.last_name, e.pinned_at is null,
    case when e.pinned_at is null then e.at end from base.entries e ${inCases('e')}
    join users u on u.id = e.author_id`,
  tasks: `select c.case_no, t.name, t.start_time, t.end_time, u.last_name from base.tasks t
    ${inCases('t')} join users u on u.id = t.assigned_to`,
  events: `select c.case_no, e.title, e.starts_at, e.ends_at, u.last_name from base.events e
    ${inCases('e')} join users u on u.id = any(e.people)`,
  files: `select c.case_no, d.name as folder, f.name, f.size, f.sha256, f.version from base.files f
    ${inCases('f')} join base.folders d on d.id = f.folder_id`,
  records: `select i.kind, regexp_replace(i.external_id, ${ID}, '#', 'g'), i.name, i.row_hash, i.is_made
    from import_ids i`,
  acts: `select a.entity, a.action from audit_log a where a.action = 'imported'`,
};

/** Counts of each, with the hash of what they say. */
async function pictureOf(client: pg.Client) {
  const picture: Record<string, { n: number; hash: string }> = {};
  for (const [name, select] of Object.entries(WRITTEN)) {
    const { rows } = await client.query<{ n: number; hash: string }>(`select count(*)::int as n,
      md5(string_agg(written::text, chr(10) order by written::text)) as hash from (${select}) written`);
    picture[name] = rows[0] ?? { n: 0, hash: '' };
  }
  return picture;
}

/** Each file can be read, and is what the row says; nothing else is in the store. */
async function expectBytes(running: Running): Promise<void> {
  const { place, server, admin } = running;
  await asking(running, async (client) => {
    const { rows } = await client.query<
      Record<'case_id' | 'folder' | 'name' | 'sum' | 'key', string>
    >(
      `select f.case_id, d.name as folder, f.name, encode(f.sha256, 'hex') as sum, f.blob_key as key
        from base.files f join base.folders d on d.id = f.folder_id`,
    );
    expect(rows).toHaveLength(ROWS.documents + ROWS.mails);
    for (const { case_id: caseId, folder, name, sum } of rows) {
      const headers = { 'x-auth-token': admin.token };
      const reply = await fetch(server.url + contentUrl(caseId, folder, name), { headers });
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect([name, createHash('sha256').update(bytes).digest('hex')]).toEqual([name, sum]);
    }
    await eventually(async () => {
      const { rows: pending } = await client.query('select from pending_blobs');
      expect(pending).toHaveLength(0);
      const stored = await filesBelow(path.join(place.dataDir, 'files'));
      expect(stored.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
    });
  });
}

const resultOf = ({ state, counts, problemCount, problems, error }: Import) => ({
  state,
  counts,
  problemCount,
  problems,
  error,
});

test(`an import during which the server is killed ${KILLS.length} times ends like one that is left alone`, async () => {
  const calm = await start();
  const left = await importsOf(calm.server, calm.admin).settled(await begin(calm));
  const wanted = Object.entries(ROWS).map(([kind, n]) => [
    kind,
    { found: n, new: n, changed: 0, same: 0, conflicting: 0, refused: 0 },
  ]);
  expect(resultOf(left)).toEqual({
    state: 'done',
    counts: Object.fromEntries(wanted) as Import['counts'],
    problemCount: 0,
    problems: [],
    error: null,
  });
  const picture = await asking(calm, pictureOf);
  // The admin is one of them.
  expect(picture['users']?.n).toBe(ROWS.people + 1);
  await calm.server.kill();

  const killed = await start();
  await asking(killed, plantBarriers);
  const id = await begin(killed);
  await killAtAll(killed);
  const done = await importsOf(killed.server, killed.admin).settled(id);
  expect(resultOf(done)).toEqual(resultOf(left));
  expect(await asking(killed, pictureOf)).toEqual(picture);
  await expectBytes(killed);
}, 900_000);
