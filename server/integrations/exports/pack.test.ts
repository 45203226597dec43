import { expect, test } from 'vitest';
import { filesOf, isRow, readExport } from '../../testing/exports.ts';

const person = { id: 'u1', firstName: 'Ann', lastName: 'Lee' };
const jane = { id: 'c1', kind: 'person', name: 'Jane Doe' };
const contact = {
  ...jane,
  otherNames: ['JD'],
  organisation: null,
  emails: ['j@x', 'j2@x', 'j3@x'],
  phoneNumbers: ['1', '2'],
  address: '1 Main St\nAlbany',
  fax: null,
  salutation: 'Dear Jane',
  letterName: null,
  dateOfBirth: '1980-01-02',
  notes: null,
};
const matter = {
  id: 'm1',
  caseName: 'Doe v. Roe',
  caseNo: null,
  statusType: 'Active',
  status: 'Litigation',
  judge: null,
  dateOfOpening: '2024-01-31',
  managingAttorney: 'Ann Lee',
  DOI: '2023-01-02',
  SOL: null,
  type: 'PI',
  assignedUsers: [person, { id: 'u2', firstName: 'Bo', lastName: 'Kim' }],
  clientInfo: { name: 'Jane Doe', phoneNumber: '1', email: null, address: null },
  opposingCounselInfo: {
    organization: 'Firm',
    name: null,
    phoneNumber: null,
    email: null,
    address: null,
  },
  noStatute: 'None applies',
};
const entry = {
  at: '2026-01-02T03:04:05.000Z',
  author: person,
  call: null,
  answer: null,
  deleted: false,
};
const lists: Record<string, unknown[]> = {
  parties: [
    { id: 'p1', contact: jane, role: 'client', note: '', embedded: 'clientInfo' },
    {
      id: 'p2',
      contact: { id: 'c2', kind: 'organisation', name: 'Acme' },
      role: 'insurer',
      note: 'n',
      embedded: null,
    },
  ],
  contacts: [contact],
  tasks: [
    {
      id: 't1',
      name: 'File',
      description: '',
      startTime: '2026-01-01T00:00:00.000Z',
      endTime: '2026-01-02T00:00:00.000Z',
      type: 'intake',
      doneAt: null,
      assignedTo: person,
    },
  ],
  events: [
    {
      id: 'e1',
      title: 'Trial',
      kind: 'trial',
      start: '2026-01-05',
      end: '2026-01-05',
      allDay: true,
      location: '',
      link: '',
      notes: 'n',
      people: [person],
      guests: [],
      cancelled: false,
      recurrence: null,
    },
    {
      id: 'e2',
      title: 'Off',
      kind: 'other',
      start: '2026-01-05',
      end: '2026-01-05',
      allDay: true,
      cancelled: true,
    },
  ],
  deadlines: [
    {
      deadline: {
        id: 'd1',
        title: 'Answer',
        kind: 'other',
        hard: true,
        date: '2026-02-03',
        time: '17:00',
        timeZone: 'America/New_York',
        status: 'open',
        owner: person,
      },
      history: [],
    },
  ],
  entries: [
    { ...entry, id: 'n1', kind: 'note', text: 'a note' },
    {
      ...entry,
      id: 'n2',
      kind: 'call',
      text: '',
      call: {
        direction: 'in',
        contact: { id: 'c1', name: 'Jane Doe' },
        name: null,
        number: '1',
        seconds: 60,
        result: 'reached',
      },
    },
    {
      ...entry,
      id: 'n3',
      kind: 'memo',
      text: 'so',
      answer: { question: 'Why?', quotation: 'Because', url: null, page: 1 },
    },
    { ...entry, id: 'n4', kind: 'note', text: '', deleted: true },
  ],
};

/** As service.contents.ts of packs writes it. */
function matterJson(): string {
  const head = JSON.stringify({ format: 'matterdesk', version: 1, packedAt: '', case: matter });
  const written = Object.entries(lists).map(
    ([name, items]) =>
      `,\n"${name}":[${items.map((item) => `\n${JSON.stringify(item)}`).join(',')}]`,
  );
  return `${head.slice(0, -1)}${written.join('')}}\n`;
}

const DOCUMENTS = [
  '"path","folder","name","sha256","bytes","type","version","uploaded","by"',
  '"data/documents/Bills/x_.pdf","Bills","x?.pdf","","2","application/pdf","1","2026-01-01T00:00:00.000Z","Ann Lee"',
  '"data/documents/Bills/far.pdf","Bills","far.pdf","","3","application/pdf","1","2026-01-01T00:00:00.000Z","Ann Lee"',
  '"data/mail/Hi.eml","E-mail","Hi.eml","","5","message/rfc822","1","2026-01-01T00:00:00.000Z","Ann Lee"',
  '"data/documents/lost.pdf","","lost.pdf","","9","application/pdf","1","2026-01-01T00:00:00.000Z","Ann Lee"',
].join('\r\n');

const pack = {
  'Doe 2026/bagit.txt': '',
  'Doe 2026/data/matter.json': matterJson(),
  'Doe 2026/data/documents.csv': DOCUMENTS,
  'Doe 2026/data/tasks.csv': 'name\nFile\n',
  'Doe 2026/data/contacts.vcf': 'BEGIN:VCARD\nFN:Jane\nEND:VCARD\n',
  'Doe 2026/data/documents/Bills/x_.pdf': 'xx',
  'Doe 2026/data/mail/Hi.eml': 'mail!',
  'Doe 2026 (2)/data/documents/Bills/far.pdf': 'far',
};

