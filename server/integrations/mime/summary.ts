import { addressParser, decodeWords } from 'postal-mime';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import type { MailHead, MailPart } from '../google/replies.ts';

export type NamedAddress = { name: string; email: string };

/** Header characters to parse, since the parser's time grows with their square, and addresses to keep per list. */
const MAX_HEADER_LENGTH = 2000;
const MAX_ADDRESSES = 1000;

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const MAX_CODE_POINT = 0x10ffff;

const CORRESPONDENTS = new Set(['from', 'reply-to', 'to', 'cc', 'bcc']);

/** Filler characters with which advertisers hide a mail's text. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

const noAddress = { name: '', email: '' };

/** A mail in a list. */
export function summarize(head: MailHead): MailSummary {
  const headerOf = (wanted: string) =>
    head.headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  return {
    id: head.id,
    threadId: head.threadId,
    snippet: plainSnippet(head.snippet),
    subject: decodeHeader(headerOf('subject')),
    from: decodeAddresses(headerOf('from'))[0] ?? noAddress,
    to: decodeAddresses(headerOf('to'))[0] ?? noAddress,
    date: new Date(head.arrivedAt).toISOString(),
    unread: head.labels.includes('UNREAD'),
    hasAttachments: head.parts.some(isAttachment),
  };
}

/** Everyone whom a mail names as its sender or recipient. */
export function correspondentsOf({ headers }: MailHead): NamedAddress[] {
  return headers
    .filter(({ name }) => CORRESPONDENTS.has(name.toLowerCase()))
    .flatMap(({ value }) => decodeAddresses(value))
    .slice(0, MAX_ADDRESSES);
}

/** Inline images and duplicate invitations are no attachments to a reader. */
function isAttachment({ mimeType, isNamed, isInline }: MailPart): boolean {
  if (mimeType === 'message/rfc822') return true;
  return isNamed && !(isInline && mimeType.startsWith('image/'));
}

/** A decoded header on one line. */
function decodeHeader(value: string): string {
  return decodeWords(value.slice(0, MAX_HEADER_LENGTH)).replaceAll(/\s+/g, ' ').trim();
}

/** Addresses of a header, with groups flattened. */
function decodeAddresses(value: string): NamedAddress[] {
  const found = addressParser(value.slice(0, MAX_HEADER_LENGTH), { flatten: true });
  return found
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => ({ name: onOneLine(name), email: onOneLine(address ?? '') }))
    .filter(({ name, email }) => name !== '' || email !== '');
}

function onOneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Plain text of Gmail's HTML-escaped snippet. */
export function plainSnippet(escaped: string): string {
  return escaped
    .slice(0, MAX_HEADER_LENGTH)
    .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, decodeEntity)
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function decodeEntity(whole: string, inside: string): string {
  const named = NAMED[inside.toLowerCase()];
  if (named !== undefined || !inside.startsWith('#')) return named ?? whole;
  const isHex = /^#x/i.test(inside);
  const code = isHex ? Number.parseInt(inside.slice(2), 16) : Number(inside.slice(1));
  return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
}
