import { Readable, pipeline } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import '@fastify/multipart';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidField, Refusal } from '../core/refusal.ts';
import { withFirstItem } from './stream-list.ts';

const SLICE = 65_536;

/** A cell that a spreadsheet would run as a formula, also if it splits at semicolons or tabs; or one that `guard` has escaped. */
const FORMULA = /(?:^'*|[;\t])[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Escapes a formula with a leading apostrophe. */
function guard(cell: string) {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function unguard(cell: string) {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Streams rows as a CSV download (RFC 4180), with formulas escaped. */
export async function sendCsv(
  reply: FastifyReply,
  { name, columns }: { name: string; columns: string[] },
  rows: AsyncIterable<string[]>,
): Promise<undefined> {
  const today = new Date().toISOString().slice(0, 10);
  const cells = stringify({
    header: true,
    columns,
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: true,
    cast: { string: guard },
  });
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
  /** Maps a header to its column; undefined for an unknown header. */
  columnOf: (header: string) => string | undefined;
  required: string[];
};

/** Cells by column. `row` is numbered as in a spreadsheet, where the header is row 1. */
export type NumberedRow = { row: number; cells: Record<string, string> };

/**
 * Reads the file of a multipart upload as CSV.
 * @throws Refusal invalidInput for anything but CSV in UTF-8 with the right header, tooLarge
 */
export async function readCsvUpload(
  request: FastifyRequest,
  upload: CsvUpload,
): Promise<NumberedRow[]> {
  const bytes = await readFile(request, upload.bytes);
  const text = decode(bytes);
  try {
    return await readRows(text, upload);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidField('file', `The file is not valid CSV near line ${Number(error['lines'])}`);
  }
}

async function readFile(request: FastifyRequest, fileSize: number): Promise<Buffer> {
  try {
    let bytes: Buffer | undefined;
    for await (const part of request.parts({ limits: { fileSize, files: 2, fields: 1 } })) {
      if (part.type === 'field') throw invalidField(part.fieldname, 'Only a file is accepted');
      if (part.fieldname !== 'file') throw invalidField('file', 'Choose a CSV file');
      if (bytes) throw invalidField('file', 'Choose one CSV file');
      bytes = await part.toBuffer();
    }
    if (!bytes) throw invalidField('file', 'Choose a CSV file');
    return bytes;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if ((error as { statusCode?: unknown }).statusCode === 413)
      throw new Refusal('tooLarge', 'The file is too large');
    throw new Refusal('invalidInput', 'The upload is not valid multipart data', { cause: error });
  }
}

function decode(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = 'The file isn’t UTF-8. Save it as CSV UTF-8.';
    throw new Refusal('invalidInput', message, { cause, errors: [{ path: 'file', message }] });
  }
}

async function readRows(text: string, upload: CsvUpload): Promise<NumberedRow[]> {
  const rows: NumberedRow[] = [];
  const parser = Readable.from(inSlices(text)).pipe(
    parse({
      columns: (headers: string[]) => readHeader(headers, upload),
      cast: (cell, { header }) => (header ? cell : unguard(cell)),
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
    rows.push({ row: info.records + info.empty_lines + 1, cells });
    if (rows.length > upload.rows)
      throw new Refusal('tooLarge', `A file can have at most ${upload.rows} rows`);
  }
  if (rows.length === 0) throw invalidField('file', 'The file has no rows');
  return rows;
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

function readHeader(headers: string[], { columnOf, required }: CsvUpload): string[] {
  const columns = headers.map((header) => {
    const column = columnOf(header);
    if (!column) throw invalidField('file', `${quoted(header)} isn’t a Matterdesk column`);
    return column;
  });
  const missing = required.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    throw invalidField('file', `The header is missing the column ${missing.join(', ')}`);
  if (new Set(columns).size < columns.length)
    throw invalidField('file', 'The header has a duplicate column');
  return columns;
}

function quoted(header: string) {
  return `"${header.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 60)}"`;
}
