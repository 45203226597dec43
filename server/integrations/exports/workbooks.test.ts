import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { fileOf, filesOf, readExport } from '../../testing/exports.ts';

type Rows = (string | number | Date | null)[][];

function workbook(sheets: Record<string, Rows>, bookType: 'xlsx' | 'xls' = 'xlsx'): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows, { cellDates: false, dateNF: 'd/m/yy' });
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

const MATTERS: Rows = [
  ['All matters'],
  [],
  ['Number', 'Name', 'Date of Injury', 'Client'],
  ['2024-17', 'Doe v. Roe', new Date(2024, 0, 31), 'Jane Doe'],
  [null, null, null, null],
  [12_345_678_901_234, "'-x", null, null],
];

test.each(['xlsx', 'xls'] as const)(
  'each sheet of an .%s is a table, with dates in one form',
  async (type) => {
    const name = `book.${type}`;
    const files = filesOf({
      [name]: workbook(
        {
          Matters: MATTERS,
          Empty: [],
          People: [
            ['Name', 'Email'],
            ['Ann', 'a@x'],
          ],
        },
        type,
      ),
    });
    const { files: found, rows } = await readExport('spreadsheet', files);
    expect(found.map(({ path, kind }) => [path, kind])).toEqual([
      [`${name}#Matters`, 'matters'],
      [`${name}#People`, 'people'],
    ]);
    expect(rows).toEqual([
      {
        file: `${name}#Matters`,
        row: 4,
        cells: { number: '2024-17', name: 'Doe v. Roe', DOI: '2024-01-31', client: 'Jane Doe' },
        rest: {},
      },
      {
        file: `${name}#Matters`,
        row: 6,
        cells: { number: '12345678901234', name: '-x' },
        rest: {},
      },
      { file: `${name}#People`, row: 2, cells: { name: 'Ann', email: 'a@x' }, rest: {} },
    ]);
  },
);

test('a workbook of one sheet keeps its name', async () => {
  const { files } = await readExport(
    'clio',
    filesOf({
      'contacts.xlsx': workbook({
        A: [
          ['Name', 'x'],
          ['B', ''],
        ],
      }),
    }),
  );
  expect(files).toMatchObject([
    { path: 'contacts.xlsx', kind: 'contacts', headers: ['Name', 'x'] },
  ]);
});

test('what is no workbook is said', async () => {
  const { rows } = await readExport('clio', filesOf({ 'contacts.xlsx': 'PK no zip' }));
  expect(rows).toEqual([
    {
      file: 'contacts.xlsx',
      row: null,
      column: null,
      message: 'The workbook is damaged or isn’t an Excel file. Save it as CSV.',
    },
  ]);
});

test('a workbook that is too large is not read', async () => {
  const { rows } = await readExport('clio', [
    { ...fileOf('contacts.xlsx', 'x'), size: 60 * 1024 * 1024 },
  ]);
  expect(rows).toMatchObject([{ message: 'The workbook is larger than 50 MB. Save it as CSV.' }]);
});
