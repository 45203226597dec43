import { expect, test } from 'vitest';
import { importProfiles } from '@matterdesk/contract/imports.ts';
import * as made from '../../testing/exports.ts';
import {
  filesOf,
  isRow,
  readExport,
  type ReadExport,
  foldersExport,
} from '../../testing/exports.ts';
import { profileOf } from './profiles.ts';
import { readRows } from './read.ts';
import { missingFields, recognize, namedBy, placeOf } from './recognize.ts';

function kindsOf({ files }: ReadExport): Record<string, string | null> {
  return Object.fromEntries(files.map(({ path, kind }) => [path, kind]));
}

/** Cells and the rest of the rows of a file. */
function cellsOf({ rows }: ReadExport, path: string) {
  return rows.flatMap((row) => (isRow(row) && row.file === path ? [[row.cells, row.rest]] : []));
}

test('every profile has a name and hints', () => {
  for (const key of importProfiles) {
    const { name, hints, files } = profileOf(key);
    expect([name, ...hints, ...files].every((text) => text.trim() !== '')).toBe(true);
    expect(hints.length).toBeGreaterThan(0);
    expect(files.length).toBeGreaterThan(0);
  }
});

test('no profile makes a practice area one of our types by itself', () => {
  for (const key of importProfiles)
    for (const [theirs, ours] of Object.entries(profileOf(key).tables.type))
      expect(theirs).toBe(ours);
});

test('an export of Clio is recognized with its columns', async () => {
  const read = await readExport('clio', filesOf(made.clioExport));
  expect(kindsOf(read)).toEqual({
    'activities.csv': null,
    'calendar.csv': 'events',
    'contacts.csv': 'contacts',
    'matters.csv': 'matters',
    'notes.csv': 'notes',
    'tasks.csv': 'tasks',
  });
  expect(missingFields(read.mapping, read.files)).toEqual([]);
  expect(cellsOf(read, 'contacts.csv')).toEqual([
    [
      {
        prefix: 'Ms',
        firstName: 'Jane',
        lastName: 'Doe',
        street: '1 Main St\nApt 2',
        city: 'Albany',
        state: 'NY',
        postalCode: '12207',
        email: 'jane@doe.example',
        phone: '(518) 555-0101',
      },
      { job_title: 'Nurse' },
    ],
    [{ firstName: 'JANE', lastName: 'DOE', phone: '5185550101' }, {}],
    [{ organization: 'Acme, Inc.', phone: '+1 518 555 0102' }, {}],
  ]);
  expect(cellsOf(read, 'matters.csv')[0]).toEqual([
    {
      statusType: 'Open',
      name: 'Doe v. Roe',
      dateOfOpening: '01/31/2024',
      number: '2024-17',
      note: 'Call "Jane" first',
      clientFirstName: 'Jane',
      clientLastName: 'Doe',
      type: 'Personal Injury',
    },
    { location: 'Albany' },
  ]);
  expect(cellsOf(read, 'tasks.csv')).toEqual([
    [{ name: 'File answer', matter: '2024-17', due: '02/15/2024', assignedTo: 'Ann Lee' }, {}],
  ]);
  expect(cellsOf(read, 'calendar.csv')[0]?.[0]).toMatchObject({
    title: 'Hearing',
    start: '02/20/2024 9:00 AM',
    end: '02/20/2024 10:00 AM',
    matter: '2024-17',
  });
});

test('an export of MyCase is read from Windows-1252 with semicolons', async () => {
  const read = await readExport('mycase', filesOf(made.mycaseExport));
  expect(cellsOf(read, 'companies.csv')).toEqual([
    [
      {
        id: '77',
        kind: 'organisation',
        organization: 'Müller’s Café',
        address: '1 Rue – 2',
        fax: '518-1',
        phone: '518-2',
        email: 'm@cafe.example',
        notes: 'open late',
        matters: 'Müller v. City',
      },
      {
        'Web Page': 'cafe.example',
        'Outstanding Trust Balance': '10,00 €',
        Archived: 'false',
        'Private Notes': 'secret',
        Contacts: 'Jörg Müller',
        'Case Link IDs': '501',
      },
    ],
  ]);
  expect(cellsOf(read, 'cases.csv')[1]).toEqual([
    { name: 'Old v. New', managingAttorney: 'Bo Kim', statusType: 'true' },
    {},
  ]);
  expect(profileOf('mycase').tables.status).toMatchObject({ true: 'Archive', false: 'Active' });
  expect(cellsOf(read, 'notes.csv')[0]?.[0]).toEqual({
    matterName: 'Müller v. City',
    at: '3/4/2024',
    text: 'Client called',
    author: 'Ann Lee',
  });
});

