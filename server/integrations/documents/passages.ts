import { headingOf, runInHeading } from './headings.ts';
import type { Page, Passage } from './messages.ts';
import { paragraphsOfPages, paragraphsOfText, type Paragraph } from './paragraphs.ts';
import { sentencesOf } from './sentences.ts';

/** Preferred and largest size of a passage, in UTF-16 units. */
const USUAL = 800;
const LONGEST = 1200;
const LONGEST_PATH = 300;

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
    const kept = open && isFlowing && paragraph.end - open.start <= LONGEST;
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
  return piece.end - open.start <= (belongsTogether ? LONGEST : USUAL);
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
      .slice(0, LONGEST_PATH);
  }
}

/** The paragraph, or groups of its sentences when it is too long; long sentences are cut at a space. */
function* piecesOf({ start, text, location }: Paragraph): Generator<Piece> {
  if (text.length <= LONGEST) {
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
    while (sentence.end - from > LONGEST) {
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
