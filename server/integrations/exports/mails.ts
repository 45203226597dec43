// Emails of an export: one in an .eml, or many in an .mbox of any size.

import { close, open as openFd, read as readFd, unlink, write as writeFd } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import { promisify } from 'node:util';
import { decodeWords } from 'postal-mime';
import { parseMoment } from './dates.ts';
import { cleaned } from './records.ts';
import type { BadRow, SourceFile, SourceRow } from './source.ts';

/** Bytes of an email, and of its head. */
const MAX_MAIL_BYTES = 100 * 1024 * 1024;
const MAX_HEAD_BYTES = 256 * 1024;
const MAX_VALUE_LENGTH = 2000;
const TOO_LARGE = 'The email is larger than 100 MB';

/** The email of an .eml file is its only row. */
export async function* readMail(file: SourceFile): AsyncGenerator<SourceRow | BadRow> {
  const at = { file: file.path, row: 1 };
  if (file.size > MAX_MAIL_BYTES) {
    yield { ...at, column: null, message: TOO_LARGE };
    return;
  }
  const head: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    head.push(chunk);
    length += chunk.length;
    if (length >= MAX_HEAD_BYTES) break;
  }
  const cells = { ...cellsOf(Buffer.concat(head)), path: file.path };
  yield { ...at, cells, rest: {}, bytes: { size: file.size, open: file.open } };
}

/**
 * Each email of an .mbox is a row, numbered from 1. The bytes of a row can be opened as long as it is in use.
 * @param after the row that was done
 */
export async function* readMailbox(
  file: SourceFile,
  after: number,
): AsyncGenerator<SourceRow | BadRow> {
  const splitter = new MailboxSplitter(MAX_HEAD_BYTES);
  const spool = file.openAt ? undefined : await Spool.open();
  const openAt = file.openAt ?? ((start, end) => Promise.resolve(spool?.read(start, end)));
  let row = 0;
  for await (const message of messagesOf(file, splitter, spool)) {
    row += 1;
    if (row > after) yield rowOf(message, { file, row, openAt });
  }
  if (row === 0)
    yield { file: file.path, row: null, column: null, message: 'The file has no emails' };
}

async function* messagesOf(
  file: SourceFile,
  splitter: MailboxSplitter,
  spool: Spool | undefined,
): AsyncGenerator<Message> {
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    await spool?.write(chunk);
    yield* splitter.push(chunk);
  }
  yield* splitter.end();
}

type Place = {
  file: SourceFile;
  row: number;
  openAt: (start: number, end: number) => Promise<Readable | undefined>;
};

function rowOf(
  { start, end, quoted, head }: Message,
  { file, row, openAt }: Place,
): SourceRow | BadRow {
  const at = { file: file.path, row };
  const size = end - start - quoted;
  if (size > MAX_MAIL_BYTES) return { ...at, column: null, message: TOO_LARGE };
  const open = async () => {
    const raw = await openAt(start, end);
    if (!raw) throw new Error('no bytes');
    return quoted === 0 ? raw : pipeline(raw, unquoting(), () => undefined);
  };
  return { ...at, cells: cellsOf(head), rest: {}, bytes: { size, open } };
}

/** Names an email; the whole of it is parsed elsewhere. */
function cellsOf(head: Buffer): Record<string, string> {
  const headers = headersOf(head);
  const date = headers.get('date');
  const at = date && parseMoment(date.replace(/\([^()]*\)$/, ''), { form: 'dmy', timeZone: 'UTC' });
  const id = /<[^<>\s]+>/.exec(headers.get('message-id') ?? '')?.[0];
  const subject = decodeWords(headers.get('subject') ?? '');
  return {
    ...(id && { id: id.slice(1, -1) }),
    ...(subject.trim() && { subject: cleaned(subject) }),
    ...(at && { at }),
  };
}

const WANTED = /^(message-id|subject|date):(.*)$/is;

/** The first of each. */
function headersOf(head: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  const text = head.toString(head.includes(0) ? 'latin1' : 'utf8');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  for (const line of text.slice(0, end).split(/\r?\n(?![ \t])/)) {
    const [, name = '', value = ''] = WANTED.exec(line.slice(0, MAX_VALUE_LENGTH)) ?? [];
    const key = name.toLowerCase();
    if (key !== '' && !found.has(key)) found.set(key, value.replaceAll(/\r?\n[ \t]+/g, ' ').trim());
  }
  return found;
}

