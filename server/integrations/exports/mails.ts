// Emails of an export: one in an .eml, or many in an .mbox of any size.

import { pipeline, type Readable } from 'node:stream';
import { decodeWords } from 'postal-mime';
import { parseMoment } from './dates.ts';
import { MailboxSplitter, type Message, unquoting } from './mailbox.ts';
import type { BadRow, SourceFile, SourceRow } from './row.ts';
import { Spool } from './spool.ts';
import { cleaned } from './cells.ts';

/** Bytes of an email, and of its head. */
const MAIL_MAX = 100 * 1024 * 1024;
const HEAD_MAX = 256 * 1024;
const VALUE_MAX = 2000;
const TOO_LARGE = 'The email is larger than 100 MB';

/** The email of an .eml file is its only row. */
export async function* readMail(file: SourceFile): AsyncGenerator<SourceRow | BadRow> {
  const at = { file: file.path, row: 1 };
  if (file.size > MAIL_MAX) {
    yield { ...at, column: null, message: TOO_LARGE };
    return;
  }
  const head: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_MAX) break;
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
  const splitter = new MailboxSplitter(HEAD_MAX);
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
  if (size > MAIL_MAX) return { ...at, column: null, message: TOO_LARGE };
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
    const [, name = '', value = ''] = WANTED.exec(line.slice(0, VALUE_MAX)) ?? [];
    const key = name.toLowerCase();
    if (key !== '' && !found.has(key)) found.set(key, value.replaceAll(/\r?\n[ \t]+/g, ' ').trim());
  }
  return found;
}