test('an export of PracticePanther names clients by their display names', async () => {
  const read = await readExport('practicepanther', filesOf(made.practicePantherExport));
  expect(cellsOf(read, 'contacts.csv')[0]).toEqual([
    {
      name: 'Doe, Jane',
      firstName: 'Jane',
      middleName: 'Q',
      lastName: 'Doe',
      email: 'j@d.example',
      fax: '1',
      phone: '3',
      phone2: '2',
      phone3: '4',
      address: '1 Main St, Albany',
      notes: 'likes email',
    },
    { Number: '12', AssignedTo: 'Ann Lee', Tags: 'vip' },
  ]);
  expect(cellsOf(read, 'matters.csv')[0]?.[0]).toEqual({
    client: 'Doe, Jane',
    name: 'Doe v. Roe',
    number: '00017',
    note: 'first note',
    statusType: 'Open',
  });
});

test('deadlines of Filevine are events that say so, and ids tie its files together', async () => {
  const read = await readExport('filevine', filesOf(made.filevineExport));
  expect(kindsOf(read)).toEqual({
    'Calendar.csv': 'events',
    'Contacts.csv': 'contacts',
    'Deadlines.csv': 'events',
    'Notes.csv': 'notes',
    'ProjectContacts.csv': 'parties',
    'ProjectPermissions.csv': null,
    'Projects.csv': 'matters',
  });
  expect(cellsOf(read, 'Deadlines.csv')[0]?.[0]).toEqual({
    kind: 'other',
    matter: 'P-1',
    title: 'Deadline: Answer due',
    start: '2/9/2026',
  });
  expect(cellsOf(read, 'ProjectContacts.csv')[0]?.[0]).toEqual({
    matter: 'P-1',
    contact: 'C-1',
    role: 'Plaintiff',
  });
  expect(cellsOf(read, 'Projects.csv')[0]?.[0]).toMatchObject({ id: 'P-1', clientId: 'C-1' });
});

test('an export of Smokeball has the bytes of the files that it names', async () => {
  const read = await readExport('smokeball', filesOf(made.smokeballExport));
  expect(kindsOf(read)).toMatchObject({
    'SB-ActivityImport.csv': null,
    'SB-InvoiceItemImport.csv': null,
    'SB-StaffImport.csv': 'people',
    'SB-RelationshipImport.csv': 'parties',
    'SB-MemoImport.csv': 'notes',
    'SB-FileImport.csv': 'documents',
    'Files/M1/letter.pdf': null,
  });
  const [letter, lost] = read.rows.filter(({ file }) => file === 'SB-FileImport.csv');
  expect(letter).toMatchObject({
    cells: { matter: 'M1', name: 'Letter', folder: 'Letters', path: 'Files/M1/letter.pdf' },
    bytes: { size: 8 },
  });
  expect(lost).toEqual({
    file: 'SB-FileImport.csv',
    row: 3,
    column: 'File Path',
    message: 'C:\\Export\\Files\\M1\\lost.pdf is not in the export',
  });
  expect(cellsOf(read, 'SB-MemoImport.csv')[0]?.[0]).toMatchObject({ text: 'Said yes' });
  expect(cellsOf(read, 'SB-MatterImport.csv')[0]?.[0]).toEqual({
    id: 'M1',
    number: '2024-17',
    clientId: '1',
    name: 'Doe v. Roe',
  });
});

test('answers of j-lawyer.org are tables, and folders name the case', async () => {
  const read = await readExport('jlawyer', filesOf(made.jlawyerExport));
  expect(cellsOf(read, 'cases.json')[0]).toEqual([
    {
      id: 'a1',
      name: 'Doe ./. Roe',
      number: '00017/24',
      statusType: 'false',
      note: 'a note',
      managingAttorney: 'ann',
      assigned: 'bo',
      type: 'Verkehr',
    },
    { claimNumber: 'X', claimValue: '1000', reason: 'Unfall', custom3: 'c' },
  ]);
  expect(cellsOf(read, 'contacts.json')[0]?.[0]).toMatchObject({
    firstName: 'Jane',
    lastName: 'Doe',
    dateOfBirth: '01.02.1980',
  });
  expect(cellsOf(read, 'a1/parties.json')[0]?.[0]).toMatchObject({ matter: 'a1', contact: 'k1' });
  expect(cellsOf(read, 'a1/duedates.json')[0]?.[0]).toMatchObject({
    matter: 'a1',
    title: 'Deadline: Klage',
    kind: 'other',
  });
  expect(cellsOf(read, 'a1/documents/brief.pdf')[0]?.[0]).toMatchObject({
    matter: 'a1',
    folder: 'documents',
    name: 'brief.pdf',
  });
});

