import type { Page, Passage } from './messages.ts';

/** Preferred and largest size of a passage, in UTF-16 units. */
const USUAL = 800;
const MAX_PASSAGE_LENGTH = 1200;
const MAX_PATH_LENGTH = 300;

type Piece = { start: number; end: number; location: string | null };

/** Splits a document into passages that stay within its sections, each with its path of headings. */
export function* dividePages(pages: Page[], hasPages: boolean): Generator<Passage> {
  const text = pages.map((page) => page.text).join('');
  const finish = locator(pages, text);
  const path = new HeadingPath();
  let open: Piece | undefined;
  let isTitleOnly = false;
  let isFlowing = false;
  let page = 0;
  for (const paragraph of hasPages ? paragraphsOfPages(pages) : paragraphsOfText(pages)) {
    const isTurned = hasPages && pageAt(pages, paragraph.start) !== page;
    if (isTurned) page = pageAt(pages, paragraph.start);
    isFlowing &&= /^\p{Ll}/u.test(paragraph.text);
    const kept = open && isFlowing && paragraph.end - open.start <= MAX_PASSAGE_LENGTH;
    if (open && isTurned && !kept && !isTitleOnly) {
      yield finish(open, path.text);
      open = undefined;
    }
    const title = titleOf(paragraph);
    if (title) {
      if (open && !isTitleOnly) {
        yield finish(open, path.text);
        open = undefined;
      }
      path.enter(title);
    }
    for (const piece of piecesOf(paragraph)) {
      if (open && !fits(open, piece, isFlowing || isTitleOnly)) {
        yield finish(open, path.text);
        open = undefined;
      }
      const location: string | null = open && !isTitleOnly ? open.location : piece.location;
      open = { start: open?.start ?? piece.start, end: piece.end, location };
      isTitleOnly = title?.isWhole ?? false;
      isFlowing = false;
    }
    isFlowing = paragraph.flowsOn && !title?.isWhole;
  }
  if (open) yield finish(open, path.text);
}

function fits(open: Piece, piece: Piece, belongsTogether: boolean) {
  return piece.end - open.start <= (belongsTogether ? MAX_PASSAGE_LENGTH : USUAL);
}

type Title = { level: number; text: string; isWhole: boolean };

function titleOf({ level, text }: Paragraph): Title | undefined {
  if (level === 0) return undefined;
  if (level !== undefined) return { level, text: text.slice(0, 200), isWhole: true };
  const [line = ''] = text.split('\n', 1);
  const whole = line.length === text.length || text.length <= 110 ? headingOf(text) : undefined;
  if (whole) return { ...whole, isWhole: true };
  const found = headingOf(line) ?? runInHeading(text);
  return found && { ...found, isWhole: false };
}

class HeadingPath {
  #path: { level: number; text: string }[] = [];

  enter({ level, text }: Title): void {
    this.#path = [...this.#path.filter((above) => above.level < level), { level, text }];
  }

  get text(): string {
    return this.#path
      .map((heading) => heading.text.replaceAll(/\s+/g, ' ').trim())
      .join(' › ')
      .slice(0, MAX_PATH_LENGTH);
  }
}

/** The paragraph, or groups of its sentences when it is too long; long sentences are cut at a space. */
function* piecesOf({ start, text, location }: Paragraph): Generator<Piece> {
  if (text.length <= MAX_PASSAGE_LENGTH) {
    yield { start, end: start + text.length, location };
    return;
  }
  let from = 0;
  let to = 0;
  for (const sentence of sentencesOf(text)) {
    if (sentence.end - from > USUAL && to > from) {
      yield { start: start + from, end: start + to, location };
      from = to;
    }
    while (sentence.end - from > MAX_PASSAGE_LENGTH) {
      const cut = cutPoint(text, from);
      yield { start: start + from, end: start + cut, location };
      from = cut;
    }
    to = sentence.end;
  }
  if (to > from) yield { start: start + from, end: start + to, location };
}

