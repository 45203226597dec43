import os from 'node:os';
import type { Frames } from '../confinement/frames.ts';
import { receiveTask, send } from '../confinement/task.ts';
import { type DocumentKind, hasPages, kindOfAttachment, whyNotReadable } from './kinds.ts';
import type { Attachment, Mail } from './mail.ts';
import {
  type Mark,
  type Message,
  type Order,
  type Page,
  pageOf,
  type PictureReply,
  reasons,
  UnreadableDocument,
} from './messages.ts';
import { PictureReader } from './ocr.ts';
import { MAX_TEXT_LENGTH, type PagelessText } from './pageless.ts';
import { dividePages } from './passages.ts';

// Runs in a confined process, which the parent may kill at any time: nothing here is trusted to end,
// and nothing of the parent is reachable.

/** Lower priority than requests of users. */
const NICE = 10;

function say(message: Message): Promise<void> {
  return send(JSON.stringify(message));
}

type TaskInput = { bytes: Buffer; replies: Frames };

async function extract(
  order: Extract<Order, { task: 'extract' }>,
  given: TaskInput,
): Promise<void> {
  const { bytes, replies } = given;
  const reader = new PictureReader(order.ahead > 0 ? askOutside(replies) : undefined);
  const note = (text: string) => void say({ type: 'note', text });
  const alive = () => say({ type: 'alive' });
  const document = await openDocument(order.kind as DocumentKind, bytes, { reader, note, alive });
  const { count } = document;
  await say({ type: 'begin', pages: count });
  let length = 0;
  const begun: Promise<Page>[] = [];
  for (let number = order.from; number <= count; number += 1) {
    const ahead = length > MAX_TEXT_LENGTH ? 0 : Math.max(1, order.ahead);
    for (let next = number + begun.length; next <= count && begun.length < ahead; next += 1)
      begun.push(readPage(next, document));
    const read = begun.shift();
    const page = read && ahead > 0 ? await read : pageOf(number);
    length += page.text.length;
    await say({ type: 'page', page });
  }
  if (length > MAX_TEXT_LENGTH) note('The file is very long. Its last pages were skipped.');
  await document.close?.();
}

/** Pictures that are larger are read here; the parent does not take messages of any length. */
const MAX_PICTURE_BYTES = 24 * 1024 * 1024;

/** Has pictures read by the parent. */
function askOutside(replies: Frames) {
  const waiting = new Map<number, (text: string | null) => void>();
  let last = 0;
  const listen = async () => {
    for (let frame; (frame = await replies.next());) {
      const { id, text } = JSON.parse(frame.toString()) as PictureReply;
      waiting.get(id)?.(text);
      waiting.delete(id);
    }
  };
  void listen();
  return async (image: Buffer): Promise<string | null> => {
    if (image.length > MAX_PICTURE_BYTES) return null;
    const id = (last += 1);
    const reply = new Promise<string | null>((resolve) => waiting.set(id, resolve));
    void say({ type: 'picture', id });
    await send(image);
    return reply;
  };
}

/** An unreadable page costs that page only. */
async function readPage(number: number, { count, read }: DocumentReader): Promise<Page> {
  try {
    return await read(number);
  } catch (error) {
    if (count === 1) throw error;
    await say({
      type: 'note',
      text: `Page ${number} could not be read${error instanceof UnreadableDocument ? `: ${error.message}` : '.'}`,
    });
    return pageOf(number);
  }
}

async function divide(order: Extract<Order, { task: 'divide' }>, lines: string): Promise<void> {
  const pages = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Page);
  for (const passage of dividePages(pages, order.hasPages)) await say({ type: 'passage', passage });
}

async function work(): Promise<void> {
  // One that is lower already cannot be raised in here.
  if (os.getPriority() < NICE) os.setPriority(NICE);
  // Canvas looks for a home, and there are neither accounts nor variables here.
  process.env['HOME'] = '/';
  const { order, body, replies } = await receiveTask<Order & { size?: number }>();
  try {
    if (order.task === 'extract') await extract(order, { bytes: body, replies });
    else await divide(order, body.toString('utf8'));
  } catch (error) {
    const isKnown = error instanceof UnreadableDocument;
    if (!isKnown) process.stderr.write(`${String(error)}\n`);
    await say({ type: 'unreadable', reason: isKnown ? error.message : reasons.gaveUp });
  }
  await say({ type: 'end' });
}

/** Nesting limit of mails in mails. */
const MAX_MAIL_DEPTH = 3;
const MAX_ATTACHMENTS = 200;
/** OCR limit per mail, since each image takes seconds. */
const MAX_PICTURES = 40;

type DocumentReader = {
  count: number;
  read: (page: number) => Promise<Page>;
  /** Releases the engine's resources. */
  close?: () => Promise<void>;
};
type Context = {
  reader: PictureReader;
  /** Reports what was skipped, in words for users. */
  note: (text: string) => void;
  /** Heartbeat, so that silent work is not taken for a hang. */
  alive: () => Promise<void>;
  depth?: number;
  /** Images read with OCR in this mail and the mails inside it. */
  pictures?: { seen: number };
};

/**
 * Opens a document for reading page by page.
 * @throws Unreadable
 */