test('a column that is mapped on the screen wins, and null leaves a column as a note', async () => {
  const files = filesOf({ 'matters.csv': 'Title,Kind of case,Number\nDoe,PI,7\n' });
  const profile = profileOf('spreadsheet');
  const {
    files: [file],
  } = await recognize(profile, files);
  if (!file) throw new Error('no file');
  const mapping = { matters: { type: 'Kind of case', number: null, client: { value: 'Doe' } } };
  const [row] = await Array.fromAsync(readRows({ profile, mapping, files, file, timeZone: 'UTC' }));
  expect(row).toEqual({
    file: 'matters.csv',
    row: 2,
    cells: { client: 'Doe', name: 'Doe', type: 'PI' },
    rest: { Number: '7' },
  });
});

test.each([
  ['clients.csv', 'Name,Email', 'contacts'],
  ['staff.csv', 'Name,Email', 'people'],
  ['x.csv', 'Case Name,Date,Note', 'notes'],
  ['x.csv', 'Case Number,Case Name,Practice Area,Client,SOL', 'matters'],
  ['x.csv', 'Task,Due Date,Assigned To,Case Number', 'tasks'],
  ['x.csv', 'Subject,Start Date,Start Time,Location', 'events'],
  ['x.csv', 'Case Number,Party,Role', 'parties'],
  ['x.csv', 'Call Date,Phone Number,Duration,Case Number,Notes', 'calls'],
  ['x.csv', 'File Path,Case Number,Uploaded By', 'documents'],
  ['calls.csv', 'Date,Case Number,Contact,Notes', 'calls'],
  ['deadlines.csv', 'Deadline,Matter,Date', 'events'],
  ['x.csv', 'Hearing,Matter,Date', 'events'],
  ['expenses.csv', 'Date,Matter,Vendor,Amount', null],
  ['time.csv', 'Date,Matter,Duration,Rate', null],
  ['x.csv', 'Amount,Currency', null],
])('a table %s with %s is recognized by its headers', async (path, headers, kind) => {
  const { files } = await readExport('spreadsheet', filesOf({ [path]: `${headers}\n` }));
  expect(files).toMatchObject([{ path, kind }]);
});

test('deadlines of a spreadsheet are events that say so', async () => {
  const files = filesOf({ 'deadlines.csv': 'Deadline,Matter,Due Date\nAnswer,A-1,12/20/2026\n' });
  const read = await readExport('spreadsheet', files);
  expect(cellsOf(read, 'deadlines.csv')[0]?.[0]).toEqual({
    kind: 'other',
    matter: 'A-1',
    title: 'Deadline: Answer',
    start: '12/20/2026',
  });
});

test('fields without which an import cannot run are named', async () => {
  const read = await readExport('clio', filesOf({ 'notes.csv': 'when,what\n1/1/2024,x\n' }));
  expect(missingFields(read.mapping, read.files)).toEqual([
    { kind: 'notes', needed: 'matter' },
    { kind: 'notes', needed: 'text' },
  ]);
  expect(missingFields({ notes: { matter: 'when', text: { value: 'x' } } }, read.files)).toEqual(
    [],
  );
});

test('reading goes on after the row that was done', async () => {
  const files = filesOf({ 'contacts.csv': 'Name\n\nA\nB\nC\n' });
  const profile = profileOf('spreadsheet');
  const file = { path: 'contacts.csv', size: 0, kind: 'contacts', headers: ['Name'] } as const;
  const asked = { profile, mapping: {}, files, timeZone: 'UTC', after: 3 };
  const rows = await Array.fromAsync(readRows({ ...asked, file: { ...file, headers: ['Name'] } }));
  expect(rows.map(({ row }) => row)).toEqual([4, 5]);
});

