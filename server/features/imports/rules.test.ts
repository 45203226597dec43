import { describe, expect, test } from 'vitest';
import * as texts from './rules.cells.ts';
import {
  addWord,
  compare,
  hashesOf,
  hashOfRow,
  isPlaceholder,
  keyOf,
  meaningOf,
  peopleFinder,
  peopleIn,
  safePath,
  splitName,
  withOutcomes,
  folderOf,
  nameOf,
} from './rules.ts';

const row = (cells: Record<string, string>, rest: Record<string, string> = {}) => ({
  file: 'a.csv',
  row: 2,
  cells,
  rest,
});

describe('a row', () => {
  test('is the same wherever it is and however its columns are ordered', () => {
    const one = hashOfRow({ ...row({ a: '1', b: '2' }), row: 9, file: 'b.csv' });
    expect(hashOfRow(row({ b: '2', a: '1' }))).toBe(one);
    expect(hashOfRow(row({ a: '1' }, { b: '2' }))).not.toBe(one);
  });

  test('without a key is known by what it says, and a long key by its hash', () => {
    expect(keyOf(null, row({ a: '1' }))).toBe(`row:${hashOfRow(row({ a: '1' }))}`);
    expect(keyOf('x'.repeat(500), row({}))).toMatch(/^long:.{16}$/);
    expect(keyOf('17', row({}))).toBe('17');
  });
});

describe('a comparison', () => {
  const importedHashes = hashesOf({ name: 'Abara', judge: 'Stone', note: null });

  test('writes what changed there and is here as it was written', () => {
    const current = { name: 'Abara', judge: 'Stone' };
    const found = compare({
      imported: { name: 'Abara LLC', judge: 'Stone' },
      current,
      importedHashes,
    });
    expect(found).toMatchObject({ values: { name: 'Abara LLC' }, conflicts: [] });
  });

  test('lists what changed on both sides, and keeps what changed only here', () => {
    const current = { name: 'Abara Inc', judge: 'Reed' };
    const found = compare({
      imported: { name: 'Abara LLC', judge: 'Stone' },
      current,
      importedHashes,
    });
    expect(found.values).toEqual({});
    expect(found.conflicts).toEqual([{ field: 'name', here: 'Abara Inc', there: 'Abara LLC' }]);
  });

  test('fills what a record lacks that no import wrote, and joins its lists', () => {
    const current = { name: 'Abara', judge: null, emails: ['a@b.example'] };
    const imported = { name: 'Abara', judge: 'Stone', emails: ['c@d.example', 'a@b.example'] };
    const found = compare({ imported, current, importedHashes: {} });
    expect(found.conflicts).toEqual([]);
    expect(found.values).toEqual({ judge: 'Stone', emails: ['a@b.example', 'c@d.example'] });
  });

  test('takes nothing away, neither what a row lacks nor what was emptied here', () => {
    expect(
      compare({ imported: { judge: null }, current: { judge: 'Stone' }, importedHashes }),
    ).toMatchObject({
      values: {},
      conflicts: [],
    });
    expect(
      compare({ imported: { judge: 'Stone' }, current: { judge: null }, importedHashes }).values,
    ).toEqual({});
  });
});

test('texts that stand for no one are no names', () => {
  const none = [
    'Unknown Client',
    'N/A',
    'n.a.',
    'TBD',
    '-',
    '—',
    '???',
    '',
    'No Client',
    'unknown',
  ];
  expect(none.filter((name) => !isPlaceholder(name))).toEqual([]);
  const names = ['Nguyen', 'Test Pilots Inc', 'Una Known', 'Na Li', 'Noclient'];
  expect(names.filter(isPlaceholder)).toEqual([]);
});

describe('people', () => {
  const people = [
    { id: '1', firstName: 'Grace', lastName: 'Hopper', email: 'grace@firm.example' },
    { id: '2', firstName: 'John', lastName: 'Smith', email: 'john@firm.example' },
    { id: '3', firstName: 'John', lastName: 'Smith', email: 'smith@firm.example' },
  ];

  test('are found by their address or their whole name, and not by one that several have', () => {
    const find = peopleFinder(people);
    const words = ['GRACE@firm.example', 'grace  hopper', 'Hopper, Grace', 'John Smith', 'Hopper'];
    expect(words.map((word) => find(word)?.id)).toEqual(['1', '1', '1', undefined, undefined]);
  });

  test('are listed in a cell between semicolons, bars or lines', () => {
    expect(peopleIn('Hopper, Grace; John | N/A\nJohn')).toEqual(['Hopper, Grace', 'John']);
  });

  test('have their names split at the last word, or at the comma', () => {
    expect(splitName('Ada  King Lovelace')).toEqual({
      firstName: 'Ada King',
      lastName: 'Lovelace',
    });
    expect(splitName('Lovelace, Ada')).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
    expect(splitName('Admin')).toEqual({ firstName: '', lastName: 'Admin' });
  });
});

