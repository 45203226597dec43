// A formatted text as lines, which are written as text, as HTML, and into the editor.

import type { MailContent } from './rules.draft.ts';

/** Formats of a run, as bits; the editor has the same. */
const BOLD = 1;
const ITALIC = 2;
const UNDERLINE = 8;
export const FORMATS = BOLD | ITALIC | UNDERLINE;

/** Words with one format. In lists, a line break inside of an item is part of its text. */
export type Run = { text: string; format: number; href?: string };
export type Line = {
  kind: 'plain' | 'quote' | 'bullet' | 'number';
  /** Lists around the one that it is in. */
  depth: number;
  /** The number of an item. */
  value: number;
  runs: Run[];
};

type Text = Pick<MailContent, 'text'> & Partial<Pick<MailContent, 'html'>>;

/** Quotes inside of quotes that HTML shows as such. */
const MAX_QUOTES = 8;
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s"<>]+$/i;

/** Whether a mail may link to it. */
export function isAddressOfLink(href: string): boolean {
  return href.length <= 2000 && ADDRESS.test(href);
}

export function linesOf({ text, html }: Text): Line[] {
  return html === undefined ? linesOfText(text) : linesOfHtml(html);
}

/** The text, and HTML where there is a format that the text lacks. */
export function textOf(lines: readonly Line[]): Text {
  const text = lines.map(lineInWords).join('\n');
  return { text, html: lines.some(isFormatted) ? inHtml(lines) : undefined };
}

/** Replaces the previous signature; without one, adds it below the text, or above a bare quote. */
export function replaceSignature(
  lines: readonly Line[],
  { before, after }: { before: string; after: string },
): Line[] {
  const wanted = before === '' ? [] : before.split('\n');
  const at = lines.findIndex((_, start) =>
    wanted.every((words, step) => {
      const line = lines[start + step];
      return line !== undefined && lineInWords(line) === words;
    }),
  );
  const added = after === '' ? [] : linesOfText(after);
  if (wanted.length > 0 && at >= 0) return lines.toSpliced(at, wanted.length, ...added);
  if (added.length === 0) return [...lines];
  const isQuoteAlone = lines.every((line, place) => place > 0 || lineInWords(line) === '');
  return isQuoteAlone
    ? [lineOf('plain'), lineOf('plain'), ...added, ...lines.slice(1)]
    : [...lines, lineOf('plain'), ...added];
}

function isFormatted({ kind, runs }: Line): boolean {
  const isItem = kind === 'bullet' || kind === 'number';
  return isItem || runs.some(({ format, href }) => format !== 0 || href !== undefined);
}

function linesOfText(text: string): Line[] {
  return text.split('\n').map((line) => {
    const isQuote = line.startsWith('>');
    const words = isQuote ? line.replace(/^> ?/, '') : line;
    return lineOf(isQuote ? 'quote' : 'plain', words);
  });
}

function lineOf(kind: Line['kind'], text = ''): Line {
  return { kind, depth: 0, value: 1, runs: text === '' ? [] : [{ text, format: 0 }] };
}

/** Runs that follow each other, by their link. */
function linksOf(runs: readonly Run[]): { href: string | undefined; runs: Run[] }[] {
  const links: { href: string | undefined; runs: Run[] }[] = [];
  for (const run of runs) {
    const last = links.at(-1);
    if (last && last.href === run.href) last.runs.push(run);
    else links.push({ href: run.href, runs: [run] });
  }
  return links;
}

function lineInWords({ kind, depth, value, runs }: Line): string {
  const words = linksOf(runs)
    .map((link) => {
      const label = link.runs.map(({ text }) => text).join('');
      const address = link.href?.replace(/^mailto:/i, '') ?? label;
      return address === label.trim() || address === label ? label : `${label} (${address})`;
    })
    .join('');
  if (kind === 'plain') return words;
  if (kind === 'quote') return words.startsWith('>') ? `>${words}` : `> ${words}`;
  const indent = '  '.repeat(depth);
  const mark = kind === 'bullet' ? '- ' : `${value}. `;
  return `${indent}${mark}${words.replaceAll('\n', `\n${indent}${' '.repeat(mark.length)}`)}`;
}

