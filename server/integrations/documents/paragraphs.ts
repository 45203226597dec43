import type { Page } from './messages.ts';

export type Paragraph = {
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

type Cut = { at: number; level?: number | undefined; location?: string | undefined };

/** Paragraphs of a paged document, without the headers and footers that recur on its pages. */
export function* paragraphsOfPages(pages: Page[]): Generator<Paragraph> {
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
export function paragraphsOfText(pages: Page[]): Generator<Paragraph> {
  let start = 0;
  const cuts: Cut[] = [];
  for (const { text, marks } of pages) {
    for (const mark of marks) cuts.push({ ...mark, at: mark.at + start });
    start += text.length;
  }
  const text = pages.map((page) => page.text).join('');
  return paragraphsIn(text, cuts.length > 0 ? cuts : blankLines(text), 0);
}

function* paragraphsIn(text: string, cuts: Cut[], offset: number): Generator<Paragraph> {
  for (const [index, { at, level, location = null }] of cuts.entries()) {
    const raw = text.slice(at, cuts[index + 1]?.at);
    const own = raw.trim();
    if (own === '') continue;
    const start = offset + at + raw.indexOf(own[0] ?? '');
    yield { start, end: start + own.length, text: own, level, location, flowsOn: false };
  }
}

function blankLines(text: string): Cut[] {
  const cuts: Cut[] = [{ at: 0 }];
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n/g)) cuts.push({ at: index + gap.length });
  return cuts;
}

/** Lines at the top and bottom of a page that can be headers and footers. */
const EDGE = 3;
const LONGEST_RUNNING_LINE = 120;
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
    (line) => line.length <= LONGEST_RUNNING_LINE,
  );
}

function maskOf(line: string): string {
  return line.trim().toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ');
}
