// Parses a stranger's mail in a confined process, which the parent may kill at any time.

import { htmlToText } from 'html-to-text';
import PostalMime from 'postal-mime';
import type { Address, Attachment } from 'postal-mime';
import type * as z from 'zod/mini';
import { receiveTask, send } from '../confinement/task.ts';
import {
  type AnswerSchema,
  type WholeMail,
  MAX_CALENDAR_BYTES,
  type ReadAttachment,
  type ReadMail,
} from './answers.ts';
import { cluesOf } from './clues.ts';
import type { Order } from './reader.ts';
import type { NamedAddress } from './summary.ts';

/** Bytes of an attachment that are sent at a time, so that the parent need not hold all of them. */
const PIECE = 64 * 1024;

type Answer = Omit<z.infer<typeof AnswerSchema>, 'hasBytes'>;

async function answer({ wanted, own }: Order, json: Buffer): Promise<[Answer, Uint8Array?]> {
  const { raw, ...whole } = open(json);
  if (wanted === 'raw') return [{ whole }, raw];
  if (wanted === 'mail') {
    const mail = await readMail(raw);
    return [{ whole, mail, clues: cluesOf(mail, own) }];
  }
  const part = await readPart(raw, wanted.part);
  if (!part) return [{ whole }];
  const { bytes, ...attachment } = part;
  return [{ whole, attachment }, bytes];
}

type Message = { raw?: string; labelIds?: string[]; threadId?: string; internalDate?: string };

function open(json: Buffer): WholeMail & { raw: Buffer } {
  const message = JSON.parse(json.toString('latin1')) as Message;
  return {
    raw: Buffer.from(message.raw ?? '', 'base64url'),
    labels: message.labelIds ?? [],
    threadId: message.threadId ?? '',
    arrivedAt: Number(message.internalDate ?? 0),
  };
}

/** Characters. Longer HTML is shown as text, longer text is cut. */
const MAX_HTML_LENGTH = 3_000_000;
const MAX_TEXT_LENGTH = 1_000_000;
const MAX_NAME_LENGTH = 200;
const MAX_SUBJECT_LENGTH = 800;
const MAX_ATTACHMENTS = 1000;

const OPTIONS = {
  // A forwarded mail is evidence of its own, so it stays separate from the text.
  forceRfc822Attachments: true,
  maxNestingDepth: 100,
} as const;

/** @throws the parser's error for invalid mails */
async function readMail(raw: Buffer): Promise<ReadMail> {
  const parser = new PostalMime(OPTIONS);
  const mail = await parser.parse(raw);
  const html = mail.html ?? '';
  const text = mail.text?.trim() ? mail.text : plainText(html.slice(0, MAX_HTML_LENGTH));
  return {
    subject: onOneLine((mail.subject ?? '').slice(0, MAX_SUBJECT_LENGTH)),
    from: mail.from ? (flatten([mail.from])[0] ?? null) : null,
    recipients: flatten([...(mail.to ?? []), ...(mail.cc ?? [])]),
    bcc: flatten(mail.bcc ?? []),
    replyTo: flatten(mail.replyTo ?? []),
    date: toDate(mail.date),
    text: harmless(text.slice(0, MAX_TEXT_LENGTH)).trim(),
    html: html === '' || html.length > MAX_HTML_LENGTH ? null : html.toWellFormed(),
    attachments: describeAttachments(parser, mail.attachments),
    calendar: calendarIn(mail.attachments),
  };
}

/** The first invitation: beside the text, or attached. */
function calendarIn(attachments: Attachment[]): string | null {
  for (const type of ['text/calendar', 'application/ics']) {
    const found = attachments.find(({ mimeType }) => mimeType === type);
    const { content } = found ?? {};
    if (content instanceof ArrayBuffer || content instanceof Uint8Array)
      return content.byteLength > MAX_CALENDAR_BYTES ? null : new TextDecoder().decode(content);
  }
  return null;
}

/** Bytes of an attachment, verbatim; undefined without such a part. */
async function readPart(raw: Buffer, part: string) {
  const parser = new PostalMime(OPTIONS);
  const { attachments } = await parser.parse(raw);
  const found = describeAttachments(parser, attachments).find((one) => one.part === part);
  const bytes = placesOf(parser).find((place) => place.part === part)?.bytes;
  return found && bytes && { ...found, bytes };
}

function describeAttachments(parser: PostalMime, attachments: Attachment[]): ReadAttachment[] {
  const places = placesOf(parser);
  return attachments.slice(0, MAX_ATTACHMENTS).flatMap((attachment, index) => {
    const place = places[index];
    if (!place) return [];
    const { mimeType, disposition, contentId, related } = attachment;
    return {
      part: place.part,
      name: nameOf(attachment, index + 1),
      size: place.bytes.byteLength,
      mimeType: onOneLine(mimeType).slice(0, MAX_NAME_LENGTH),
      isInline: contentId !== undefined && (related === true || disposition === 'inline'),
      contentId: contentId === undefined ? null : contentId.replaceAll(/^<|>$/g, ''),
    };
  });
}

