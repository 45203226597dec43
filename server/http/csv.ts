import { Readable, pipeline } from 'node:stream';
import '@fastify/multipart';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { stringify as stringifyAll } from 'csv-stringify/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeText, delimiterOf } from '@matterdesk/contract/cases.ts';
import { guardFormula, unguardFormula } from '../core/formulas.ts';
import { PackedList } from '../core/packed.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import { yieldToEventLoop } from '../core/time-slices.ts';
import { withFirstItem } from './streams.ts';
import { fileTooLarge } from './upload.ts';

/** A slice of separators alone takes the parser some 30 ms. */
const SLICE = 16_384;
/** Spreadsheets of other products have up to about a hundred. */
const MAX_COLUMNS = 500;
const limits = { files: 2, fields: 4, fieldSize: 20_000 };

const form = {
  header: true,
  record_delimiter: 'windows' as const,
  quoted: true,
  quoted_empty: true,
  cast: { string: guardFormula },
};

/** A table of few rows as CSV (RFC 4180), with formulas escaped. */
export function writeCsv(columns: string[], rows: string[][]): string {
  return stringifyAll(rows, { ...form, columns });
}

/** Streams rows as a CSV download (RFC 4180), with formulas escaped. */
export async function sendCsv(
  reply: FastifyReply,
  { name, columns }: { name: string; columns: string[] },
  rows: AsyncIterable<string[]>,
): Promise<undefined> {
  const today = new Date().toISOString().slice(0, 10);
  const cells = stringify({ ...form, columns });
  pipeline(Readable.from(await withFirstItem(rows)), cells, (error) => {
    if (error) reply.raw.destroy(error);
  });
  await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}-${today}.csv"`)
    .send(cells);
  return undefined;
}

/** Limits of an upload, and its columns. */
export type CsvUpload = {
  bytes: number;
  rows: number;
  /** Text fields that may come with the file. */
  fields: readonly string[];
  /** The column of each header; undefined for an unknown header, null for one that is left out. */
  columnsOf: (headers: string[], fields: Record<string, string>) => (string | null | undefined)[];
  required: string[];
};

/** Cells by column. `row` is numbered as in a spreadsheet, where the header is row 1. */
export type NumberedRow = { row: number; cells: Record<string, string> };

/** A file's rows, its headers with their columns, and the text fields that came with it. */
export type CsvTable = {
  rows: PackedList<NumberedRow>;
  headers: string[];
  mapping: Record<string, string>;
  fields: Record<string, string>;
};

/**
 * Reads the file of a multipart upload as CSV.
 * @throws Refusal invalidInput for anything but CSV with the right header, tooLarge
 */
export async function readCsvUpload(request: FastifyRequest, upload: CsvUpload): Promise<CsvTable> {
  const { bytes, fields } = await readFile(request, upload);
  const text = decode(bytes);
  try {
    return await readRows(text, upload, fields);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidField('file', `The file is not valid CSV near line ${Number(error['lines'])}`);
  }
}

async function readFile(request: FastifyRequest, upload: CsvUpload) {
  const fields: Record<string, string> = {};
  try {
    let bytes: Buffer | undefined;
    for await (const part of request.parts({ limits: { ...limits, fileSize: upload.bytes } })) {
      if (part.type === 'field') {
        if (!upload.fields.includes(part.fieldname) || part.fieldname in fields)
          throw invalidField(part.fieldname, 'Only a file is accepted');
        fields[part.fieldname] = String(part.value);
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField('file', 'Choose a CSV file');
      if (bytes) throw invalidField('file', 'Choose one CSV file');
      bytes = await part.toBuffer();
    }
    if (!bytes) throw invalidField('file', 'Choose a CSV file');
    return { bytes, fields };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if ((error as { statusCode?: unknown }).statusCode === 413) throw fileTooLarge(upload.bytes);
    throw new Refusal('invalidInput', 'The upload is not valid multipart data', { cause: error });
  }
}

function decode(bytes: Buffer): string {
  const text = decodeText(bytes, (some, charset) =>
    new TextDecoder(charset, { fatal: true }).decode(some),
  );
  if (text === undefined) throw invalidField('file', 'The file isn’t text. Save it as CSV UTF-8.');
  return text;
}

async function readRows(
  text: string,
  upload: CsvUpload,
  fields: Record<string, string>,
): Promise<CsvTable> {
  const rows = new PackedList<NumberedRow>();
  let headers: string[] = [];
  let columns: (string | null)[] = [];
  const parser = Readable.from(inSlices(text)).pipe(
    parse({
      delimiter: delimiterOf(text),
      columns: (found: string[]) => {
        if (found.length > MAX_COLUMNS)
          throw invalidField('file', `A file can have at most ${MAX_COLUMNS} columns`);
        headers = found.map((header) => header.trim());
        columns = readHeader(headers, upload, fields);
        return columns;
      },
      cast: (cell, { header }) => (header ? cell : unguardFormula(cell)),
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
      max_record_size: 100_000,
      bom: true,
    }),
  );
  for await (const { record: cells, info } of parser as AsyncIterable<Parsed>) {
    // Spreadsheets append empty rows of commas.
    if (Object.values(cells).every((cell) => cell.trim() === '')) continue;
    rows.push([{ row: info.records + info.empty_lines + 1, cells }]);
    if (rows.length > upload.rows)
      throw new Refusal('tooLarge', `A file can have at most ${upload.rows} rows`);
  }
  if (rows.length === 0) throw invalidField('file', 'The file has no rows');
  const mapping: Record<string, string> = {};
  for (const [at, column] of columns.entries())
    if (column !== null) mapping[column] = headers[at] ?? '';
  return { rows, headers, mapping, fields };
}

type Parsed = {
  record: Record<string, string>;
  info: { records: number; empty_lines: number };
};

/** Slices the text so that the event loop runs between the parser's slices. */
async function* inSlices(text: string) {
  for (let start = 0; start < text.length; start += SLICE) {
    yield text.slice(start, start + SLICE);
    await yieldToEventLoop();
  }
}

function readHeader(
  headers: string[],
  { columnsOf, required }: CsvUpload,
  fields: Record<string, string>,
): (string | null)[] {
  const columns = columnsOf(headers, fields).map((column, at) => {
    if (column === undefined)
      throw invalidField('file', `${quoted(headers[at] ?? '')} isn’t a Matterdesk column`);
    return column;
  });
  const used = columns.filter((column) => column !== null);
  const missing = required.filter((column) => !used.includes(column));
  if (missing.length > 0)
    throw invalidField('file', `The header is missing the column ${missing.join(', ')}`);
  if (new Set(used).size < used.length)
    throw invalidField('file', 'The header has a duplicate column');
  return columns;
}

function quoted(header: string) {
  return `"${header.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 60)}"`;
}
