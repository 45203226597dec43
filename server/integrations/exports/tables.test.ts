import { Readable } from 'node:stream';
import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { fileOf, inWindows1252, filesOf, readExport } from '../../testing/exports.ts';
import { readHeaders, readTable } from './tables.ts';

async function linesOf(content: string | Buffer, path = 'x.csv') {
  return Array.fromAsync(readTable(fileOf(path, content), path));
}

const TABLE = [{ headers: ['Name', 'City'] }, { row: 2, cells: ['Müller', 'Köln'] }];

test.each<[string, string | Buffer]>([
  ['UTF-8', 'Name,City\nMüller,Köln\n'],
  ['UTF-8 with a byte order mark', '\uFEFFName,City\r\nMüller,Köln\r\n'],
  ['Windows-1252 and semicolons', inWindows1252('Name;City\r\nMüller;Köln\r\n')],
  ['tabs', 'Name\tCity\nMüller\tKöln\n'],
  ['UTF-16', Buffer.from('\uFEFFName\tCity\r\nMüller\tKöln\r\n', 'utf16le')],
  ['a line that names the separator', 'sep=|\r\nName|City\r\nMüller|Köln\r\n'],
  ['quotes everywhere', '"Name","City"\n"Müller","Köln"\n'],
])('a table is read from %s', async (form, content) => {
  const lines = await linesOf(content);
  const expected = form.includes('separator') ? [TABLE[0], { ...TABLE[1], row: 3 }] : TABLE;
  expect(lines).toEqual(expected);
});

test('lines above the header are left out', async () => {
  expect(await linesOf('Contacts\n\nName,City\nMüller,Köln\n,\n')).toEqual([
    TABLE[0],
    { row: 4, cells: ['Müller', 'Köln'] },
  ]);
});

test('a table of a single column is a table', async () => {
  expect(await linesOf('Name\nDoe Jane\n')).toEqual([
    { headers: ['Name'] },
    { row: 2, cells: ['Doe Jane'] },
  ]);
});

test('a cell that is not UTF-8 is Windows-1252 by itself, also far below', async () => {
  const long = 'ö'.repeat(2000);
  const many = Buffer.from(`Name,City\n${`Jörg,${long}\n`.repeat(400)}`);
  const lines = await linesOf(Buffer.concat([many, inWindows1252('Müller,'), Buffer.from('Köln')]));
  expect(lines.at(-1)).toEqual({ row: 402, cells: ['Müller', 'Köln'] });
  expect(lines.at(1)).toEqual({ row: 2, cells: ['Jörg', long] });
});

test('apostrophes that a spreadsheet put before signs are removed, others stay', async () => {
  const [, row] = await linesOf("a,b,c\n'+1 555,'-,O'Neil\n");
  expect(row).toEqual({ row: 2, cells: ['+1 555', '-', 'O’Neil'.replace('’', "'")] });
});

test('control characters and lone surrogates do not come', async () => {
  const [, row] = await linesOf('a,b\nx\u0007y\u202E,"1\r\n2\t3"\n');
  expect(row).toEqual({ row: 2, cells: ['xy', '1\n2\t3'] });
  expect((await linesOf('a,b\nMu\u0308ller,x\n'))[1]).toMatchObject({ cells: ['Müller', 'x'] });
});

test('headers that are missing or the same get names of their own', async () => {
  const [first] = await linesOf('Email,,Email\n1,2,3\n');
  expect(first).toEqual({ headers: ['Email', 'Column 2', 'Email (2)'] });
});

test('what is no text is said', async () => {
  expect(await linesOf(Buffer.from([1, 0, 2, 0]))).toEqual([
    {
      file: 'x.csv',
      row: null,
      column: null,
      message: 'The file isn’t text. Save it as CSV UTF-8.',
    },
  ]);
  expect(await linesOf('')).toEqual([]);
});

test.each(['%PDF-1.7\n1 0 obj', '{\\rtf1\\ansi Name, Note\\par}'])(
  'a file that is called a table and begins with %s is none',
  async (content) => {
    expect(await linesOf(content)).toMatchObject([
      { message: 'The file isn’t text. Save it as CSV UTF-8.' },
    ]);
  },
);

test('a problem of a row names its column, and the rows around it are read', async () => {
  const lines = await linesOf(`Name,Note\nA,1\nB,"${'x'.repeat(1_100_000)}"\nC,3\n`);
  expect(lines.slice(1)).toEqual([
    { row: 2, cells: ['A', '1'] },
    { file: 'x.csv', row: 3, column: 'Note', message: 'The cell is longer than 1 MB' },
    { row: 4, cells: ['C', '3'] },
  ]);
});

test('reading only the header leaves the rest of the file alone', async () => {
  const small = fileOf('x.csv', 'Name,x\nA,b\n');
  let read = 0;
  const file = {
    path: 'x.csv',
    size: 1e12,
    open: async () => {
      const stream = await small.open();
      return Readable.from(
        (async function* () {
          yield* stream as AsyncIterable<Buffer>;
          for (; read < 100; read += 1) yield Buffer.alloc(1_000_000, 'x,');
        })(),
      );
    },
  };
  expect(await readHeaders(file)).toEqual([{ path: 'x.csv', headers: ['Name', 'x'] }]);
  expect(read).toBeLessThan(10);
});

test('lists of objects are tables by their members', async () => {
  const lines = await linesOf(
    '{"cases":[{"id":1,"who":{"name":"Doe","at":{"x":1}},"tags":["a","b"],"no":null},{"ok":true}]}',
    'x.json',
  );
  expect(lines).toEqual([
    { headers: ['id', 'who.name', 'who.at', 'tags', 'ok'] },
    { row: 1, cells: ['1', 'Doe', '{"x":1}', 'a, b', ''] },
    { row: 2, cells: ['', '', '', '', 'true'] },
  ]);
  expect(await linesOf('[{', 'x.json')).toMatchObject([{ message: 'The file is not valid JSON' }]);
});

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
