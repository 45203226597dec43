import { normalized } from '@matterdesk/contract/normalization.ts';
import { escapeRegExp } from '@matterdesk/contract/search.ts';

type Span = { start: number; end: number };

/** Only letters and digits, in lower case, each with its offset: renderings separate words differently. */
type FoldedText = { signs: string; places: number[] };

/** Characters in a searched part; a shorter part matches anywhere. */
const MIN_PART = 8;
/** Characters compared on either side of a passage to distinguish repeated passages. */
const CONTEXT_LIMIT = 20_000;

function fold(text: string): FoldedText {
  const places: number[] = [];
  let signs = '';
  let place = 0;
  for (const sign of text) {
    const folded = foldSign(sign);
    for (let unit = 0; unit < folded.length; unit += 1) places.push(place);
    signs += folded;
    place += sign.length;
  }
  return { signs, places };
}

function foldSign(sign: string): string {
  // Fast path: nearly every character of nearly every document.
  if (/[a-z0-9 ]/.test(sign)) return sign === ' ' ? '' : sign;
  return normalized(sign, 'NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Finds a passage of one rendering of a page in another: spaces, hyphenation, ligatures and punctuation may
 * differ. Of a repeated passage, the occurrence with the same surrounding text wins, then the same occurrence.
 * @returns spans of `shown`, in order; several if the passage is not in one piece
 */
export function findSpans(shown: string, known: { text: string; span: Span }): Span[] {
  const hay = fold(shown);
  const source = fold(known.text);
  const from = source.places.findIndex((place) => place >= known.span.start);
  const to = source.places.findLastIndex((place) => place < known.span.end) + 1;
  if (from === -1 || to <= from) return [];
  const whole = locate(hay, source, { from, to });
  if (whole) return [withEdges(shown, whole, known)];
  return parts(known, source)
    .flatMap((part) => locate(hay, source, part) ?? [])
    .toSorted((a, b) => a.start - b.start);
}

/** Includes punctuation at the edges, such as a period or a quotation mark, that both texts have. */
function withEdges(
  shown: string,
  { start, end }: Span,
  { text, span }: { text: string; span: Span },
) {
  const passage = text.slice(span.start, span.end).trim();
  const before = /^[\p{P}\p{S}]*/u.exec(passage)?.[0] ?? '';
  const after = /(?<![\p{P}\p{S}])[\p{P}\p{S}]*$/u.exec(passage)?.[0] ?? '';
  return {
    start: shown.slice(0, start).endsWith(before) ? start - before.length : start,
    end: shown.startsWith(after, end) ? end + after.length : end,
  };
}

function locate(hay: FoldedText, source: FoldedText, { from, to }: { from: number; to: number }) {
  const needle = source.signs.slice(from, to);
  const hits = occurrences(hay.signs, needle);
  const overlaps = hits.map((at) =>
    contextOverlap({ text: hay.signs, at }, { text: source.signs, at: from }),
  );
  const best = overlaps.reduce((most, overlap) => Math.max(most, overlap), 0);
  const alike = hits.filter((_, at) => overlaps[at] === best);
  const turns = occurrences(source.signs, needle);
  const inTurn = hits.length === turns.length ? hits[turns.indexOf(from)] : undefined;
  const wanted = (from / source.signs.length) * hay.signs.length;
  const hit = inTurn !== undefined && alike.includes(inTurn) ? inTurn : nearest(alike, wanted);
  const start = hit === undefined ? undefined : hay.places[hit];
  const last = hit === undefined ? undefined : hay.places[hit + needle.length - 1];
  return start === undefined || last === undefined ? null : { start, end: last + 1 };
}

/** Counts the matching characters around two places in two texts. */
function contextOverlap(a: TextPosition, b: TextPosition): number {
  const same = (by: number) =>
    a.text[a.at + by] !== undefined && a.text[a.at + by] === b.text[b.at + by];
  let before = 0;
  let after = 0;
  while (before < CONTEXT_LIMIT && same(-before - 1)) before += 1;
  while (after < CONTEXT_LIMIT && same(after)) after += 1;
  return before + after;
}

type TextPosition = { text: string; at: number };

/** The lines of the passage, in folded offsets. */
function parts({ text, span }: { text: string; span: Span }, { places }: FoldedText) {
  const found: { from: number; to: number }[] = [];
  let begin = span.start;
  for (const line of text.slice(span.start, span.end).split('\n')) {
    const end = begin + line.length;
    const from = places.findIndex((place) => place >= begin);
    const to = places.findLastIndex((place) => place < end) + 1;
    if (from !== -1 && to - from >= MIN_PART) found.push({ from, to });
    begin = end + 1;
  }
  return found;
}

function occurrences(text: string, needle: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) found.push(at);
  return found;
}

function nearest(places: readonly number[], wanted: number): number | undefined {
  return places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
}

/**
 * Finds words as a user types them: in either case, with any white space between them.
 * @returns the matches in text order
 */
export function findWords(text: string, wanted: string): { start: number; end: number }[] {
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const pattern = words.map(escapeRegExp).join(String.raw`\s+`);
  return [...text.matchAll(new RegExp(pattern, 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