async function openDocument(
  kind: DocumentKind,
  bytes: Buffer,
  context: Context,
): Promise<DocumentReader> {
  const { reader } = context;
  if (bytes.length === 0) throw new UnreadableDocument(reasons.empty);
  // Loaded on demand: the engines together take three times as long to load as Node itself.
  switch (kind) {
    case 'pdf': {
      const { PdfPages } = await import('./pdf.ts');
      const pdf = await PdfPages.open(bytes);
      return {
        count: pdf.count,
        read: (page) => pdf.read(page, reader),
        close: () => pdf.close(),
      };
    }
    case 'tiff': {
      const { TiffPages } = await import('./picture.ts');
      const tiff = new TiffPages(bytes);
      return { count: tiff.count, read: (page) => tiff.read(page, reader) };
    }
    case 'image': {
      const { readPicture } = await import('./picture.ts');
      return { count: 1, read: () => readPicture(bytes, reader) };
    }
    case 'other':
      throw new UnreadableDocument(whyNotReadable(''));
    case 'word':
    case 'sheet':
    case 'html':
    case 'text':
    case 'eml':
    case 'msg':
      return pagelessReader(await readWhole(kind, bytes, context), context);
  }
}

type PagelessKind = Exclude<DocumentKind, 'pdf' | 'tiff' | 'image' | 'other'>;

async function readWhole(kind: PagelessKind, bytes: Buffer, context: Context) {
  switch (kind) {
    case 'word':
      return (await import('./word.ts')).readWord(bytes);
    case 'sheet':
      return (await import('./sheet.ts')).readSheets(bytes);
    case 'html':
      return (await import('./html.ts')).readHtml(bytes);
    case 'text':
      return (await import('./plain.ts')).readPlain(bytes);
    case 'eml':
      return withAttachments(await (await import('./mail.ts')).readEml(bytes), context);
    case 'msg':
      return withAttachments((await import('./mail.ts')).readMsg(bytes), context);
  }
}

function pagelessReader(text: PagelessText, { note }: Context): DocumentReader {
  if (text.isCut)
    note(`Only the first ${MAX_TEXT_LENGTH / 1_000_000} million characters were read.`);
  const pages = text.pages();
  const read = (page: number) => {
    const found = pages[page - 1];
    return found ? Promise.resolve(found) : Promise.reject(new RangeError(`no page ${page}`));
  };
  return { count: pages.length, read };
}

async function withAttachments({ text, attachments }: Mail, context: Context) {
  const { note, depth = 0, pictures = { seen: 0 } } = context;
  const inside = { ...context, depth: depth + 1, pictures };
  const left = attachments.length - MAX_ATTACHMENTS;
  if (left > 0) note(`The last ${left} attachments were left out.`);
  for (const attachment of attachments.slice(0, MAX_ATTACHMENTS)) {
    const { name } = attachment;
    const kind = await kindOfAttachment(name, attachment.type, attachment.bytes);
    if (attachment.isInline && !(await isWorthReading(kind, attachment))) continue;
    text.add({ text: `Attachment: ${name}`, level: 1, location: `Attachment ${name}` });
    try {
      if (depth >= MAX_MAIL_DEPTH) throw new UnreadableDocument('it is nested too deeply.');
      await append({ out: text, kind, attachment, context: inside });
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      note(`The attachment ${name} was left out: ${error.message}`);
    }
  }
  return text;
}

/** Whether an inline image has text: a pasted scan does, a logo does not. */
async function isWorthReading(kind: DocumentKind, { bytes }: Attachment): Promise<boolean> {
  if (kind === 'tiff') return true;
  if (kind !== 'image') return false;
  return !(await import('./picture.ts')).isDecoration(bytes);
}

type AttachmentText = {
  out: PagelessText;
  kind: DocumentKind;
  attachment: Attachment;
  context: Context & { pictures: { seen: number } };
};

async function append({ out, kind, attachment: { name, bytes }, context }: AttachmentText) {
  if (kind === 'other') throw new UnreadableDocument(whyNotReadable(name));
  if (kind === 'image' && (context.pictures.seen += 1) > MAX_PICTURES)
    throw new UnreadableDocument(`only the first ${MAX_PICTURES} pictures of a message are read.`);
  for await (const page of pagesOf(await openDocument(kind, bytes, context), kind)) {
    await context.alive();
    const where = hasPages(kind) ? `${name}, page ${page.page}` : name;
    for (const block of blocksOf(page)) out.add({ ...block, location: placeIn(where, block) });
  }
}

/** Paper pages; pageless text is joined again where it was cut. */
async function* pagesOf(
  { count, read, close }: DocumentReader,
  kind: DocumentKind,
): AsyncGenerator<Page> {
  const whole = pageOf(1);
  for (let number = 1; number <= count; number += 1) {
    const page = await read(number);
    if (hasPages(kind)) yield page;
    for (const mark of page.marks) whole.marks.push({ ...mark, at: whole.text.length + mark.at });
    whole.text += page.text;
  }
  if (!hasPages(kind)) yield whole;
  await close?.();
}

function placeIn(where: string, { location }: { location?: string | undefined }): string {
  return location === undefined ? where : `${where} › ${location}`;
}

/** Text between the marks of a page; headings move one level below the attachment's name. */
function* blocksOf({ text, marks }: Page) {
  const all: Mark[] = marks[0]?.at === 0 ? marks : [{ at: 0 }, ...marks];
  for (const [index, { at, level, location }] of all.entries()) {
    const block = text.slice(at, all[index + 1]?.at);
    const isJudged = level !== undefined || location !== undefined;
    for (const part of isJudged ? [block] : block.split(/\n{2,}/))
      yield { text: part, level: level && level + 1, location };
  }
}

await work();
