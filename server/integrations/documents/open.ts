import type { Page } from './messages.ts';
import type { Attachment, Mail } from './mail.ts';
import { kindOfAttachment, whyNotReadable, type DocumentKind } from './kinds.ts';
import type { PictureReader } from './ocr.ts';
import { LONGEST_TEXT, type PagelessText } from './pageless.ts';
import { reasons, Unreadable } from './unreadable.ts';

/** Mails in mails in mails. */
const DEEPEST = 3;
const MOST_ATTACHMENTS = 200;

export type Reading = { count: number; read: (page: number) => Promise<Page> };
type Context = {
  reader: PictureReader;
  /** Called with what was left out, in words for the person. */
  note: (text: string) => void;
  depth?: number;
};

/**
 * Opens a document for reading, page by page.
 * @throws Unreadable
 */
export async function openDocument(
  kind: DocumentKind,
  bytes: Buffer,
  context: Context,
): Promise<Reading> {
  const { reader } = context;
  if (bytes.length === 0) throw new Unreadable(reasons.empty);
  // Loaded only when needed: the engines together take three times as long to load as Node itself.
  switch (kind) {
    case 'pdf': {
      const { PdfPages } = await import('./pdf.ts');
      const pdf = await PdfPages.open(bytes);
      return { count: pdf.count, read: (page) => pdf.read(page, reader) };
    }
    case 'tiff': {
      const { TiffPages } = await import('./tiff.ts');
      const tiff = new TiffPages(bytes);
      return { count: tiff.count, read: (page) => tiff.read(page, reader) };
    }
    case 'image': {
      const { readPicture } = await import('./picture.ts');
      return { count: 1, read: () => readPicture(bytes, reader) };
    }
    case 'other':
      throw new Unreadable(whyNotReadable(''));
    case 'word':
    case 'sheet':
    case 'html':
    case 'text':
    case 'eml':
    case 'msg':
      return whole(await readWhole(kind, bytes, context), context);
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

function whole(text: PagelessText, { note }: Context): Reading {
  if (text.isCut) note(`Only the first ${LONGEST_TEXT / 1_000_000} million characters were read.`);
  const pages = text.pages();
  const read = (page: number) => {
    const found = pages[page - 1];
    return found ? Promise.resolve(found) : Promise.reject(new RangeError(`no page ${page}`));
  };
  return { count: pages.length, read };
}

async function withAttachments({ text, attachments }: Mail, context: Context) {
  const depth = (context.depth ?? 0) + 1;
  for (const attachment of attachments.slice(0, MOST_ATTACHMENTS)) {
    text.add({
      text: `Attachment: ${attachment.name}`,
      level: 1,
      location: `Attachment ${attachment.name}`,
    });
    try {
      if (depth > DEEPEST) throw new Unreadable('it lies too deep inside other messages.');
      await append(text, attachment, { ...context, depth });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      context.note(`The attachment ${attachment.name} was left out: ${error.message}`);
    }
  }
  return text;
}

async function append(out: PagelessText, { name, type, bytes }: Attachment, context: Context) {
  const kind = kindOfAttachment(name, type, bytes);
  if (kind === 'other') throw new Unreadable(whyNotReadable(name));
  const { count, read } = await openDocument(kind, bytes, context);
  for (let number = 1; number <= count; number += 1) {
    const page = await read(number);
    if (page.marks.length === 0)
      for (const block of page.text.split(/\n{2,}/))
        out.add({ text: block, location: `${name}, page ${number}` });
    for (const [index, mark] of page.marks.entries()) {
      const block = page.text.slice(mark.at, page.marks[index + 1]?.at);
      const level = mark.level && mark.level + 1;
      out.add({ text: block, level, location: `${name} › ${mark.location ?? ''}` });
    }
  }
}