test('a word means what the profile or our own words say, without regard to case', () => {
  const of = meaningOf({ Open: 'Active' }, ['Active', 'Archive']);
  expect(['open', 'ARCHIVE', 'Pending'].map(of)).toEqual(['Active', 'Archive', null]);
  const table: Record<string, string | null> = { Open: 'Archive' };
  expect(addWord(table, 'Open', () => 'Active')).toBe(false);
  expect(addWord(table, '__proto__', () => 'Active')).toBe(false);
  expect(addWord(table, 'Pending', () => null)).toBe(true);
  expect(table).toEqual({ Open: 'Archive', Pending: null });
});

test('the counts of a kind add up', () => {
  const counts = withOutcomes({}, 'notes', ['new', 'refused', 'new', 'same']);
  const more = withOutcomes(counts, 'notes', ['conflicting', 'changed']);
  expect(more.notes).toEqual({
    found: 6,
    new: 2,
    changed: 1,
    same: 1,
    conflicting: 1,
    refused: 1,
  });
});

test('a path of an upload stays within its folder', () => {
  expect(safePath('../../etc/passwd')).toBe('etc/passwd');
  expect(safePath(String.raw`Export\.\Clio\contacts.csv`)).toBe('Export/Clio/contacts.csv');
  expect(safePath('..')).toBe('file');
});

describe('values of cells', () => {
  test('are kept as texts where a field cannot take them', () => {
    const rest = new texts.Leftovers();
    const cells = ['<a@b.example>, c@d.example; unreadable', undefined];
    expect(texts.emailsOf({ cells, label: 'Email', rest })).toEqual(['a@b.example', 'c@d.example']);
    const phones = ['(555) 010-2030; none', '+1 555 010 4050'];
    expect(texts.phonesOf({ cells: phones, label: 'Phone', rest })).toEqual([
      '(555) 010-2030',
      '+1 555 010 4050',
    ]);
    expect(rest.blockFrom('Clio')).toBe('From Clio\nEmail: unreadable\nPhone: none');
  });

  test('become an address as letters have it', () => {
    const cells = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701' };
    const rest = new texts.Leftovers();
    expect(texts.addressOf(cells, rest)).toBe('1 Main St\nSpringfield, IL 62701');
    expect(texts.addressOf({}, rest)).toBeNull();
  });

  test('name roles in our words and in those of others', () => {
    const words = ['Plaintiff', 'opposing counsel', 'Adjuster', 'witness', 'Neighbor'];
    expect(words.map(texts.roleOf)).toEqual([
      'client',
      'opposingCounsel',
      'insurer',
      'witness',
      null,
    ]);
  });
});

describe('a folder of documents', () => {
  test('is flat, and Documents without one', () => {
    expect(folderOf('Medical/Mercy')).toBe('Medical – Mercy');
    expect(folderOf('\\Medical\\..\\Mercy\u0000\\')).toBe('Medical – Mercy');
    expect([folderOf(), folderOf(' / '), folderOf('__proto__')]).toEqual([
      'Documents',
      'Documents',
      'Documents',
    ]);
  });

  test('keeps the end of a long path', () => {
    const long = folderOf(`${'a very long folder/'.repeat(20)}Mercy`);
    expect(long.length).toBeLessThanOrEqual(200);
    expect(long).toMatch(/^….* – Mercy$/);
  });
});

describe('a name of a document', () => {
  test('has the extension of its file', () => {
    expect(nameOf('Complaint', 'a/b/1234.PDF')).toBe('Complaint.PDF');
    expect(nameOf('Complaint.pdf', 'a/b/1234.PDF')).toBe('Complaint.pdf');
    expect(nameOf('Smith v. Jones', '1234.docx')).toBe('Smith v. Jones.docx');
    expect(nameOf(undefined, 'a\\b\\letter.txt')).toBe('letter.txt');
    expect(nameOf('Motion / Reply', '12.pdf')).toBe('Motion _ Reply.pdf');
    expect(nameOf('..', '')).toBe('Document');
  });

  test('fits into a file system', () => {
    const name = nameOf(undefined, `${'ż'.repeat(200)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/ż…\.pdf$/);
  });
});
