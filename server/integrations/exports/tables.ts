// Tables of an export: CSV, Excel and JSON.

import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import * as z from 'zod/mini';
import { delimiterOf } from '@matterdesk/contract/cases.ts';
import { parseJson } from '../../core/json.ts';
import { StandbyProcess } from '../confinement/confined-process.ts';
import { cleaned, headersOf, MAX_COLUMNS, readRecords } from './records.ts';
import { type BadRow, type SourceFile, UnreadableExport } from './source.ts';

/** A row of a table; cells in the order of the headers. */
export type TableRow = { row: number; cells: string[] };
/** The header comes first, unless the file cannot be read. */
type Line = { headers: string[] } | TableRow | BadRow;

/** Bytes from which encoding and delimiter are seen. */
const HEAD_BYTES = 1024 * 1024;
const FIRST_LINES = 64 * 1024;
/** Rows above the header that reports begin with. */
const MAX_PREFACE_ROWS = 20;

const WORKBOOK = /\.(?:xlsx|xlsm|xls)$/i;
/** Sheets are files of their own: `Book.xlsx#Contacts`. */
const SHEET = /^(.+\.(?:xlsx|xlsm|xls))#([^/]+)$/i;

export function isTable(path: string): boolean {
  return /\.(?:csv|tsv|tab|json)$/i.test(path) || WORKBOOK.test(path);
}

export function filePathOf(tablePath: string): string {
  return SHEET.exec(tablePath)?.[1] ?? tablePath;
}

/** Headers of the tables of a file, by path; none of a file that cannot be read. */
export async function readHeaders(
  file: SourceFile,
): Promise<{ path: string; headers: string[] }[]> {
  if (WORKBOOK.test(file.path)) return readHeadersOfSheets(file);
  for await (const line of readTable(file, file.path))
    return [{ path: file.path, headers: 'headers' in line ? line.headers : [] }];
  return [{ path: file.path, headers: [] }];
}

/** @param tablePath as `readHeaders` gave it */
export async function* readTable(file: SourceFile, tablePath: string): AsyncGenerator<Line> {
  const bad = { file: tablePath, row: null, column: null };
  try {
    if (WORKBOOK.test(file.path)) yield* readSheet(file, tablePath);
    else if (/\.json$/i.test(file.path)) yield* readList(file);
    else yield* readCsv(file);
  } catch (error) {
    if (!(error instanceof UnreadableExport)) throw error;
    yield { ...bad, message: error.message };
  }
}

async function readHeadersOfSheets(file: SourceFile) {
  const sheets = new Map<string, string[]>();
  try {
    for await (const row of readSheets(file, { rows: MAX_PREFACE_ROWS + 1 })) {
      const found = sheets.get(row.sheet);
      if (!found && isHeader(row)) sheets.set(row.sheet, headersOf(row.cells.map(cleaned)));
    }
  } catch (error) {
    if (!(error instanceof UnreadableExport)) throw error;
    return [{ path: file.path, headers: [] }];
  }
  if (sheets.size < 2) return [{ path: file.path, headers: [...sheets.values()][0] ?? [] }];
  return [...sheets].map(([name, headers]) => ({ path: `${file.path}#${name}`, headers }));
}

function isHeader({ row, cells }: SheetRow): boolean {
  return cells.filter((cell) => cell.trim() !== '').length > 1 || row >= MAX_PREFACE_ROWS;
}

async function* readSheet(file: SourceFile, tablePath: string): AsyncGenerator<Line> {
  const sheet = SHEET.exec(tablePath)?.[2] ?? null;
  let first: string | undefined;
  for await (const row of readSheets(file, { sheet })) {
    const cells = row.cells.map(cleaned);
    if (first === undefined && !isHeader(row)) continue;
    if (first === undefined) yield { headers: headersOf(cells) };
    else if (row.sheet === first) yield { row: row.row, cells };
    first ??= row.sheet;
  }
}