function inHtml(lines: readonly Line[]): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length;) {
    const { kind = 'plain' } = lines[at] ?? {};
    const isSame = (line: Line) => (kind === 'quote' ? line.kind === kind : isItem(line));
    const end = kind === 'plain' ? at + 1 : endOf(lines, at, isSame);
    const group = lines.slice(at, end);
    if (kind === 'plain') parts.push(blockOf(group[0]?.runs ?? []));
    else if (kind === 'quote') parts.push(quoteOf(group, isIntroduced(lines[at - 1])));
    else parts.push(listOf(group, 0));
    at = end;
  }
  return parts.join('');
}

function isItem({ kind }: Line): boolean {
  return kind === 'bullet' || kind === 'number';
}

function endOf(lines: readonly Line[], from: number, isSame: (line: Line) => boolean): number {
  const end = lines.findIndex((line, at) => at >= from && !isSame(line));
  return end < 0 ? lines.length : end;
}

/** Whether the line before a quote says who wrote it, so that mail programs fold it. */
function isIntroduced(line: Line | undefined): boolean {
  return line !== undefined && /\bwrote:$/.test(lineInWords(line));
}

function blockOf(runs: readonly Run[]): string {
  return `<div>${inlineOf(runs) || '<br>'}</div>`;
}

function quoteOf(lines: readonly Line[], isCited: boolean, depth = 1): string {
  const parts: string[] = [];
  const isInner = ({ runs }: Line) => depth < MAX_QUOTES && runs[0]?.text.startsWith('>') === true;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const end = line && isInner(line) ? endOf(lines, at, isInner) : at + 1;
    if (line && isInner(line))
      parts.push(quoteOf(lines.slice(at, end).map(unquoted), false, depth + 1));
    else parts.push(blockOf(line?.runs ?? []));
    at = end;
  }
  return `<blockquote${isCited ? ' type="cite"' : ''}>${parts.join('')}</blockquote>`;
}

function unquoted(line: Line): Line {
  const [first, ...rest] = line.runs;
  if (!first) return line;
  return { ...line, runs: [{ ...first, text: first.text.replace(/^> ?/, '') }, ...rest] };
}

/** Items that are deeper belong to the one above them. */
function listOf(lines: readonly Line[], depth: number): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length;) {
    const { kind, value } = lines[at] ?? { kind: 'bullet', value: 1 };
    const end = endOf(lines, at, (line) => line.depth > depth || line.kind === kind);
    const start = kind === 'number' && value !== 1 ? ` start="${value}"` : '';
    const tag = kind === 'number' ? 'ol' : 'ul';
    parts.push(`<${tag}${start}>${itemsOf(lines.slice(at, end), depth)}</${tag}>`);
    at = end;
  }
  return parts.join('');
}

function itemsOf(lines: readonly Line[], depth: number): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const isOwn = line !== undefined && line.depth <= depth;
    const from = isOwn ? at + 1 : at;
    const end = endOf(lines, from, (inner) => inner.depth > depth);
    const inner = end > from ? listOf(lines.slice(from, end), depth + 1) : '';
    parts.push(`<li>${isOwn ? inlineOf(line.runs) : ''}${inner}</li>`);
    at = end;
  }
  return parts.join('');
}

function inlineOf(runs: readonly Run[]): string {
  return linksOf(withBlanks(runs))
    .map((link) => {
      const words = link.runs.map(runInHtml).join('');
      return link.href === undefined ? words : `<a href="${escaped(link.href)}">${words}</a>`;
    })
    .join('');
}