function cutPoint(text: string, from: number): number {
  const blank = text.slice(from, from + USUAL).search(/\s\S*$/);
  const cut = from + (blank > USUAL / 2 ? blank + 1 : USUAL);
  const unit = text.charCodeAt(cut - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? cut - 1 : cut;
}

function pageAt(pages: Page[], offset: number): number {
  let [low, high] = [0, pages.length - 1];
  const starts = startsOf(pages);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pages[low]?.page ?? 1;
}

const known = new WeakMap<Page[], number[]>();

function startsOf(pages: Page[]): number[] {
  let starts = known.get(pages);
  if (starts) return starts;
  let start = 0;
  starts = pages.map((page) => (start += page.text.length) - page.text.length);
  known.set(pages, starts);
  return starts;
}

/** A passage of a span, trimmed, with its page. */
function locator(pages: Page[], text: string) {
  return (piece: Piece, heading: string): Passage => {
    const raw = text.slice(piece.start, piece.end);
    const start = piece.start + raw.length - raw.trimStart().length;
    const own = raw.trim();
    const { location } = piece;
    return {
      page: pageAt(pages, start),
      start,
      end: start + own.length,
      heading,
      location,
      text: own,
    };
  };
}

type Paragraph = {
  /** UTF-16 units from the start of the document. */
  start: number;
  end: number;
  text: string;
  /** See `Mark`. */
  level: number | undefined;
  location: string | null;
  /** Its page ends mid-sentence. */
  flowsOn: boolean;
};

type CutPoint = { at: number; level?: number | undefined; location?: string | undefined };

/** Paragraphs of a paged document, without the headers and footers that recur on its pages. */
function* paragraphsOfPages(pages: Page[]): Generator<Paragraph> {
  const recurring = findRunningLines(pages);
  let start = 0;
  for (const page of pages) {
    const running = new Set(edgesOf(page.text).filter((line) => recurring.has(maskOf(line))));
    const found = [...paragraphsIn(page.text, blankLines(page.text), start)].filter(
      ({ text }) => !text.split('\n').every((line) => running.has(line)),
    );
    const last = found.at(-1);
    if (last) last.flowsOn = !/[.!?:;…]["'”’)\]]*\s*$/.test(last.text);
    yield* found;
    start += page.text.length;
  }
}

/** Paragraphs of a text that was cut at arbitrary places. */
function paragraphsOfText(pages: Page[]): Generator<Paragraph> {
  let start = 0;
  const cuts: CutPoint[] = [];
  for (const { text, marks } of pages) {
    for (const mark of marks) cuts.push({ ...mark, at: mark.at + start });
    start += text.length;
  }
  const text = pages.map((page) => page.text).join('');
  return paragraphsIn(text, cuts.length > 0 ? cuts : blankLines(text), 0);
}

function* paragraphsIn(text: string, cuts: CutPoint[], offset: number): Generator<Paragraph> {
  for (const [index, { at, level, location = null }] of cuts.entries()) {
    const raw = text.slice(at, cuts[index + 1]?.at);
    const own = raw.trim();
    if (own === '') continue;
    const start = offset + at + raw.indexOf(own[0] ?? '');
    yield { start, end: start + own.length, text: own, level, location, flowsOn: false };
  }
}

function blankLines(text: string): CutPoint[] {
  const cuts: CutPoint[] = [{ at: 0 }];
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n/g)) cuts.push({ at: index + gap.length });
  return cuts;
}

/** Lines at the top and bottom of a page that can be headers and footers. */
const EDGE = 3;
const MAX_RUNNING_LINE_LENGTH = 120;
const RECURS = 4;

/** Lines such as 'Page 7 of 75' and 'Confidential' that recur on most pages, with masked numbers. */
function findRunningLines(pages: Page[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { text } of pages) {
    const within = countMasks(text);
    // Table rows look alike too, but a page has many of them.
    const edges = new Set(edgesOf(text).map(maskOf));
    for (const mask of edges)
      if ((within.get(mask) ?? 0) <= 2) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  const least = Math.max(RECURS, Math.min(pages.length * 0.05, 20));
  return new Set([...counts].filter(([, count]) => count >= least).map(([mask]) => mask));
}

function countMasks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mask of text.split('\n').map(maskOf)) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  return counts;
}

function edgesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return [...lines.slice(0, EDGE), ...lines.slice(-EDGE)].filter(
    (line) => line.length <= MAX_RUNNING_LINE_LENGTH,
  );
}

function maskOf(line: string): string {
  return line.trim().toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ');
}

const MAX_HEADING_LENGTH = 110;
const DIVISION =
  /^(article|part|chapter|title|exhibit|schedule|annex|appendix|attachment|section)\s+(\d+(?:\.\d+)*|[ivxlc]+|[a-z])\b/i;
const NUMBERED = /^§?\s*(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?\s+(\S.*)$/;
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into of on or the to with without under upon per via'.split(
    ' ',
  ),
);

type Heading = {
  /** 1 is the highest. */
  level: number;
  text: string;
};

