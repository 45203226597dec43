// Records of CSV (RFC 4180), read from bytes so that each cell can be decoded by itself.

import { normalized } from '@matterdesk/contract/normalization.ts';
import { unguardFormula } from '../../core/formulas.ts';

/** Bytes of a cell and of a record, and cells of a record. */
export const MAX_CELL_BYTES = 1024 * 1024;
const MAX_RECORD_BYTES = 4 * MAX_CELL_BYTES;
export const MAX_COLUMNS = 500;

const [LINE_FEED, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/** Numbered from 1, as a spreadsheet does: a line break within quotes begins no row. */
export type CsvRecord = { row: number; cells: Buffer[]; problem: RecordProblem | null };
type RecordProblem = {
  /** Index of the cell; null for a problem of the whole row. */
  cell: number | null;
  message: string;
};

const EMPTY = Buffer.alloc(0);

const problems = {
  cell: 'The cell is longer than 1 MB',
  row: 'The row is longer than 4 MB',
  columns: `The row has more than ${MAX_COLUMNS} cells`,
  open: 'A quotation mark is never closed, so the rest of the file was not read',
};

/** Yields the records of a file. What is over a limit is skipped, and its record says so. */
export async function* readRecords(
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const parser = new RecordParser(delimiter.charCodeAt(0));
  for await (const chunk of bytes) yield* parser.push(chunk);
  yield* parser.end();
}

type Mode = 'start' | 'plain' | 'quoted' | 'quote';

/** Constant memory: a record at most, and the chunk. */
class RecordParser {
  readonly #delimiter: number;
  #mode: Mode = 'start';
  #row = 1;
  #wasReturn = false;
  #cells: Buffer[] = [];
  #count = 0;
  #pieces: Buffer[] = [];
  /** Bytes of the cell, and of the record. */
  #length = 0;
  #total = 0;
  #problem: RecordProblem | null = null;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  *push(chunk: Buffer): Generator<CsvRecord> {
    for (let at = 0; at < chunk.length;) {
      if (this.#mode === 'start') at = this.#begin(chunk, at);
      else if (this.#mode === 'quoted') at = this.#readQuoted(chunk, at);
      else if (this.#mode === 'quote') at = this.#readQuote(chunk, at);
      else at = this.#readPlain(chunk, at);
      if (this.#mode !== 'plain' || at >= chunk.length) continue;
      const byte = chunk[at];
      at += 1;
      this.#endCell();
      if (byte !== this.#delimiter) {
        this.#wasReturn = byte === RETURN;
        yield this.#endRecord();
      }
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#mode === 'quoted') this.#fail(null, problems.open);
    const isEmpty = this.#mode === 'start' && this.#count === 0;
    if (isEmpty) return;
    this.#endCell();
    yield this.#endRecord();
  }

  #begin(chunk: Buffer, at: number): number {
    const byte = chunk[at];
    if (this.#wasReturn && byte === LINE_FEED) {
      this.#wasReturn = false;
      return at + 1;
    }
    this.#wasReturn = false;
    this.#mode = byte === QUOTE ? 'quoted' : 'plain';
    return byte === QUOTE ? at + 1 : this.#readPlain(chunk, at);
  }

  #readPlain(chunk: Buffer, at: number): number {
    let end = at;
    for (; end < chunk.length; end += 1) {
      const byte = chunk[end];
      if (byte === this.#delimiter || byte === LINE_FEED || byte === RETURN) break;
    }
    this.#keep(chunk, at, end);
    return end;
  }

  #readQuoted(chunk: Buffer, at: number): number {
    const quote = chunk.indexOf(QUOTE, at);
    this.#keep(chunk, at, quote === -1 ? chunk.length : quote);
    if (quote === -1) return chunk.length;
    this.#mode = 'quote';
    return quote + 1;
  }

  /** After a quote within quotes: a second one is a quote, anything else ends them. */
  #readQuote(chunk: Buffer, at: number): number {
    if (chunk[at] !== QUOTE) {
      this.#mode = 'plain';
      return this.#readPlain(chunk, at);
    }
    this.#mode = 'quoted';
    this.#keep(chunk, at, at + 1);
    return at + 1;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    this.#length += end - start;
    if (this.#length > MAX_CELL_BYTES) this.#fail(this.#count, problems.cell);
    if (this.#total + this.#length > MAX_RECORD_BYTES) this.#fail(null, problems.row);
    if (end > start && !this.#problem) this.#pieces.push(chunk.subarray(start, end));
  }

  #fail(cell: number | null, message: string): void {
    this.#problem ??= { cell, message };
    this.#pieces = [];
  }

  #endCell(): void {
    const [only] = this.#pieces;
    const cell = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : (only ?? EMPTY);
    this.#total += this.#length + 1;
    if (this.#total > MAX_RECORD_BYTES) this.#fail(null, problems.row);
    if (this.#count < MAX_COLUMNS) this.#cells.push(cell);
    else if (cell.length > 0) this.#fail(null, problems.columns);
    this.#count += 1;
    this.#length = 0;
    if (only) this.#pieces = [];
    this.#mode = 'start';
  }

  #endRecord(): CsvRecord {
    const record = { row: this.#row, cells: this.#cells, problem: this.#problem };
    this.#row += 1;
    this.#cells = [];
    this.#count = 0;
    this.#total = 0;
    this.#problem = null;
    return record;
  }
}

// Cells and headers of any table, as the database takes them.

/** Control characters, and overrides of the direction of writing, which deceive. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const PLAIN = /^[\n\t -~]*$/;
const MAX_HEADER_LENGTH = 300;

/** Without what a spreadsheet added. */
export function cleaned(text: string): string {
  // Most cells are short and plain.
  if (PLAIN.test(text)) return unguardFormula(text.trim());
  const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').toWellFormed();
  return unguardFormula(normalized(plain.replace(/^\uFEFF/, '')).trim());
}

/** Headers on one line each, all different. */
export function headersOf(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.slice(0, MAX_COLUMNS).map((cell, index) => {
    const words = cleaned(cell.slice(0, MAX_HEADER_LENGTH)).replaceAll(/\s+/g, ' ');
    const wanted = words.slice(0, MAX_HEADER_LENGTH - 10) || `Column ${index + 1}`;
    let header = wanted;
    for (let n = 2; taken.has(header); n += 1) header = `${wanted} (${n})`;
    taken.add(header);
    return header;
  });
}
