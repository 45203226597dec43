// Finds the tags in a part's text, wherever Word has split them, and the structure around them.

import { UnreadableDocument } from '../documents/messages.ts';
import { parseTag, quote, TagError, type Tag } from './grammar.ts';
import { attributeOf, broken, decodeXml, tokenize, type Token } from './markup.ts';
import type { StoryKind, WordPart } from './package.ts';

/** A tag in the text. */
export type Mark = {
  type: 'mark';
  /** The tag between its braces, verbatim. */
  source: string;
  /** A sentence where it is not understood. */
  tag: Tag | string;
  place: string;
  paragraph: Paragraph;
  run: Run;
  /** Word keeps text boxes twice, the second time for old programs. */
  isCopy: boolean;
};

type Run = {
  open: Token;
  /** Verbatim `w:rPr`, or nothing. */
  look: string;
  /** Elements between the paragraph and the run, outermost first. */
  wrappers: Token[];
};

type Paragraph = {
  place: string;
  /** Elements around it, outermost first. */
  ancestors: Token[];
  pieces: Piece[];
  marks: Mark[];
  /** Whether its text is tags alone. */
  isOfTags: boolean;
  /** Whether a section of the document ends with it. */
  isSection: boolean;
};

/** Text of one `w:t`. */
type Piece = { text: Token; run: Run; place: string };

export type Story = {
  part: WordPart;
  tokens: Token[];
  /** In the order of the document. */
  marks: Mark[];
  /** A text token's content, where it has tags. */
  split: Map<Token, (string | Mark)[]>;
};

/** Tags of a file, at most. */
const MAX_TAGS = 5000;

/** @throws Unreadable */
export function readStory(part: WordPart, tagsBefore: number): Story {
  const tokens = dropSmartTags(tokenize(part.xml));
  const reader = new StoryReader(part.kind, hasRenderedBreaks(tokens));
  tokens.forEach((token) => reader.read(token));
  const split = new Map<Token, (string | Mark)[]>();
  const count = { tags: tagsBefore };
  for (const paragraph of reader.paragraphs) findMarks(paragraph, split, count);
  const marks = tokens.flatMap((token) =>
    (split.get(token) ?? []).filter((piece) => typeof piece !== 'string'),
  );
  return { part, tokens, marks, split };
}

/** Old markup around words, which would be torn apart by tags in it. */
function dropSmartTags(tokens: Token[]): Token[] {
  let inProperties = 0;
  return tokens.filter(({ name, type }) => {
    if (name === 'w:smartTagPr' || name === 'w:customXmlPr') {
      if (type !== 'empty') inProperties += type === 'open' ? 1 : -1;
      return false;
    }
    // Word would replace the text of a bound control.
    if (name.endsWith(':dataBinding')) return false;
    return inProperties === 0 && name !== 'w:smartTag' && name !== 'w:customXml';
  });
}

/** Pages as Word last laid them out; else those that the author began. */
function hasRenderedBreaks(tokens: readonly Token[]): boolean | undefined {
  if (tokens.some(({ name }) => name === 'w:lastRenderedPageBreak')) return true;
  return tokens.some(isPageBreak) ? false : undefined;
}

export function isPageBreak(token: Token): boolean {
  return token.name === 'w:br' && attributeOf(token, 'w:type') === 'page';
}

const DELETED = new Set(['w:del', 'w:moveFrom']);

const NAMES: Record<Exclude<StoryKind, 'main'>, string> = {
  header: 'Header',
  footer: 'Footer',
  footnotes: 'Footnote',
  endnotes: 'Endnote',
};

class StoryReader {
  readonly paragraphs: Paragraph[] = [];
  readonly #kind: StoryKind;
  readonly #isRendered: boolean | undefined;
  readonly #stack: Token[] = [];
  /** Open paragraphs, also those of text boxes within others. */
  readonly #open: Paragraph[] = [];
  readonly #runs: Run[] = [];
  readonly #counts = { page: 1, paragraph: 0, table: 0, row: 0 };
  #tables = 0;
  /** Row of the last page break: each of its cells has that break. */
  #brokenRow: Token | undefined;

  constructor(kind: StoryKind, isRendered: boolean | undefined) {
    this.#kind = kind;
    this.#isRendered = isRendered;
  }

  read(token: Token): void {
    if (token.type === 'text') return this.#addText(token);
    if (token.type === 'close') return this.#close(token);
    this.#countPage(token);
    this.#keepLook(token);
    const paragraph = this.#open.at(-1);
    if (token.name === 'w:sectPr' && paragraph) paragraph.isSection = true;
    if (token.type === 'open') this.#enter(token);
  }

  #enter(token: Token): void {
    const { name } = token;
    if (name === 'w:tbl' && this.#tables++ === 0) {
      this.#counts.table += 1;
      this.#counts.row = 0;
    }
    if (name === 'w:tr' && this.#tables === 1) this.#counts.row += 1;
    if (name === 'w:p') this.#begin();
    if (name === 'w:r') {
      const { ancestors = [] } = this.#open.at(-1) ?? {};
      const wrappers = this.#stack.slice(ancestors.length + 1);
      this.#runs.push({ open: token, look: '', wrappers });
    }
    this.#stack.push(token);
  }

