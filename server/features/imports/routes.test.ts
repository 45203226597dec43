import { describe, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import { suite } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, registerWith, restrict } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';
import { sendExport } from '../../testing/uploads.ts';

const { app, admin, user } = suite({
  admin: registerAdmin,
  user: (to) => registerWith(to, { createCases: true }),
});
const api = () => importsOf(app, admin);

/** In Clio's columns, with its habits. */
const CONTACTS = lines(
  'Contact ID,title,first_name,last_name,company,business_street,business_city,business_state,business_postal_code,email_address,primary_phone,Favorite color',
  '11,Ms.,Ngozi,Abara,,1 Main Street,Springfield,IL,62701,ngozi@client.example,(555) 010-2030,Blue',
  '12,,,,Meridian Freight LLC,,,,,office@meridian.example,,',
  '13,,Unknown,Client,,,,,,,,',
);
const MATTERS = lines(
  'Matter ID,custom_number,description,client_name,practice_area,status,open_date,close_date,responsible_attorney,statute_of_limitations,Referral fee',
  '91,2024-17,Abara v. Meridian,Ngozi Abara,Personal Injury,Open,03/14/2024,,Grace Hopper,12/31/2027,10 %',
  '92,2024-18,Meridian lease,Meridian Freight LLC,Leases,Closed,01/02/2023,02/03/2024,Grace Hopper,,',
  '93,2024-19,Unclaimed matter,Unknown Client,Personal Injury,Open,03/14/2024,,,,',
);

const TYPES = { 'Personal Injury': 'PI', Leases: 'Civil' };
const choose = (id: string) => api().change(id, { tables: { type: TYPES } });

/** An export whose words are translated. */
async function addChosen(matters = MATTERS): Promise<Import> {
  const added = await api().add({ 'contacts.csv': CONTACTS, 'matters.csv': matters });
  expect(await choose(added.id)).toMatchObject({ status: 200 });
  return added;
}

const counted = async (table: string) => {
  const { rows } = await app.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n;
};