/** A row of blanks, and those at the start of a line, would be shown as one or none. */
function withBlanks(runs: readonly Run[]): Run[] {
  let isAfterBlank = true;
  return runs.map((run) => {
    const start = isAfterBlank ? run.text.replace(/^ /, '\u00a0') : run.text;
    const text = start.replaceAll('\t', '    ').replaceAll(/(?<=[ \u00a0\n]) /g, '\u00a0');
    isAfterBlank = /[ \n]$/.test(text);
    return { ...run, text };
  });
}

const TAGS = [
  [BOLD, 'b'],
  [ITALIC, 'i'],
  [UNDERLINE, 'u'],
] as const;

function runInHtml({ text, format }: Run): string {
  const tags = TAGS.filter(([bit]) => (format & bit) !== 0).map(([, tag]) => tag);
  const words = escaped(text).replaceAll('\u00a0', '&nbsp;').replaceAll('\n', '<br>');
  const starts = tags.map((tag) => `<${tag}>`);
  const ends = tags.map((tag) => `</${tag}>`).toReversed();
  return [...starts, words, ...ends].join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The elements of mails that are written here. */
const OWN = 'html, head, meta, body, div, p, br, b, i, u, strong, em, a, ul, ol, li, blockquote';

/** Whether HTML of another program has more formatting than is kept. */
export function hasUnsupportedFormatting(html: string): boolean {
  return pageOf(html).querySelector(`:not(${OWN})`) !== null;
}

/**
 * Parsed without a window: it loads and runs nothing. Styles become data, since the page's policy reports them even
 * there.
 */
function pageOf(html: string): Document {
  const quiet = html
    .replaceAll(/<(\/?)style\b/gi, '<$1script')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/([\s"'])style\s*=/gi, '$1data-style='));
  return new DOMParser().parseFromString(quiet, 'text/html');
}

export function linesOfHtml(html: string): Line[] {
  const reader = new HtmlReader();
  reader.readAll(pageOf(html).body, { format: 0, quotes: 0, depth: -1, kind: 'bullet' });
  return reader.finish();
}

function isBlank(run: Run | undefined): boolean {
  return run?.text === '' || run?.text === ' ' || run?.text === '\n';
}

type InheritedFormat = {
  format: number;
  href?: string;
  /** Quotes and lists around it; -1 without a list. */
  quotes: number;
  depth: number;
  kind: 'bullet' | 'number';
};

const SKIPPED = /^(?:head|title|style|script|template|noscript|object|iframe|svg|math)$/;
const BLOCKS =
  /^(?:address|article|center|dd|div|dl|dt|footer|form|h[1-6]|header|hr|main|p|pre|section|table|tbody|thead|tr)$/;
const SET: Readonly<Record<string, number>> = {
  b: BOLD,
  strong: BOLD,
  i: ITALIC,
  em: ITALIC,
  u: UNDERLINE,
};

/** Word processors have formats as styles; some wrap everything into a `b` that is not bold. */
function formatOf(element: Element, around: number): number {
  const style = element.getAttribute('data-style') ?? '';
  let format = around | (SET[element.localName] ?? 0);
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) format |= BOLD;
  if (/font-weight:\s*(?:normal|[1-5]00)/.test(style)) format &= ~BOLD;
  if (/font-style:\s*italic/.test(style)) format |= ITALIC;
  if (/font-style:\s*normal/.test(style)) format &= ~ITALIC;
  if (/text-decoration(?:-line)?:[^;]*underline/.test(style)) format |= UNDERLINE;
  return format;
}

class HtmlReader {
  readonly #lines: Line[] = [];
  #line: Line | null = null;
  /** Inside of an item, a block begins on a line of its own. */
  #isBroken = false;

  readAll(parent: Node, around: InheritedFormat) {
    for (const node of parent.childNodes) {
      if (node instanceof Element) this.#readElement(node, around);
      else if (node.nodeType === Node.TEXT_NODE) this.#addText(node.nodeValue ?? '', around);
    }
  }

  finish(): Line[] {
    for (const { runs } of this.#lines) {
      while (isBlank(runs.at(-1))) runs.pop();
      const last = runs.at(-1);
      // Blanks come singly here.
      if (last) last.text = last.text.replace(/ $/, '');
      for (const run of runs) run.text = run.text.replaceAll('\u00a0', ' ');
    }
    return this.#lines.length === 0 ? [lineOf('plain')] : this.#lines;
  }

  #readElement(element: Element, around: InheritedFormat) {
    const name = element.localName;
    if (SKIPPED.test(name)) return;
    if (name === 'br') this.#break(around);
    else if (name === 'ul' || name === 'ol') this.#readList(element, around);
    else if (name === 'blockquote') {
      this.#inBlock(() => this.readAll(element, { ...around, quotes: around.quotes + 1 }));
    } else if (BLOCKS.test(name) || name === 'li') {
      if (name === 'p') this.#separate(around);
      this.#inBlock(() => this.readAll(element, around));
    } else {
      const href = name === 'a' ? (element.getAttribute('href') ?? '').trim() : '';
      const link = isAddressOfLink(href) ? href : around.href;
      // Links are underlined anyway.
      const format = formatOf(element, around.format) & (link === undefined ? FORMATS : ~UNDERLINE);
      this.readAll(element, { ...around, format, ...(link !== undefined && { href: link }) });
    }
  }

  #readList(list: Element, around: InheritedFormat) {
    const kind = list.localName === 'ol' ? 'number' : 'bullet';
    const inner: InheritedFormat = { ...around, kind, depth: around.depth + 1 };
    let value = Number(list.getAttribute('start') ?? 1) || 1;
    this.#line = null;
    for (const child of list.children) {
      if (child.localName === 'li') {
        this.#begin({ kind, depth: inner.depth, value, runs: [] });
        value += 1;
        this.readAll(child, inner);
      } else this.#readElement(child, inner);
      this.#line = null;
      this.#isBroken = false;
    }
  }

  #inBlock(read: () => void) {
    this.#endBlock();
    read();
    this.#endBlock();
  }

  #endBlock() {
    if (this.#line && isItem(this.#line)) this.#isBroken = this.#line.runs.length > 0;
    else this.#line = null;
  }

  /** Other programs have a margin between paragraphs. */
  #separate({ depth, quotes }: InheritedFormat) {
    const last = this.#lines.at(-1);
    if (depth < 0 && last && last.runs.length > 0)
      this.#lines.push(lineOf(quotes > 0 ? 'quote' : 'plain'));
  }

  #break(around: InheritedFormat) {
    if (this.#line && isItem(this.#line)) this.#line.runs.push({ text: '\n', format: 0 });
    else if (this.#line) this.#line = null;
    else {
      this.#begin(this.#newLine(around));
      this.#line = null;
    }
  }

  #addText(text: string, around: InheritedFormat) {
    const words = text.replaceAll(/[ \t\r\n\f]+/g, ' ');
    const isStart = this.#line === null || this.#line.runs.length === 0;
    const isAfterBlank = /[ \n]$/.test(this.#line?.runs.at(-1)?.text ?? '');
    const rest = isStart || isAfterBlank || this.#isBroken ? words.replace(/^ /, '') : words;
    if (rest === '') return;
    const line = this.#line ?? this.#begin(this.#newLine(around));
    if (this.#isBroken) line.runs.push({ text: '\n', format: 0 });
    this.#isBroken = false;
    const { format, href } = around;
    line.runs.push({ text: rest, format, ...(href !== undefined && { href }) });
  }

  #begin(line: Line): Line {
    this.#lines.push(line);
    this.#line = line;
    return line;
  }

  #newLine({ quotes, depth, kind }: InheritedFormat): Line {
    if (depth >= 0) return { ...lineOf(kind), depth };
    if (quotes === 0) return lineOf('plain');
    return lineOf('quote', '> '.repeat(Math.min(quotes, MAX_QUOTES) - 1));
  }
}
