// Lines of a text file of any encoding.

import { isUtf8 } from 'node:buffer';
import type { SourceFile } from './row.ts';

/** Bytes; a longer line comes in pieces. */
const LINE_MAX = 1024 * 1024;
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
    if (rest.length <= LINE_MAX) continue;
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