describe('an export', () => {
  test('is recognized by its files and headers, and its words are listed', async () => {
    const added = await api().add({ 'contacts.csv': CONTACTS, 'matters.csv': MATTERS });
    expect(added).toMatchObject({
      profile: 'clio',
      state: 'mapped',
      counts: {},
      problems: [],
      files: [
        { path: 'contacts.csv', kind: 'contacts' },
        { path: 'matters.csv', kind: 'matters' },
      ],
      fileCount: 2,
      progress: null,
      undoing: false,
      left: [],
      by: { id: admin.id },
      error: null,
    });
    expect(added.mapping.matters).toMatchObject({ name: 'description', type: 'practice_area' });
    expect(added.tables).toMatchObject({
      status: { Open: 'Active', Closed: 'Archive' },
      type: { 'Personal Injury': null, Leases: null },
      people: { 'Grace Hopper': null },
    });
  });

  test('is checked without writing anything, and then imported with the same counts', async () => {
    const added = await api().add({ 'contacts.csv': CONTACTS, 'matters.csv': MATTERS });
    await api().change(added.id, { tables: { type: { 'Personal Injury': 'PI' } } });
    const before = [await counted('contacts'), await counted('cases')];
    const checked = await api().run(added.id, true);
    expect(checked).toMatchObject({ state: 'checked', dryRun: true });
    expect([await counted('contacts'), await counted('cases')]).toEqual(before);
    expect(checked.counts).toEqual({
      contacts: { found: 3, new: 2, changed: 0, same: 0, conflicting: 0, refused: 1 },
      matters: { found: 3, new: 1, changed: 0, same: 0, conflicting: 0, refused: 2 },
    });
    expect(checked.problems).toMatchObject([
      { file: 'contacts.csv', row: 4, kind: 'contacts', outcome: 'refused' },
      { file: 'matters.csv', row: 3, column: 'practice_area', kind: 'matters' },
      { file: 'matters.csv', row: 4, column: 'client_name', kind: 'matters' },
    ]);
    await choose(added.id);
    const done = await api().run(added.id);
    expect(done).toMatchObject({ state: 'done', dryRun: false });
    expect(done.counts.matters).toMatchObject({ found: 3, new: 2, refused: 1 });
    const again = await api().run(added.id);
    expect(again.counts).toMatchObject({
      contacts: { found: 3, same: 2, refused: 1, new: 0 },
      matters: { found: 3, same: 2, refused: 1, new: 0 },
    });
    await api().undo(added.id);
    expect([await counted('contacts'), await counted('cases')]).toEqual(before);
  });

  test('keeps what is chosen, and what runs, while the words of other columns are read', async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => `${n},M-${n},Open,Word ${n % 7}`);
    const matters = lines('Matter ID,custom_number,status,practice_area', ...rows);
    const { id } = await api().add({ 'contacts.csv': CONTACTS, 'matters.csv': matters });
    const named = async (name: string) =>
      expect((await api().read(id)).mapping.matters).toMatchObject({ name });
    const reading = api().change(id, { mapping: { matters: { name: 'custom_number' } } });
    await eventually(() => named('custom_number'));
    expect(await choose(id)).toMatchObject({ status: 200 });
    expect(await reading).toMatchObject({ status: 200 });
    expect((await api().read(id)).tables.type).toMatchObject({ ...TYPES, 'Word 6': null });

    const readingAgain = api().change(id, { mapping: { matters: { name: 'status' } } });
    await eventually(() => named('status'));
    const { token } = admin;
    const run = { token, params: { id }, body: { dryRun: true } };
    expect(await app.call(importRoutes.runImport, run)).toMatchObject({ status: 200 });
    expect(await readingAgain).toMatchObject({ status: 200 });
    expect(['running', 'checked']).toContain((await api().read(id)).state);
    await api().stop(id);
  });

  test('makes cases that are not filed, with clients that are linked and not doubled', async () => {
    const added = await addChosen();
    expect(await api().run(added.id)).toMatchObject({ state: 'done' });
    const { cases } = (await app.call(caseRoutes.listCases, { token: user.token, query: {} })).body;
    const [lease, abara] = ['2024-18', '2024-17'].map((no) =>
      cases.find(({ caseNo }) => caseNo === no),
    );
    expect(abara).toMatchObject({
      caseName: 'Abara v. Meridian',
      type: 'PI',
      statusType: 'Active',
      status: 'Pre-List',
      dateOfOpening: '2024-03-14',
      managingAttorney: 'Grace Hopper',
      SOL: '2027-12-31',
      judge: null,
      clientInfo: {
        name: 'Ngozi Abara',
        email: 'ngozi@client.example',
        phoneNumber: '(555) 010-2030',
      },
    });
    expect(abara?.incomplete).toContain('judge');
    expect(lease).toMatchObject({ statusType: 'Archive', SOL: null, daysOpen: 397 });
    const search = { search: 'Ngozi Abara' };
    const found = await app.call(contactRoutes.listContacts, { token: user.token, query: search });
    expect(found.body.contacts).toMatchObject([
      {
        name: 'Ngozi Abara',
        letterName: 'Ms. Abara',
        address: '1 Main Street\nSpringfield, IL 62701',
        notes: 'From Clio\nFavorite color: Blue',
      },
    ]);
    await api().undo(added.id);
  });

  test('leaves active matters without a statute date under the deadlines', async () => {
    const matters = MATTERS.replace('12/31/2027', '');
    const added = await addChosen(matters);
    await api().run(added.id);
    const undated = await app.call(deadlineRoutes.listUndatedCases, {
      token: admin.token,
      query: {},
    });
    expect(undated.body.cases.map((one) => one.case.caseName)).toContain('Abara v. Meridian');
    await api().undo(added.id);
  });
});