async function rowsOf(files: Record<string, string>) {
  const { rows, files: found } = await readExport('matterdesk', filesOf(files));
  const kinds = found.map(({ kind }) => kind);
  return { kinds, rows, cells: rows.map((row) => (isRow(row) ? row.cells : row)) };
}

const of = { matter: 'm1', matterName: 'Doe v. Roe' };

test('a pack is read back from its data, not from what it has for other programs', async () => {
  const { kinds, rows, cells } = await rowsOf(pack);
  expect(kinds).toEqual(
    'documents mails matters contacts parties notes calls tasks events'.split(' '),
  );
  expect(cells).toContainEqual({
    id: 'm1',
    name: 'Doe v. Roe',
    client: 'Jane Doe',
    clientId: 'c1',
    type: 'PI',
    statusType: 'Active',
    status: 'Litigation',
    dateOfOpening: '2024-01-31',
    managingAttorney: 'Ann Lee',
    DOI: '2023-01-02',
    assigned: 'Ann Lee; Bo Kim',
    counselOrganization: 'Firm',
  });
  expect(rows.find((row) => isRow(row) && row.cells['id'] === 'm1')).toMatchObject({
    rest: { 'No statute applies': 'None applies' },
  });
  expect(cells).toContainEqual({
    id: 'c1',
    kind: 'person',
    name: 'Jane Doe',
    otherNames: 'JD',
    email: 'j@x',
    email2: 'j2@x',
    phone: '1',
    phone2: '2',
    address: '1 Main St\nAlbany',
    dateOfBirth: '1980-01-02',
    moreEmails: 'j3@x',
    salutation: 'Dear Jane',
  });
  expect(cells).toContainEqual({
    ...of,
    id: 'p2',
    contact: 'c2',
    contactName: 'Acme',
    role: 'insurer',
    note: 'n',
  });
  expect(cells).toContainEqual({
    ...of,
    id: 't1',
    name: 'File',
    start: '2026-01-01T00:00:00.000Z',
    due: '2026-01-02T00:00:00.000Z',
    assignedTo: 'Ann Lee',
  });
});

test('entries are notes and calls, and deadlines are events that say so', async () => {
  const { cells } = await rowsOf(pack);
  const common = { ...of, at: entry.at, author: 'Ann Lee' };
  expect(cells).toContainEqual({ ...common, id: 'n1', text: 'a note' });
  expect(cells).toContainEqual({
    ...common,
    id: 'n2',
    with: 'Jane Doe',
    direction: 'in',
    number: '1',
    seconds: '60',
    result: 'reached',
  });
  expect(cells).toContainEqual({
    ...common,
    id: 'n3',
    kind: 'memo',
    text: 'Why?\n\n“Because”\n\nso',
  });
  expect(cells).not.toContainEqual(expect.objectContaining({ id: 'n4' }));
  expect(cells).toContainEqual({
    ...of,
    id: 'e1',
    title: 'Trial',
    kind: 'trial',
    start: '2026-01-05',
    end: '2026-01-05',
    allDay: 'true',
    text: 'n',
    people: 'Ann Lee',
  });
  expect(cells).toContainEqual(
    expect.objectContaining({ row: 2, message: 'A canceled event stays in the pack: Off' }),
  );
  expect(cells).toContainEqual({
    ...of,
    id: 'd1',
    title: 'Deadline: Answer',
    kind: 'other',
    start: '2026-02-03T22:00:00.000Z',
    people: 'Ann Lee',
  });
});

test('documents have their names and bytes, also those in another volume', async () => {
  const { rows } = await rowsOf(pack);
  const placed = { ...of, at: '2026-01-01T00:00:00.000Z' };
  const documents = rows.filter(({ file }) => file.endsWith('documents.csv'));
  expect(documents).toMatchObject([
    {
      row: 2,
      cells: {
        ...placed,
        folder: 'Bills',
        name: 'x?.pdf',
        path: 'data/documents/Bills/x_.pdf',
        author: 'Ann Lee',
      },
      bytes: { size: 2 },
    },
    { row: 3, cells: { name: 'far.pdf' }, bytes: { size: 3 } },
    { row: 5, message: 'data/documents/lost.pdf is not in the pack' },
    { row: 4, cells: { ...placed, subject: 'Hi' }, bytes: { size: 5 } },
  ]);
});

test('a file that was changed is said', async () => {
  const changed = { ...pack, 'Doe 2026/data/matter.json': '{ "format": 1 }' };
  const { rows } = await rowsOf(changed);
  expect(rows[0]).toMatchObject({
    row: null,
    message: 'The file was changed since it was packed, so it cannot be read',
  });
});

test('pages of texts are documents, and what stays in a pack is listed', async () => {
  const more = {
    ...pack,
    'Doe 2026/data/texts/+1 and +2.html': '<p>Hi',
    'Doe 2026/data/documents/texts/page.html': '<p>No text',
    'Doe 2026/data/record.jsonl': '{}',
    'Doe 2026/data/deadlines.csv': 'deadline',
  };
  const { files, rows } = await readExport('matterdesk', filesOf(more));
  expect(files.filter(({ kind }) => kind === null).map(({ path }) => path)).toEqual([
    'Doe 2026/data/deadlines.csv',
    'Doe 2026/data/record.jsonl',
  ]);
  const path = 'Doe 2026/data/texts/+1 and +2.html';
  const page = rows.filter(({ file }) => file === path);
  expect(page).toMatchObject([
    { row: 1, cells: { ...of, folder: 'Texts', name: '+1 and +2.html', path }, bytes: { size: 5 } },
  ]);
  expect(files.some((file) => file.path.endsWith('page.html'))).toBe(false);
});
