import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import { eventually } from '../../testing/eventually.ts';
import { registerAdmin } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';
import {
  connectTo,
  newPlace,
  type ServerProcess,
  startAgain,
  startProcess,
} from '../../testing/process.ts';
import { sendExport } from '../../testing/uploads.ts';

const CONTACTS = 2400;
const MATTERS = 1200;
const NOTES = 3600;
const KILLS = 4;

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
let admin: { token: string };

beforeAll(async () => {
  place = await newPlace();
  const folder = path.join(place.dataDir, '..', 'exports');
  mkdirSync(folder);
  Object.assign(place.env, { IMPORT_DIR: folder });
  writeExport(folder);
  server = startProcess(place);
  await server.ready;
  admin = await registerAdmin(server);
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

function writeExport(folder: string): void {
  const many = (count: number, row: (n: number) => string) =>
    Array.from({ length: count }, (_, at) => row(at + 1));
  const files = {
    'contacts.csv': lines(
      'Contact ID,first_name,last_name,email_address',
      ...many(CONTACTS, (n) => `${n},Client,Number${n},client${n}@client.example`),
    ),
    'matters.csv': lines(
      'Matter ID,custom_number,description,client_id,type,statute_of_limitations,Extra',
      ...many(MATTERS, (n) => `${n},K-${n},Matter ${n},${n},PI,12/31/2030,Column ${n}`),
    ),
    'notes.csv': lines(
      'Id,Matter,Date,Author,Text',
      ...many(NOTES, (n) => `${n},K-${(n % MATTERS) + 1},03/04/2024,Grace Hopper,Note ${n}`),
    ),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}

async function counts() {
  const client = await connectTo(place);
  const tables = ['base.contacts', 'base.cases', 'base.entries', 'base.deadlines', 'import_ids'];
  const all = tables.map((table) => `(select count(*)::int from ${table}) as "${table}"`);
  const { rows } = await client.query<Record<string, number>>(`select ${all.join(', ')}`);
  await client.end();
  return rows[0];
}

const found = ({ counts: by }: Import) =>
  Object.values(by).reduce((sum, { found: rows }) => sum + rows, 0);

test('a server that is killed again and again imports every row once', async () => {
  const api = () => importsOf(server, admin);
  const reply = await sendExport(server, { ...admin, profile: 'clio', dir: '.' });
  expect(reply).toMatchObject({ status: 201 });
  const { id } = reply.body.import;
  const { token } = admin;
  await server.call(importRoutes.runImport, { token, params: { id }, body: { dryRun: false } });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await eventually(async () => {
      const one = await api().read(id);
      const isFarther = one.state !== 'running' || found(one) > kill * 1000;
      if (!isFarther) throw new Error(`kill ${kill} waits: ${JSON.stringify(one)}`);
    });
    await server.kill();
    server = await startAgain(place);
    await server.ready;
  }
  const done = await api().settled(id);
  expect(done).toMatchObject({
    state: 'done',
    problemCount: 0,
    counts: {
      contacts: { found: CONTACTS, new: CONTACTS },
      matters: { found: MATTERS, new: MATTERS },
      notes: { found: NOTES, new: NOTES },
    },
  });
  const once = await counts();
  expect(once).toMatchObject({
    'base.contacts': CONTACTS,
    'base.cases': MATTERS,
    'base.entries': NOTES + MATTERS,
    'base.deadlines': MATTERS,
  });
  const again = await api().run(id);
  expect(again.counts).toMatchObject({
    contacts: { same: CONTACTS },
    matters: { same: MATTERS },
    notes: { same: NOTES },
  });
  expect(await counts()).toEqual(once);
  await server.call(importRoutes.undoImport, { token, params: { id }, body: { dryRun: false } });
  await eventually(async () => expect((await counts())?.['base.entries']).toBeLessThan(NOTES));
  await server.kill();
  server = await startAgain(place);
  await server.ready;
  expect(await api().settled(id)).toMatchObject({ state: 'undone', left: [] });
  expect(await counts()).toMatchObject({
    'base.contacts': 0,
    'base.cases': 0,
    'base.entries': 0,
    import_ids: 0,
  });
}, 900_000);