describe('a second run', () => {
  test('changes what changed there, fills what is empty here, and lists what changed on both sides', async () => {
    const first = await addChosen();
    await api().run(first.id);
    const { cases } = (await app.call(caseRoutes.listCases, { token: admin.token, query: {} }))
      .body;
    const abara = cases.find(({ caseNo }) => caseNo === '2024-17');
    await app.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id: abara?.id ?? '' },
      body: { managingAttorney: 'Ada Lovelace' },
    });
    const later = MATTERS.replace('Abara v. Meridian', 'Abara v. Meridian Freight').replace(
      ',Grace Hopper,12/31/2027',
      ',Alan Turing,12/31/2027',
    );
    const second = await addChosen(later);
    const done = await api().run(second.id);
    expect(done.counts.matters).toMatchObject({ new: 0, conflicting: 1 });
    expect(done.problems.find(({ outcome }) => outcome === 'conflicting')).toMatchObject({
      column: 'responsible_attorney',
      message: 'Here “Ada Lovelace”, in the file “Alan Turing”',
      item: { id: abara?.id, name: 'Abara v. Meridian Freight' },
    });
    const params = { id: abara?.id ?? '' };
    const after = await app.call(caseRoutes.readCase, { token: admin.token, params });
    expect(after.body.case).toMatchObject({
      caseName: 'Abara v. Meridian Freight',
      managingAttorney: 'Ada Lovelace',
    });
    const undone = await api().undo(first.id);
    expect(undone).toMatchObject({
      state: 'undone',
      left: [
        { kind: 'contacts', name: 'Ngozi Abara', reason: 'It is still in use' },
        { kind: 'matters', id: abara?.id, reason: 'It was changed or used here' },
      ],
    });
  });

  test('fills a case that was here, and never doubles it', async () => {
    const own = await openCase(app, admin.token, { caseNo: '2024-40', caseName: 'Kept' });
    const row = '95,2024-40,Kept,Meridian Freight LLC,Personal Injury,Open,01/15/2025,,,,';
    const matters = `${MATTERS.split('\r\n')[0]}\r\n${row}\r\n`;
    const added = await addChosen(matters);
    const done = await api().run(added.id);
    expect(done.counts.matters).toMatchObject({ found: 1, new: 0 });
    const undone = await api().undo(added.id);
    expect(undone.state).toBe('undone');
    const kept = await app.call(caseRoutes.readCase, {
      token: admin.token,
      params: { id: own.id },
    });
    expect(kept).toMatchObject({ status: 200, body: { case: { judge: own.judge } } });
  });
});

describe('refusals', () => {
  test('name what is missing, and change nothing', async () => {
    const none = await sendExport(app, { token: admin.token, profile: 'clio' });
    expect(none).toMatchObject({ status: 400, message: 'Choose a file' });
    const unknown = await sendExport(app, { token: admin.token, profile: 'lexis' }, { a: 'b' });
    expect(unknown).toMatchObject({ status: 400 });
    const dir = await sendExport(app, { token: admin.token, profile: 'clio', dir: 'x' });
    expect(dir).toMatchObject({ status: 503, code: 'notConfigured' });
    const signedOut = await sendExport(app, { token: user.token, profile: 'clio' }, { a: 'b' });
    expect(signedOut).toMatchObject({ status: 403 });
  });

  test('of a mapping name its field', async () => {
    const added = await api().add({ 'contacts.csv': CONTACTS });
    const bad = [
      { mapping: { contacts: { color: 'Favorite color' } } },
      { mapping: { contacts: { name: 'Nickname' } } },
      { tables: { people: { 'Jane Doe': 'c3f1a1e0-0000-4000-8000-000000000000' } } },
    ];
    for (const body of bad)
      expect(await api().change(added.id, body)).toMatchObject({ status: 400 });
    const good = await api().change(added.id, {
      mapping: { contacts: { notes: 'Favorite color' } },
    });
    expect(good.body.import.mapping.contacts).toMatchObject({
      notes: 'Favorite color',
      firstName: 'first_name',
    });
  });

  test('keep an order: no undo before a run, no mapping after it', async () => {
    const added = await api().add({ 'contacts.csv': CONTACTS });
    const params = { id: added.id };
    const { token } = admin;
    const early = await app.call(importRoutes.undoImport, { token, params, body: {} });
    expect(early).toMatchObject({ status: 409 });
    expect(await app.call(importRoutes.stopImport, { token, params })).toMatchObject({
      status: 409,
    });
    await api().run(added.id);
    expect(await api().change(added.id, { tables: {} })).toMatchObject({ status: 400 });
    expect(await api().change(added.id, { mapping: { contacts: { name: null } } })).toMatchObject({
      status: 409,
    });
    await api().undo(added.id);
    const late = await app.call(importRoutes.runImport, { token, params, body: {} });
    expect(late).toMatchObject({ status: 409 });
  });

  test('of a number behind a wall say nothing of its matter', async () => {
    const hidden = await openCase(app, user.token, { caseNo: 'W-1', assignedUsers: [user.id] });
    await restrict(app, { token: user.token, id: hidden.id });
    const matter = '96,W-1,Behind the wall,Ngozi Abara,Personal Injury,Open,,,,,';
    const added = await addChosen(lines(MATTERS.split('\r\n')[0] ?? '', matter));
    const done = await api().run(added.id);
    const problem = { message: 'Case No already exists', column: 'custom_number', item: null };
    expect(done.problems.find(({ kind }) => kind === 'matters')).toMatchObject(problem);
    await api().undo(added.id);
  });
});