async function* readList(file: SourceFile): AsyncGenerator<Line> {
  const { headers, rows } = await readObjects(file);
  yield { headers: headersOf(headers) };
  for (const [index, row] of rows.entries())
    yield { row: index + 1, cells: headers.map((header) => row[header] ?? '') };
}

async function* readCsv(file: SourceFile): AsyncGenerator<Line> {
  const stream = (await file.open()) as AsyncIterable<Buffer>;
  const chunks = stream[Symbol.asyncIterator]();
  try {
    const head = await peek(chunks);
    const form = formOf(head);
    if (form) yield* readText(file, form, withHead(head, chunks));
    else {
      const message = 'The file isn’t text. Save it as CSV UTF-8.';
      yield { file: file.path, row: null, column: null, message };
    }
  } finally {
    await chunks.return?.();
  }
}

async function* readText(
  file: SourceFile,
  { charset, delimiter }: Form,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<Line> {
  const text = charset.startsWith('utf-16') ? recoded(bytes, charset) : bytes;
  let headers: string[] | undefined;
  for await (const { row, cells, problem } of readRecords(text, delimiter)) {
    const values = cells.map((cell) => decoded(cell, charset));
    if (headers === undefined) {
      const isPreface = values.filter(Boolean).length < 2 && delimiter !== NONE;
      if (isPreface && row < MAX_PREFACE_ROWS) continue;
      headers = headersOf(values);
      yield { headers };
    } else if (problem) {
      const column = problem.cell === null ? null : (headers[problem.cell] ?? null);
      yield { file: file.path, row, column, message: problem.message };
    } else if (values.some((value) => value !== '')) {
      yield { row, cells: values.slice(0, MAX_COLUMNS) };
    }
  }
}

async function peek(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(parts);
}

async function* withHead(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return;
    yield next.value;
  }
}

type Charset = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';
type Form = { charset: Charset; delimiter: string };
/** Parts the cells of a table that has one column. */
const NONE = '\u0001';

/** Undefined for what is not text. */
function formOf(head: Buffer): Form | undefined {
  const charset = charsetOf(head);
  if (!charset) return undefined;
  const text = new TextDecoder(charset).decode(head.subarray(0, FIRST_LINES));
  const [, named] = /^sep=([,;\t|])\r?(?:\n|$)/i.exec(text) ?? [];
  const lines = text.split(/\r\n?|\n/, MAX_PREFACE_ROWS);
  const header = lines.find((line) => /[,;\t]/.test(line));
  return { charset, delimiter: named ?? (header === undefined ? NONE : delimiterOf(header)) };
}

function charsetOf(head: Buffer): Charset | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.includes(0) || /^(?:%PDF-|\{\\rtf)/.test(head.toString('latin1', 0, 5)))
    return undefined;
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

async function* recoded(bytes: AsyncIterable<Buffer>, charset: Charset): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(charset);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const windows = new TextDecoder('windows-1252');

/** A file that begins as UTF-8 may have cells that were pasted into it from elsewhere. */
function decoded(cell: Buffer, charset: Charset): string {
  const isUtf = charset !== 'windows-1252' && isUtf8(cell);
  return cleaned(isUtf ? cell.toString('utf8') : windows.decode(cell));
}

// Answers of a JSON interface as tables: a list of objects, by member.

/** Bytes of a file, which is parsed as a whole. */
const MAX_JSON_BYTES = 50 * 1024 * 1024;

/** @throws UnreadableExport */
async function readObjects(
  file: SourceFile,
): Promise<{ headers: string[]; rows: Record<string, string>[] }> {
  if (file.size > MAX_JSON_BYTES) throw new UnreadableExport('The file is larger than 50 MB');
  const parts: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) parts.push(chunk);
  const rows = listIn(parsed(Buffer.concat(parts))).map((one) => flattened(one));
  const headers = new Set(rows.flatMap((row) => Object.keys(row)));
  return { headers: [...headers].slice(0, MAX_COLUMNS), rows };
}

