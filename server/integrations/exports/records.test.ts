import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_CELL_BYTES, type CsvRecord, readRecords } from './records.ts';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function recordsOf(text: string | Buffer, { size = 64_000, delimiter = ',' } = {}) {
  const bytes = Buffer.from(text as string);
  const records: CsvRecord[] = await Array.fromAsync(readRecords(chunksOf(bytes, size), delimiter));
  return records.map(({ row, cells, problem }) => ({ row, cells: cells.map(String), problem }));
}

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^[a",;\r\n ]{0,8}$/),
  fc.constantFrom('', '"', '\n', '\r\n', 'Müller'),
);

test('records are those that another parser finds, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      async (table, lineEnd, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = table.map((row) => row.map(quoted).join(',')).join(lineEnd);
        const expected: string[][] = parse(text, {
          record_delimiter: [lineEnd],
          relax_column_count: true,
        });
        const found = await recordsOf(text, { size });
        expect(found.map(({ cells }) => cells)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('rows are numbered as in a spreadsheet, with empty ones and line breaks in quotes', async () => {
  expect(await recordsOf('a,b\r\n\r\n"1\r\n2",x\r\ny,z')).toEqual([
    { row: 1, cells: ['a', 'b'], problem: null },
    { row: 2, cells: [''], problem: null },
    { row: 3, cells: ['1\r\n2', 'x'], problem: null },
    { row: 4, cells: ['y', 'z'], problem: null },
  ]);
});

test('a quote in the middle of a cell is a quote, and text after quotes is kept', async () => {
  const [first, second] = await recordsOf('5" pipe,b\n"a"b,c\n');
  expect(first?.cells).toEqual(['5" pipe', 'b']);
  expect(second?.cells).toEqual(['ab', 'c']);
});

test('a cell of 100 MB is a problem of its row alone', async () => {
  async function* huge(): AsyncGenerator<Buffer> {
    yield Buffer.from('a,b\n1,"');
    const piece = Buffer.alloc(MAX_CELL_BYTES, 'x');
    for (let n = 0; n < 100; n += 1) yield piece;
    yield Buffer.from('"\n2,y\n');
  }
  const records = await Array.fromAsync(readRecords(huge(), ','));
  expect(records.map(({ problem }) => problem)).toEqual([
    null,
    { cell: 1, message: 'The cell is longer than 1 MB' },
    null,
  ]);
  expect(records[2]?.cells.map(String)).toEqual(['2', 'y']);
});

test('ten million commas are a problem of their row alone', async () => {
  const records = await recordsOf(`a\n${','.repeat(10_000_000)}\nb\n`);
  expect(records.map(({ cells, problem }) => [cells.length, problem?.message ?? null])).toEqual([
    [1, null],
    [500, 'The row is longer than 4 MB'],
    [1, null],
  ]);
});

test('a row may end in any number of empty cells, and in no more than 500 filled ones', async () => {
  const [empty, filled] = await recordsOf(`a${','.repeat(600)}\n${'x,'.repeat(501)}\n`);
  expect(empty).toMatchObject({ problem: null });
  expect(filled).toMatchObject({ problem: { message: 'The row has more than 500 cells' } });
});

test('a quotation mark that is never closed is said, and not read as data', async () => {
  const records = await recordsOf('a,b\n1,"2\n3,4\n');
  expect(records.at(-1)).toMatchObject({
    row: 2,
    problem: { cell: null, message: expect.stringContaining('never closed') as string },
  });
});