const ENDINGS: Record<string, string> = {
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/plain': '.txt',
  'text/html': '.html',
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
};
const KINDS: Record<string, string> = {
  'message/rfc822': 'message',
  'text/calendar': 'invitation',
};

/** Without characters that reverse it on the screen or lead into another folder. */
function nameOf({ filename, mimeType }: Attachment, number: number): string {
  const given = onOneLine(filename ?? '').replaceAll(/[\\/]/g, '_');
  if (given !== '' && !/^\.+$/.test(given)) return shorten(given);
  return `${KINDS[mimeType] ?? 'attachment'} ${number}${ENDINGS[mimeType] ?? ''}`;
}

function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return name.slice(0, MAX_NAME_LENGTH - ending.length).toWellFormed() + ending;
}

/** Strips control characters and bidirectional overrides, which are used to deceive. */
function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .toWellFormed();
}

/** The same for text with lines, which replies quote. */
function harmless(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
    .toWellFormed();
}

function flatten(addresses: Address[]): NamedAddress[] {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => ({ name: onOneLine(name), email: onOneLine(address ?? '') }))
    .filter(({ name, email }) => name !== '' || email !== '');
}

function toDate(written: string | undefined): string | null {
  const date = new Date(written ?? '');
  const isSane = date.getUTCFullYear() > 0 && date.getUTCFullYear() < 10_000;
  return isSane ? date.toISOString() : null;
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Text of HTML with its links, lists, quotations and rows. */
function plainText(html: string): string {
  const text = htmlToText(html, {
    wordwrap: false,
    limits: { maxDepth: 100, maxChildNodes: 20_000, maxInputLength: MAX_HTML_LENGTH },
    selectors: [
      // Keep the words verbatim, and the text of separate cells separate.
      ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'tr', format: 'block' },
      ...['td', 'th'].map((selector) => ({
        selector,
        format: 'inlineSurround',
        options: { suffix: ' ' },
      })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
    ],
  });
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** A part of the parser's tree, which its types hide. */
type Node = {
  childNodes: Node[];
  content: ArrayBuffer | null;
  contentType: { multipart: string | false; parsed: { value: string } };
  contentDisposition: { parsed: { value: string } };
  contentTransferEncoding: { encoding: string };
};

/** A part's path, as IMAP counts (`1.2`), and its bytes, verbatim. */
type Place = { part: string; bytes: Uint8Array };

/** Parts that the parser treats as attachments, in its order. */
function placesOf(parser: PostalMime): Place[] {
  const { root } = parser as unknown as { root: Node };
  return root.childNodes.length === 0 ? placesIn(root, '1') : childPlaces(root, '');
}

function childPlaces(node: Node, prefix: string): Place[] {
  return node.childNodes.flatMap((child, index) => placesIn(child, `${prefix}${index + 1}`));
}

function placesIn(node: Node, part: string): Place[] {
  const own = node.content && isAttachment(node) ? [{ part, bytes: bytesOf(node) }] : [];
  return [...own, ...childPlaces(node, `${part}.`)];
}

function isAttachment({ contentType, contentDisposition }: Node): boolean {
  if (contentType.multipart) return false;
  const isText = /^text\/(plain|html)$/.test(contentType.parsed.value);
  return !isText || contentDisposition.parsed.value === 'attachment';
}

const LF = 10;
const CR = 13;

/** The parser ends each line with LF, including the last, whose end belongs to the boundary. */
function bytesOf({ content, contentTransferEncoding: { encoding } }: Node): Uint8Array {
  const bytes = new Uint8Array(content ?? new ArrayBuffer(0));
  if (encoding === 'base64') return bytes;
  const lines = bytes.at(-1) === LF ? bytes.subarray(0, -1) : bytes;
  return encoding === 'quoted-printable' ? lines : withLineEnds(lines);
}

/** CRLF, as on the wire. */
function withLineEnds(lines: Uint8Array): Uint8Array {
  const isBare = (at: number) => lines[at] === LF && lines[at - 1] !== CR;
  let count = 0;
  for (let at = 0; at < lines.length; at += 1) if (isBare(at)) count += 1;
  const whole = new Uint8Array(lines.length + count);
  let to = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (isBare(at)) whole[to++] = CR;
    whole[to++] = lines[at] ?? 0;
  }
  return whole;
}

const { order, body } = await receiveTask<Order>();
const [found, bytes] = await answer(order, body);
await send(JSON.stringify({ ...found, hasBytes: bytes !== undefined }));
if (bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) await send(bytes.subarray(at, at + PIECE));
  await send('');
}