function parsed(bytes: Buffer): unknown {
  const value = parseJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (value === undefined) throw new UnreadableExport('The file is not valid JSON');
  return value;
}

/** The list itself, or the only list among the members of an object. */
function listIn(value: unknown): object[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  const [only] = lists;
  return lists.length === 1 && only?.every(isObject) ? only : [value];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members of members are named with a dot; lists of texts are one text. */
function flattened(value: object, prefix = ''): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key;
    if (isObject(member) && prefix === '') Object.assign(cells, flattened(member, `${key}.`));
    else {
      const text = textOf(member);
      if (text !== '') cells[name] = text;
    }
  }
  return cells;
}

function textOf(member: unknown): string {
  if (typeof member === 'string') return cleaned(member);
  if (typeof member === 'number' || typeof member === 'boolean') return String(member);
  if (Array.isArray(member) && member.every((one) => typeof one !== 'object'))
    return member.map(String).join(', ');
  return member === null ? '' : JSON.stringify(member);
}

// Sheets of Excel files, read in a confined process.

export type Order = {
  /** Null for all. */
  sheet: string | null;
  /** Most rows of a sheet; null for all. */
  rows: number | null;
  columns: number;
  /** Bytes that follow. */
  size: number;
};

const ReplySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sheet'), name: z.string() }),
  z.object({
    type: z.literal('rows'),
    /** Number of the first, from 1. */
    from: z.int(),
    rows: z.array(z.array(z.string())),
  }),
  z.object({ type: z.literal('unreadable'), isLocked: z.boolean() }),
  z.object({ type: z.literal('end') }),
]);
export type Reply = z.infer<typeof ReplySchema>;

const MEBIBYTE = 1024 * 1024;
const MAX_WORKBOOK_BYTES = 50 * MEBIBYTE;
const MAX_MEMORY_BYTES = 900 * MEBIBYTE;
/** Milliseconds between two replies. */
const REPLY_TIMEOUT_MS = 120_000;
const AS_CSV = 'Save it as CSV.';

const program = { script: path.join(import.meta.dirname, 'workbook-child.ts'), heap: 600 };
const spare = new StandbyProcess(program, { longest: 300 * MEBIBYTE, rest: 10_000 });

type SheetRow = { sheet: string; row: number; cells: string[] };

/**
 * Rows of a workbook, its sheets one after the other; those that are empty are left out.
 * @throws UnreadableExport
 */
async function* readSheets(
  file: SourceFile,
  { sheet = null, rows = null }: { sheet?: string | null; rows?: number | null },
): AsyncGenerator<SheetRow> {
  if (file.size > MAX_WORKBOOK_BYTES)
    throw new UnreadableExport(`The workbook is larger than 50 MB. ${AS_CSV}`);
  const child = await spare.take();
  child.watchMemory(MAX_MEMORY_BYTES);
  try {
    const order: Order = { sheet, rows, columns: MAX_COLUMNS, size: file.size };
    const fed = child.feed(order, await file.open());
    let name = '';
    for (;;) {
      const reply = await child
        .within(REPLY_TIMEOUT_MS, () => child.receiveAs(ReplySchema))
        .catch(() => undefined);
      const broken = reply ? undefined : await fed;
      if (broken) throw broken;
      if (!reply) throw new UnreadableExport(`The workbook takes too much to read. ${AS_CSV}`);
      if (reply.type === 'unreadable') throw new UnreadableExport(reasonOf(reply));
      if (reply.type === 'end') return;
      if (reply.type === 'sheet') ({ name } = reply);
      else
        for (const [index, cells] of reply.rows.entries())
          if (cells.some((cell) => cell.trim() !== ''))
            yield { sheet: name, row: reply.from + index, cells };
    }
  } finally {
    child.kill();
  }
}

function reasonOf({ isLocked }: { isLocked: boolean }): string {
  return isLocked
    ? 'The workbook is password-protected. Save a copy without the password.'
    : `The workbook is damaged or isn’t an Excel file. ${AS_CSV}`;
}
