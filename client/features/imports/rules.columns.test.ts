import { describe, expect, test } from 'vitest';
import { importFields, type ImportMapping } from '@matterdesk/contract/imports.ts';
import { oneImport } from '../../testing/factories.ts';
import {
  applyChanges,
  choicesOf,
  columnsOf,
  isMarked,
  missingOf,
  obstacleOf,
  openChoices,
  splitFields,
  unmatchedKinds,
  unmatchedOf,
  wholeFilesOf,
  wordsOf,
} from './rules.columns.ts';

const document = { path: 'Doe/Medical/x.pdf', size: 9, kind: 'documents', headers: [] } as const;
const [contacts, matters] = oneImport().files;
const files = [contacts, matters, { ...document, headers: [] }].filter(
  (file) => file !== undefined,
);

describe('the columns of an import', () => {
  test('are those of each kind, of all its files once', () => {
    const more = {
      path: 'more.csv',
      size: 1,
      kind: 'contacts' as const,
      headers: ['Name', 'Fax', ''],
    };
    expect(columnsOf({ files: [...files, more] })).toEqual([
      {
        kind: 'contacts',
        files: ['contacts.csv', 'more.csv'],
        headers: ['Id', 'Name', 'Email', 'Fax'],
      },
      expect.objectContaining({ kind: 'matters' }),
    ]);
    expect(wholeFilesOf({ files })).toEqual([{ kind: 'documents', count: 1 }]);
  });

  test('without a field are named, and matters and contacts keep theirs in notes', () => {
    const of = oneImport();
    const [, own] = columnsOf(of);
    expect(own && unmatchedOf(of.mapping, own)).toEqual(['Referred By']);
    expect(unmatchedKinds(of)).toEqual({ hasMatters: true, hasContacts: false });
  });
});

describe('required fields', () => {
  test('are missing until one of their group is filled', () => {
    expect(missingOf({}, 'parties')).toEqual([
      { needed: 'matter', words: 'Matter or Matter’s name' },
      { needed: 'contact', words: 'Contact or Contact’s name' },
    ]);
    expect(
      missingOf({ parties: { matterName: 'Matter', contact: { value: '1' } } }, 'parties'),
    ).toEqual([]);
    expect(missingOf({ parties: { matter: null } }, 'parties')).toHaveLength(2);
  });

  test('are marked: each while none is filled, then the first that is', () => {
    const marked = (mapping: ImportMapping) =>
      importFields.contacts
        .filter((field) => isMarked(mapping, 'contacts', field))
        .map(({ key }) => key);
    expect(marked({})).toEqual(['name', 'firstName', 'lastName', 'organization']);
    expect(marked({ contacts: { lastName: 'Last', organization: 'Company' } })).toEqual([
      'lastName',
    ]);
  });

  test('come first with those that are filled, and the others fold', () => {
    const { first, others } = splitFields({ people: { email: 'Email' } }, 'people');
    expect(first.map(({ key }) => key)).toEqual(['name', 'firstName', 'lastName', 'email']);
    expect(others.map(({ key }) => key)).toEqual(['id', 'left']);
    expect(splitFields({}, 'matters').first.map(({ key }) => key)).toContain('type');
  });

  test('hold up the check', () => {
    expect(obstacleOf(oneImport())).toBeNull();
    expect(obstacleOf(oneImport({ mapping: {} }))).toBe('Fill the required fields first.');
    expect(obstacleOf(oneImport({ files: [] }))).toBe('No file is recognized.');
  });
});

describe('what is still to choose', () => {
  const texts = (own: Parameters<typeof oneImport>[0]) =>
    openChoices(oneImport(own)).map(({ at, text }) => [at, text]);

  test('is each type without ours', () => {
    expect(texts({})).toEqual([['words-type', '1 type']]);
  });

  test('is also the column of the type, and what is required', () => {
    const tables = { status: {}, type: {}, people: {} };
    expect(texts({ tables, mapping: { contacts: { name: 'Name' } } })).toEqual([
      ['columns-matters', 'Matters: Case number or Case name'],
      ['columns-matters', 'Type of the matters'],
    ]);
    expect(
      texts({
        tables,
        mapping: { contacts: { name: 'Name' }, matters: { name: 'A', type: { value: 'PI' } } },
      }),
    ).toEqual([]);
  });
});

test('words are sorted, and few fields have a choice of values', () => {
  expect(wordsOf(oneImport(), 'people')).toEqual(['Ama Owusu', 'Lee Farrow']);
  expect(choicesOf('matters', 'type')).toEqual(['Civil', 'PI', 'Med-Mal']);
  expect(choicesOf('matters', 'status')).toContain('Litigation');
  expect(choicesOf('matters', 'statusType')).toEqual(['Active', 'Archive']);
  expect(choicesOf('matters', 'judge')).toBeNull();
  expect(choicesOf('calls', 'type')).toBeNull();
});

test('changes that are not saved yet are shown in their order', () => {
  const after = applyChanges(oneImport(), [
    { mapping: { matters: { judge: 'Referred By', number: null } } },
    { mapping: { matters: { judge: { value: 'Hon. M. Osei' } } } },
    { tables: { type: { Estates: 'Civil' }, people: { 'Lee Farrow': 'lee' } } },
  ]);
  expect(after.mapping.matters).toMatchObject({
    number: null,
    name: 'Description',
    judge: { value: 'Hon. M. Osei' },
  });
  expect(after.tables.type).toEqual({ 'Personal Injury': 'PI', Estates: 'Civil' });
  expect(after.tables.people['Lee Farrow']).toBe('lee');
  expect(oneImport().tables.type).toMatchObject({ Estates: null });
});

test('a table without a header has nothing to read, unlike a file that has none by its nature', () => {
  const file = (path: string, size = 9) => ({ path, size, kind: 'contacts' as const, headers: [] });
  const files = [file('contacts.csv'), file('more.XLSX'), file('cards.vcf', 0), file('jane.vcf')];
  expect(wholeFilesOf({ files })).toEqual([{ kind: 'contacts', count: 1 }]);
  expect(obstacleOf(oneImport({ files: files.slice(0, 3) }))).toBe('No file is recognized.');
  const bills = { ...document, path: 'Doe/bills.csv', size: 0, headers: [] };
  expect(wholeFilesOf({ files: [bills] })).toEqual([{ kind: 'documents', count: 1 }]);
});