  #begin(): void {
    this.#open.push({
      place: this.#open.at(-1)?.place ?? this.#place(),
      ancestors: [...this.#stack],
      pieces: [],
      marks: [],
      isOfTags: false,
      isSection: false,
    });
  }

  /** Adds a token to the look of the run that it is in. */
  #keepLook(token: Token): void {
    const run = this.#runs.at(-1);
    if (!run) return;
    const outer = this.#stack[this.#stack.lastIndexOf(run.open) + 1] ?? token;
    if (outer.name === 'w:rPr') run.look += token.raw;
  }

  #close(token: Token): void {
    this.#keepLook(token);
    if (!this.#stack.pop()) throw broken();
    if (token.name === 'w:tbl') this.#tables -= 1;
    if (token.name === 'w:r') this.#runs.pop();
    if (token.name === 'w:p') this.#end();
  }

  #end(): void {
    const paragraph = this.#open.pop();
    if (!paragraph) return;
    this.paragraphs.push(paragraph);
    const isCounted = this.#tables === 0 && this.#open.length === 0;
    if (isCounted && paragraph.pieces.some(({ text }) => text.raw.trim() !== ''))
      this.#counts.paragraph += 1;
  }

  #addText(text: Token): void {
    const run = this.#runs.at(-1);
    const paragraph = this.#open.at(-1);
    if (this.#stack.at(-1)?.name !== 'w:t' || !run || !paragraph) return;
    if (run.wrappers.some(({ name }) => DELETED.has(name))) return;
    // A page may end within a paragraph.
    const place = this.#isPaged ? this.#place() : paragraph.place;
    paragraph.pieces.push({ text, run, place });
  }

  #countPage(token: Token): void {
    const isBreak = this.#isRendered
      ? token.name === 'w:lastRenderedPageBreak'
      : this.#isRendered === false && isPageBreak(token);
    if (!isBreak) return;
    const row = this.#stack.find(({ name }) => name === 'w:tr');
    if (row && row === this.#brokenRow) return;
    this.#brokenRow = row;
    this.#counts.page += 1;
  }

  /** Whether places are pages: Word left them, or the author began them. */
  get #isPaged(): boolean {
    return this.#kind === 'main' && this.#isRendered !== undefined;
  }

  #place(): string {
    if (this.#kind !== 'main') return NAMES[this.#kind];
    const { page, paragraph, table, row } = this.#counts;
    if (this.#isPaged) return `Page ${page}`;
    if (this.#tables > 0) return `Table ${table}, row ${row}`;
    return `Paragraph ${paragraph + 1}`;
  }
}

const BRACES = /\{\{|\}\}/g;

/** Splits the texts of a paragraph at its tags. A tag belongs to its first piece. */
function findMarks(
  paragraph: Paragraph,
  split: Map<Token, (string | Mark)[]>,
  count: { tags: number },
): void {
  const texts = paragraph.pieces.map(({ text }) => decodeXml(text.raw));
  const whole = texts.join('');
  if (!/\{\{|\}\}/.test(whole)) return;
  const spans = findSpans(whole);
  count.tags += spans.length;
  if (count.tags > MAX_TAGS)
    throw new UnreadableDocument(
      `The file has more than ${MAX_TAGS.toLocaleString('en-US')} fields.`,
    );
  let rest = whole;
  for (const { from, to } of spans.toReversed()) rest = rest.slice(0, from) + rest.slice(to);
  paragraph.isOfTags = rest.trim() === '';
  let start = 0;
  paragraph.pieces.forEach((piece, index) => {
    const end = start + (texts[index]?.length ?? 0);
    const touching = spans.filter((span) => span.from < end && span.to > start);
    if (touching.length > 0)
      split.set(piece.text, splitPiece({ paragraph, piece, whole }, touching, { start, end }));
    start = end;
  });
}

type Span = { from: number; to: number; source: string; error?: string };

function findSpans(whole: string): Span[] {
  const spans: Span[] = [];
  let from: number | undefined;
  const unclosed = (until: number) => {
    if (from === undefined) return;
    const source = whole.slice(from + 2, until);
    const shown = quote(source).slice(0, -2).trim();
    spans.push({
      from,
      to: from + 2,
      source,
      error: `${shown} is not closed. Add }} in the same paragraph.`,
    });
  };
  for (const { 0: brace, index } of whole.matchAll(BRACES)) {
    if (brace === '{{') {
      unclosed(index);
      from = index;
    } else if (from === undefined) {
      spans.push({
        from: index,
        to: index + 2,
        source: '',
        error: '}} closes no field. Add {{ before it.',
      });
    } else {
      spans.push({ from, to: index + 2, source: whole.slice(from + 2, index) });
      from = undefined;
    }
  }
  unclosed(whole.length);
  return spans;
}

type PieceContext = { paragraph: Paragraph; piece: Piece; whole: string };

function splitPiece(
  { paragraph, piece, whole }: PieceContext,
  spans: readonly Span[],
  { start, end }: { start: number; end: number },
): (string | Mark)[] {
  const parts: (string | Mark)[] = [];
  let at = start;
  for (const span of spans) {
    if (span.from > at) parts.push(whole.slice(at, span.from));
    if (span.from >= start) {
      const mark = toMark(span, paragraph, piece);
      paragraph.marks.push(mark);
      parts.push(mark);
    }
    at = Math.min(span.to, end);
  }
  if (at < end) parts.push(whole.slice(at, end));
  return parts;
}

function toMark({ source, error }: Span, paragraph: Paragraph, { run, place }: Piece): Mark {
  const isCopy = paragraph.ancestors.some(({ name }) => name === 'mc:Fallback');
  const tag = error ?? parse(source);
  return { type: 'mark', source, tag, place, paragraph, run, isCopy };
}

function parse(source: string): Tag | string {
  try {
    return parseTag(source);
  } catch (error) {
    if (error instanceof TagError) return error.message;
    throw error;
  }
}