// Bytes that are read once and asked for in parts later, such as those of an .mbox in a zip.

const PIECE = 64 * 1024;
const read = promisify(readFd);
const write = promisify(writeFd);

/** Closes the files of spools that no row refers to any more. */
const unused = new FinalizationRegistry((fd: number) => close(fd));

/** A file without a name, which ends with its last reader. */
class Spool {
  readonly #fd: number;
  #size = 0;

  private constructor(fd: number) {
    this.#fd = fd;
    unused.register(this, fd);
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(path.join(tmpdir(), 'matterdesk-import-'));
    const file = path.join(folder, 'spool');
    const fd = await promisify(openFd)(file, 'wx+', 0o600);
    await promisify(unlink)(file);
    await rmdir(folder);
    return new Spool(fd);
  }

  async write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await write(this.#fd, bytes, done, bytes.length - done, this.#size);
      done += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  read(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const piece = Buffer.alloc(Math.min(PIECE, end - at));
      const { bytesRead } = await read(this.#fd, piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

// The form of .mbox files: emails one after the other, each after a line that begins with 'From ' (RFC 4155).

/** An email between two offsets of the file. */
type Message = {
  start: number;
  end: number;
  /** Lines whose first `>` was put there so that they do not begin an email. */
  quoted: number;
  /** Its headers, or the first bytes of longer ones. */
  head: Buffer;
};

/** An email whose end is not found yet, with the pieces of its head. */
type OpenMessage = Pick<Message, 'start' | 'quoted'> & {
  head: Buffer[];
  length: number;
  isHeadWhole: boolean;
};

const [LINE_FEED, RETURN, GREATER] = [0x0a, 0x0d, 0x3e];
const FROM = Buffer.from('From ');
const SEPARATOR = Buffer.from('\nFrom ');
const QUOTED = Buffer.from('\n>');
/** Most `>` before a quoted line. */
const MAX_QUOTES = 100;
const MAX_LINE_BYTES = 500;
const EMPTY: Buffer = Buffer.alloc(0);
/** Bytes around a place that decide what it is. */
const AROUND = 2 * MAX_LINE_BYTES + 200;
const BEFORE = 3;

const HEADER = /^(?:[!-9;-~]{1,100}:|>From )/;
const DATED =
  /^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b.*\d:\d\d.*\b\d{4}\b/;

/** Finds the emails of a file that comes in chunks, in constant memory. */
class MailboxSplitter {
  readonly #headMax: number;
  /** Bytes that are kept, and the offset of the first in the file. */
  #data = EMPTY;
  /** Memory of the bytes that are kept: a chunk's own would be garbage twice. */
  #room = EMPTY;
  #base = 0;
  /** Offset up to which everything is decided. */
  #done = 0;
  #message: OpenMessage | undefined;

  /** @param headMax bytes of each email's headers */
  constructor(headMax: number) {
    this.#headMax = headMax;
  }

  *push(chunk: Buffer): Generator<Message> {
    const length = this.#data.length + chunk.length;
    const room = this.#room.length >= length ? this.#room : Buffer.alloc(length);
    this.#data.copy(room);
    chunk.copy(room, this.#data.length);
    this.#data = room.subarray(0, length);
    this.#room = room;
    yield* this.#read(this.#base + this.#data.length - AROUND);
    const keep = Math.max(0, this.#done - BEFORE - this.#base);
    this.#data = this.#data.subarray(keep);
    this.#base += keep;
  }

  *end(): Generator<Message> {
    const end = this.#base + this.#data.length;
    yield* this.#read(end);
    if (this.#message) yield this.#finish(this.#withoutBlank(end));
  }

  /** Decides everything before an offset. */
  *#read(limit: number): Generator<Message> {
    if (this.#done === 0 && limit > 0) this.#begin();
    for (;;) {
      const found = this.#data.indexOf(SEPARATOR, this.#done - this.#base);
      const at = found + this.#base;
      if (found === -1 || at >= limit) break;
      this.#take(at + 1);
      const start = this.#startAfter(at + 1);
      if (start === undefined) continue;
      if (this.#message) yield this.#finish(this.#withoutBlank(at + 1));
      this.#message = openAt(start);
      this.#done = start;
    }
    if (limit > this.#done) this.#take(limit);
  }

  #begin(): void {
    const bom = this.#data[0] === 0xef && this.#data[1] === 0xbb ? 3 : 0;
    const start = this.#startAfter(bom) ?? (HEADER.test(this.#lineAt(bom)) ? bom : undefined);
    if (start === undefined) return;
    this.#message = openAt(start);
    this.#done = start;
  }

  /** Start of the email, if a line that begins with 'From ' begins one. */
  #startAfter(at: number): number | undefined {
    const line = this.#lineAt(at);
    const start = at + Buffer.byteLength(line, 'latin1') + 1;
    if (!line.startsWith('From ') || line.length >= MAX_LINE_BYTES) return undefined;
    const isApart = at < BEFORE + 1 || this.#withoutBlank(at) < at;
    return (isApart || DATED.test(line)) && HEADER.test(this.#lineAt(start)) ? start : undefined;
  }

  #lineAt(at: number): string {
    const from = at - this.#base;
    const end = this.#data.indexOf(LINE_FEED, from);
    const cut = Math.min(end === -1 ? this.#data.length : end, from + MAX_LINE_BYTES);
    return this.#data.toString('latin1', from, cut);
  }

  /** The end of an email without the blank line that the format adds. */
  #withoutBlank(end: number): number {
    const at = (offset: number) => this.#data[end - offset - this.#base];
    if (at(1) !== LINE_FEED) return end;
    if (at(2) === LINE_FEED) return end - 1;
    return at(2) === RETURN && at(3) === LINE_FEED ? end - 2 : end;
  }

  /** Counts the bytes up to an offset as those of the email. */
  #take(to: number): void {
    const message = this.#message;
    const [from, end] = [this.#done - this.#base, to - this.#base];
    this.#done = to;
    if (!message) return;
    if (!message.isHeadWhole) {
      const blank = blankLineIn(this.#data.subarray(Math.max(0, from - BEFORE), end));
      const whole = blank === -1 ? end : Math.max(0, from - BEFORE) + blank;
      const most = Math.min(whole, from + this.#headMax - message.length);
      const piece = Buffer.from(this.#data.subarray(from, most));
      message.head.push(piece);
      message.length += piece.length;
      message.isHeadWhole = blank !== -1 || message.length === this.#headMax;
    }
    for (const _ of quotesIn(this.#data, from, end)) message.quoted += 1;
  }

  #finish(end: number): Message {
    const { start = 0, quoted = 0, head = [] } = this.#message ?? {};
    this.#message = undefined;
    return { start, end, quoted, head: Buffer.concat(head) };
  }
}

function openAt(start: number): OpenMessage {
  return { start, quoted: 0, head: [], length: 0, isHeadWhole: false };
}

/** The start of the first blank line, or -1. */
function blankLineIn(data: Buffer): number {
  const ends = ['\n\n', '\n\r\n'].map((blank) => data.indexOf(blank)).filter((at) => at !== -1);
  return ends.length > 0 ? Math.min(...ends) + 1 : -1;
}

/** Indexes of the first `>` of quoted lines whose line before ends in a range. */
function* quotesIn(data: Buffer, from: number, to: number): Generator<number> {
  // A search through all that follows would read a chunk once for each of its lines.
  const searched = data.subarray(0, to - 1 + QUOTED.length);
  for (let at = searched.indexOf(QUOTED, from); at !== -1; at = searched.indexOf(QUOTED, at + 1)) {
    let end = at + 1;
    while (data[end] === GREATER && end - at <= MAX_QUOTES) end += 1;
    if (data.subarray(end, end + FROM.length).equals(FROM)) yield at + 1;
  }
}

/** Removes a `>` of each quoted line. */
function unquoting(): Transform {
  const most = MAX_QUOTES + FROM.length + 1;
  let rest = EMPTY;
  const pass = (data: Buffer, to: number): Buffer => {
    const parts: Buffer[] = [];
    let from = 0;
    for (const at of quotesIn(data, 0, to)) {
      parts.push(data.subarray(from, at));
      from = at + 1;
    }
    parts.push(data.subarray(from, Math.max(from, to)));
    rest = data.subarray(Math.max(from, to));
    return Buffer.concat(parts);
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const data = Buffer.concat([rest, chunk]);
      done(null, pass(data, Math.max(0, data.length - most)));
    },
    flush(done) {
      done(null, pass(rest, rest.length));
    },
  });
}