/** Recognizes a heading by its words alone. */
export function headingOf(line: string): Heading | undefined {
  const text = line.replaceAll(/\s+/g, ' ').trim();
  if (text.length < 3 || text.length > MAX_HEADING_LENGTH || !/\p{L}{2}/u.test(text))
    return undefined;
  if (DIVISION.test(text)) return divisionOf(text);
  const [, number, title] = NUMBERED.exec(text) ?? [];
  if (number && title)
    return isTitle(title) || isShortLabel(title)
      ? { level: 2 + depthOf(number), text: bare(text) }
      : undefined;
  return isCapitals(text) && !/[,;]$/.test(text) ? { level: 2, text: bare(text) } : undefined;
}

function divisionOf(text: string): Heading | undefined {
  const isSection = /^section/i.test(text);
  // 'Section 5 of the Act provides that…' is a sentence.
  const rest = text.replace(DIVISION, '').replace(/^[\s.:–—-]+/, '');
  if (rest !== '' && !isTitle(rest)) return undefined;
  return { level: isSection ? 3 : 1, text: bare(text) };
}

/**
 * The run-in heading of a paragraph: '5.1 Governing Law. This Agreement…'.
 * @returns undefined for plain sentences
 */
export function runInHeading(paragraph: string): Heading | undefined {
  const head = paragraph.slice(0, 160).replaceAll(/\s+/g, ' ');
  const [, label, title] =
    /^((?:section\s+)?\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|\([a-z0-9]{1,3}\))\s+([^.:;]{3,80})[.:]\s+\S/i.exec(
      head,
    ) ?? [];
  if (!label || !title || !isTitle(title)) return undefined;
  const number = label.replaceAll(/[^\d.]/g, '');
  return { level: number === '' ? 6 : 2 + depthOf(number), text: `${label} ${title}` };
}

function depthOf(number: string) {
  return number.split('.').filter(Boolean).length - 1;
}

/** Most longer words are capitalized, and it does not end mid-sentence. */
function isTitle(text: string): boolean {
  const title = text.replace(/[.:]$/, '');
  if (/[;,]$/.test(title) || /[.!?]\s/.test(title)) return false;
  const words = title.split(/[\s/–—-]+/).filter((word) => /\p{L}/u.test(word));
  const weighty = words.filter((word) => !SMALL_WORDS.has(word.toLowerCase()));
  if (weighty.length === 0 || words.length > 14) return false;
  const capital = weighty.filter((word) => /^[^\p{L}]*\p{Lu}/u.test(word));
  return capital.length >= weighty.length * 0.7;
}

/** 'Security deposit': a few words after a number, without sentence punctuation. */
function isShortLabel(text: string): boolean {
  return text.length <= 60 && /^\p{Lu}/u.test(text) && !/[.,;:?!]$|[.;]\s/.test(text);
}

function isCapitals(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}]/gu, '');
  return (
    letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  );
}

function bare(text: string): string {
  return text.replace(/[.:]$/, '');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The segmenter takes more than linear time, so it gets limited pieces. */
const PIECE = 20_000;
/** The end of a sentence that is looked at: text without any sentence end grows into one, which would be read again for each line. */
const TAIL = 40;
/** Abbreviations after which a period ends no sentence. */
const ABBREVIATION =
  /(?:\b(?:no|nos|inc|ltd|co|corp|mr|mrs|ms|dr|prof|hon|jr|sr|st|vs?|art|sec|para|p|pp|vol|ed|al|cf|e\.g|i\.e|u\.s|u\.s\.c|c\.f\.r|approx|fig|ex|dept)\.|\b\p{Lu}\.|^\s*\(?[\p{L}\d]{1,4}[.)])\s*$/iu;

/** Spans of a paragraph's sentences, without gaps. */
export function sentencesOf(paragraph: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let piece = 0; piece < paragraph.length; piece += PIECE) {
    for (const { index, segment } of segmenter.segment(paragraph.slice(piece, piece + PIECE))) {
      const start = piece + index;
      const last = found.at(-1);
      if (last && continues(tailOf(paragraph, last))) last.end += segment.length;
      else found.push({ start, end: start + segment.length });
    }
  }
  return found;
}

/** Line ends within a paragraph do not end a sentence, although the segmenter says so. */
function continues(tail: string): boolean {
  return ABBREVIATION.test(tail) || !/[.!?:;…]["'”’)\]]*\s*$/.test(tail);
}

function tailOf(paragraph: string, { start, end }: { start: number; end: number }): string {
  return paragraph.slice(Math.max(start, end - TAIL), end);
}
