// The HTML of a mail that is written here: a closed list of elements, whatever was sent.

import { setImmediate } from 'node:timers/promises';

/** Names of the elements that are kept, by those that come in; of all others only the text is kept. */
const KEPT: Readonly<Record<string, string>> = {
  b: 'b',
  strong: 'b',
  i: 'i',
  em: 'i',
  u: 'u',
  a: 'a',
  p: 'div',
  div: 'div',
  h1: 'div',
  h2: 'div',
  h3: 'div',
  h4: 'div',
  h5: 'div',
  h6: 'div',
  tr: 'div',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
};
/** Elements whose content is no text for a reader. */
const DROPPED =
  /^(?:script|style|title|template|textarea|select|noscript|iframe|object|svg|math|xmp|noembed|noframes|plaintext)$/;
const MAX_DEPTH = 32;
/** Milliseconds between two turns of the event loop. */
const TURN_MS = 10;
/** Characters of a text that are escaped at a time. */
const PIECE = 8192;
const MAX_ADDRESS_LENGTH = 2000;
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s"<>\p{Cc}]+$/iu;
/** The line at the left, which readers do not draw by themselves. */
const QUOTED = 'style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex"';

type OpenTag = { name: string; out: string };

/** @returns HTML in which every element is one of the list, balanced and closed; '' when it has no text */
export async function cleanFormatting(html: string): Promise<string> {
  const writer = new Writer();
  let since = performance.now();
  for (const token of tokensOf(html)) {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    if ('text' in token) writer.text(token.text);
    else if (token.isEnd) writer.end(token.name);
    else writer.start(token.name, token.attributes);
  }
  return writer.finish();
}

/** As a whole document, as mail programs expect it. */
export function asDocument(html: string): string {
  return `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><div dir="auto">${html}</div></body></html>`;
}

class Writer {
  readonly #out: string[] = [];
  readonly #open: OpenTag[] = [];
  /** Elements too deep to be kept, whose ends are dropped as well. */
  readonly #skipped = new Map<string, number>();
  #hasText = false;

  text(text: string) {
    this.#hasText ||= text.trim() !== '';
    this.#out.push(escaped(decoded(text)));
  }

  start(name: string, attributes: string) {
    if (name === 'br') this.#out.push('<br>');
    const out = KEPT[name];
    if (out === undefined) return;
    // A new item ends the one before it, as in HTML.
    if ((name === 'li' || name === 'p') && this.#open.at(-1)?.name === name) this.end(name);
    if (this.#open.length >= MAX_DEPTH) {
      this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + 1);
      return;
    }
    this.#open.push({ name, out });
    this.#out.push(startTag(out, attributes));
  }

  end(name: string) {
    const skipped = this.#skipped.get(name) ?? 0;
    if (skipped > 0) this.#skipped.set(name, skipped - 1);
    else {
      const at = this.#open.findLastIndex((open) => open.name === name);
      if (at >= 0) for (const { out } of this.#open.splice(at).toReversed()) this.#close(out);
    }
  }

  finish(): string {
    for (const { out } of this.#open.toReversed()) this.#close(out);
    return this.#hasText ? this.#out.join('') : '';
  }

  #close(out: string) {
    this.#out.push(`</${out}>`);
  }
}

function startTag(out: string, attributes: string): string {
  if (out === 'a') {
    const address = decoded(attributeOf(attributes, 'href')).trim();
    const isSafe = address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address);
    return isSafe ? `<a href="${escaped(address)}">` : '<a>';
  }
  if (out === 'blockquote')
    return attributeOf(attributes, 'type') === 'cite'
      ? `<blockquote type="cite" ${QUOTED}>`
      : `<blockquote ${QUOTED}>`;
  const start = out === 'ol' && /^\d{1,6}$/.exec(attributeOf(attributes, 'start'))?.[0];
  return start ? `<ol start="${start}">` : `<${out}>`;
}

function attributeOf(attributes: string, name: 'href' | 'type' | 'start'): string {
  const [, double, single, bare] = ATTRIBUTES[name].exec(attributes) ?? [];
  return double ?? single ?? bare ?? '';
}

const ATTRIBUTES = {
  href: /(?:^|[\s"'])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  type: /(?:^|[\s"'])type\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  start: /(?:^|[\s"'])start\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
};

type Token = { text: string } | { name: string; isEnd: boolean; attributes: string };

const MARKUP = /<(?=[!?/a-z])/gi;
const TAG = /<(\/?)([a-z][a-z\d]{0,20})(?=[\s/>])/iy;

/** Texts and tags, in time that grows with the length alone: what never ends is dropped to the end. */
function* tokensOf(html: string): Generator<Token> {
  const folded = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    MARKUP.lastIndex = at;
    const next = MARKUP.exec(html)?.index ?? html.length;
    yield* piecesOf(html.slice(at, next));
    if (next === html.length) return;
    TAG.lastIndex = next;
    const [whole, slash, written = ''] = TAG.exec(html) ?? [];
    if (whole === undefined) {
      at = endOfMarkup(html, next);
      continue;
    }
    const name = written.toLowerCase();
    const end = endOfTag(html, next + whole.length);
    if (end < 0) return;
    const isEnd = slash === '/';
    if (isEnd || !DROPPED.test(name)) {
      yield { name, isEnd, attributes: html.slice(next + whole.length, end) };
      at = end + 1;
    } else {
      const close = folded.indexOf(`</${name}`, end);
      if (close < 0) return;
      at = close;
    }
  }
}

/** Ends no piece inside of an entity. */
function* piecesOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length;) {
    const full = at + PIECE;
    const sign = text.lastIndexOf('&', full);
    const end = sign > at && sign > full - 12 ? sign : full;
    yield { text: text.slice(at, end) };
    at = end;
  }
}

/** The position after a comment, a declaration or a tag with a strange name. */
function endOfMarkup(html: string, at: number): number {
  const isComment = html.startsWith('<!--', at);
  const end = html.indexOf(isComment ? '-->' : '>', at);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** The position of the `>` outside of quotes; negative without one. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at += 1) {
    const char = html[at] ?? '';
    if (quote === '') {
      if (char === '>') return at;
      if (char === '"' || char === "'") quote = char;
    } else if (char === quote) quote = '';
  }
  return -1;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  bull: '•',
  sect: '§',
  para: '¶',
  copy: '©',
  reg: '®',
  euro: '€',
};

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? whole;
    const isHex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    const isText = code === 9 || code === 10 || (code >= 32 && code <= 0x10ffff);
    const isControl = (code >= 127 && code < 160) || (code >= 0xd800 && code < 0xe000);
    return isText && !isControl ? String.fromCodePoint(code) : '';
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? '');
}