test.each([
  ['Doe, Jane - 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane – 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane-2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane (2024-17)', '2024-17', 'Doe, Jane'],
  ['Doe #17', '17', 'Doe'],
  ['2024-17 - Doe, Jane', '2024-17', 'Doe, Jane'],
  ['2024-17 Doe, Jane', '2024-17', 'Doe, Jane'],
  ['00017_Doe v. Roe', '00017', 'Doe v. Roe'],
  ['PI-2024-17 – Doe v. Roe', 'PI-2024-17', 'Doe v. Roe'],
  ['Doe v. Roe - 24CV1234', '24CV1234', 'Doe v. Roe'],
  ['2024-17', '2024-17', undefined],
  ['24CV1234', '24CV1234', undefined],
  ['Doe, Jane', undefined, 'Doe, Jane'],
  ['Smith-Jones v. Roe', undefined, 'Smith-Jones v. Roe'],
])('the folder %s names its matter', (folder, matter, matterName) => {
  expect(namedBy(folder)).toEqual({
    ...(matter !== undefined && { matter }),
    ...(matterName !== undefined && { matterName }),
  });
});

test('documents lie in the matter of their folder, and deeper folders become one', async () => {
  const { rows, files } = await readExport('folders', filesOf(foldersExport));
  expect(files.find(({ path }) => path === 'loose.pdf')?.kind).toBeNull();
  expect(rows.map((row) => (isRow(row) ? row.cells : row))).toEqual([
    { matter: '2024-18', matterName: 'Roe', name: 'z.pdf', path: '2024-18 Roe/z.pdf' },
    { matter: '2024-19', name: 'z.pdf', path: '2024-19/z.pdf' },
    {
      matter: '2024-17',
      matterName: 'Doe, Jane',
      folder: 'Medical – Mercy',
      name: 'x.pdf',
      path: 'Doe, Jane - 2024-17/Medical/Mercy/x.pdf',
    },
    {
      matter: '2024-17',
      matterName: 'Doe, Jane',
      name: 'y.pdf',
      path: 'Doe, Jane – 2024-17/y.pdf',
    },
    { matterName: 'Poe, Edgar', name: 'z.pdf', path: 'Poe, Edgar/z.pdf' },
  ]);
});

test('shelves above matters, and a folder that all of them are in, name none', () => {
  const paths = [
    'Firm Share/Clients/A-F/Doe, Jane - 2024-17/Bills/x.pdf',
    'Firm Share/Doe, Jim - 2024-18/x.pdf',
    'Firm Share/Roe - 2024-19/x.pdf',
  ];
  const files = filesOf(Object.fromEntries(paths.map((path) => [path, ''])));
  expect(paths.map((path) => placeOf(path, files)?.matter)).toEqual([
    '2024-17',
    '2024-18',
    '2024-19',
  ]);
  expect(placeOf('Closed/2019/Doe/Bills/x.pdf', [])).toEqual({
    matterName: 'Doe',
    folder: 'Bills',
    name: 'x.pdf',
  });
  expect(placeOf('Documents/x.pdf', [])).toBeUndefined();
});

test('the folders of a single matter are not taken for matters', () => {
  const files = filesOf({ 'Doe, Jane/Medical/x.pdf': '', 'Doe, Jane/Bills/y.pdf': '' });
  expect(placeOf('Doe, Jane/Medical/x.pdf', files)).toEqual({
    matterName: 'Doe, Jane',
    folder: 'Medical',
    name: 'x.pdf',
  });
});

test('a long path is cut in the folder, and kept whole beside it', async () => {
  const path = `Doe - 17/${'Sub folder/'.repeat(40)}x.pdf`;
  const { rows } = await readExport('folders', filesOf({ [path]: 'x' }));
  const row = rows.find(isRow);
  expect(row?.cells['folder']).toHaveLength(199);
  expect(row?.rest).toEqual({ Path: path });
});

test('emails and tables in a matter’s folder are of that matter', async () => {
  const { rows } = await readExport(
    'folders',
    filesOf({
      'Doe - 17/Mail/a.eml': 'Message-ID: <a@x>\n\nx',
      'Doe - 17/budget.csv': 'Name,Email\nA,b\n',
    }),
  );
  expect(rows).toMatchObject([
    { cells: { matter: '17', id: 'a@x' }, bytes: { size: 20 } },
    { cells: { matter: '17', name: 'budget.csv' } },
  ]);
});
