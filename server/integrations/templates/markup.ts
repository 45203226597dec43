// XML as a flat list of tokens, which can be split, dropped and repeated, and joined again.

import { reasons, UnreadableDocument } from '../documents/messages.ts';

export const WHAT = 'a Word document';

export type Token = {
  type: 'open' | 'close' | 'empty' | 'text';
  /** Qualified name: 'w:p'; empty for text. */
  name: string;
  /** Verbatim markup; text stays escaped. */
  raw: string;
};

const SPACE = /[\s/>]/;

/**
 * Splits well-formed XML; comments and instructions are dropped, CDATA becomes text.
 * @throws Unreadable
 */
export function tokenize(xml: string): Token[] {
  const tokens: Token[] = [];
  const open: string[] = [];
  for (let at = 0; at < xml.length;) {
    const end = xml[at] === '<' ? endOfMarkup(xml, at) : endOfText(xml, at);
    const token = toToken(xml.slice(at, end));
    at = end;
    if (!token) continue;
    if (token.type === 'open') open.push(token.name);
    if (token.type === 'close' && open.pop() !== token.name) throw broken();
    tokens.push(token);
  }
  if (open.length > 0) throw broken();
  return tokens;
}

export function broken(): UnreadableDocument {
  return new UnreadableDocument(reasons.broken(WHAT));
}

function endOfText(xml: string, at: number): number {
  const next = xml.indexOf('<', at);
  return next === -1 ? xml.length : next;
}

const CLOSERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

function endOfMarkup(xml: string, at: number): number {
  for (const [opener, closer] of CLOSERS)
    if (xml.startsWith(opener, at)) return after(xml, closer, at + opener.length);
  // An attribute may contain '>'.
  for (let next = at + 1; next < xml.length; next += 1) {
    const sign = xml[next];
    if (sign === '>') return next + 1;
    if (sign === '<') throw broken();
    if (sign === '"' || sign === "'") next = after(xml, sign, next + 1) - 1;
  }
  throw broken();
}

function after(xml: string, closer: string, at: number): number {
  const found = xml.indexOf(closer, at);
  if (found === -1) throw broken();
  return found + closer.length;
}

function toToken(raw: string): Token | undefined {
  if (!raw.startsWith('<')) return { type: 'text', name: '', raw };
  if (raw.startsWith('<![CDATA['))
    return { type: 'text', name: '', raw: escapeXml(raw.slice(9, -3)) };
  if (raw.startsWith('<?') || raw.startsWith('<!')) return undefined;
  const isClose = raw[1] === '/';
  const start = isClose ? 2 : 1;
  let end = start;
  while (!SPACE.test(raw[end] ?? '>')) end += 1;
  const name = raw.slice(start, end);
  if (isClose) return { type: 'close', name, raw };
  return { type: raw.endsWith('/>') ? 'empty' : 'open', name, raw };
}

/** Value of an attribute, decoded; undefined without it. */
export function attributeOf({ raw }: Token, name: string): string | undefined {
  return attributesOf(raw).find(([key]) => key === name)?.[1];
}

/** Names and decoded values of a start tag's attributes. */
export function attributesOf(raw: string): [name: string, value: string][] {
  return [...raw.matchAll(/\s([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, name = '', double, single]) => [name, decodeXml(double ?? single ?? '')],
  );
}

/** Name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeXml(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (...found) => {
    const [, hex, decimal, name] = found as (string | undefined)[];
    if (name) return ENTITIES[name.toLowerCase()] ?? '';
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
  });
}

/** Text for an element or an attribute, without the characters that XML cannot have. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r\u007F-\u009F])[\p{Cc}\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
