// Exports of other systems, as the import reads them: files, and their rows by field.

import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { ImportKind, ImportMapping } from '@matterdesk/contract/imports.ts';

/** A file of an export; `path` is relative, with slashes. */
export type SourceFile = {
  path: string;
  /** Bytes. */
  size: number;
  /** Changes whenever the bytes do: a checksum, or the modification time. */
  mark?: string;
  open: () => Promise<Readable>;
  /** Bytes from `start` to `end`, which is left out; absent for a file that is packed. */
  openAt?: (start: number, end: number) => Promise<Readable>;
};

/** A row of a file, or a whole file (a document, a mail, a card, an event) as if it were one. */
export type SourceRow = {
  file: string;
  /** Counted like a spreadsheet: the header is row 1. Of files without rows, the place of the item from 1. */
  row: number;
  /**
   * Values by the fields of the contract's `importFields`, and by those that only our own packs have; without those
   * that are blank.
   */
  cells: Record<string, string>;
  /** Columns that no field takes, by header; without those that are blank. */
  rest: Record<string, string>;
  /** Its texts are never HTML, even if they look like it. */
  isPlain?: true;
  /** Bytes of a document or of a mail. */
  bytes?: Pick<SourceFile, 'size' | 'mark' | 'open'>;
};

/** An export, or a file of it, that cannot be read. The message is for users. */
export class UnreadableExport extends Error {}

/** A row that cannot be read at all. */
export type BadRow = { file: string; row: number | null; column: string | null; message: string };

export const isBadRow = (row: SourceRow | BadRow): row is BadRow => 'message' in row;

/** A file of an export, once recognized. */
export type RecognizedFile = {
  path: string;
  size: number;
  /** Null for a file that nothing is read from. */
  kind: ImportKind | null;
  headers: string[];
};

export type RecognizedExport = { files: RecognizedFile[]; mapping: ImportMapping };

// Lines of a text file of any encoding.

/** Bytes; a longer line comes in pieces. */
const MAX_LINE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

const windows = new TextDecoder('windows-1252');

/** Each as UTF-8, else as Windows-1252; without its end. */
export async function* readLines(file: SourceFile): AsyncGenerator<string> {
  const first = { isFirst: true };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let end; (end = bytes.indexOf(LINE_FEED, from)) !== -1; from = end + 1)
      yield decoded(bytes.subarray(from, end), first);
    rest = bytes.subarray(from);
    if (rest.length <= MAX_LINE_BYTES) continue;
    yield decoded(rest, first);
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield decoded(rest, first);
}

function decoded(bytes: Buffer, state: { isFirst: boolean }): string {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : windows.decode(bytes);
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  const plain = state.isFirst ? line.replace(/^\uFEFF/, '') : line;
  state.isFirst = false;
  return plain;
}
