type Span = { start: number; end: number };

/** Letters and digits alone, small, each with where it stood. What divides words on a page is not told. */
type Folded = { signs: string; places: number[] };

/** Signs of a part that say something; a shorter one stands anywhere. */
const LEAST_PART = 8;
/** Signs on either side of a passage that tell it from one with the same words. */
const NEIGHBOURHOOD = 20_000;

function fold(text: string): Folded {
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
  // Nearly every sign of nearly every document.
  if (/[a-z0-9 ]/.test(sign)) return sign === ' ' ? '' : sign;
  return sign
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Finds in one rendering of a page what is known by its place in another: spaces, hyphenation, ligatures
 * and punctuation may differ. Of several equal passages it is the one among the same words, else the one in
 * the same turn.
 * @returns spans of `shown`, in its order; several where the passage is not in one piece
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

/** Signs at the edges, such as a full stop or a quotation mark, belong to it where both have them. */
function withEdges(
  shown: string,
  { start, end }: Span,
  { text, span }: { text: string; span: Span },
) {
  const passage = text.slice(span.start, span.end).trim();
  const before = /^[\p{P}\p{S}]*/u.exec(passage)?.[0] ?? '';
  const after = /[\p{P}\p{S}]*$/u.exec(passage)?.[0] ?? '';
  return {
    start: shown.slice(0, start).endsWith(before) ? start - before.length : start,
    end: shown.startsWith(after, end) ? end + after.length : end,
  };
}

function locate(hay: Folded, source: Folded, { from, to }: { from: number; to: number }) {
  const needle = source.signs.slice(from, to);
  const hits = occurrences(hay.signs, needle);
  const kinships = hits.map((at) =>
    kinship({ text: hay.signs, at }, { text: source.signs, at: from }),
  );
  const closest = kinships.reduce((most, one) => Math.max(most, one), 0);
  const alike = hits.filter((_, at) => kinships[at] === closest);
  const turns = occurrences(source.signs, needle);
  const inTurn = hits.length === turns.length ? hits[turns.indexOf(from)] : undefined;
  const wanted = (from / source.signs.length) * hay.signs.length;
  const hit = inTurn !== undefined && alike.includes(inTurn) ? inTurn : nearest(alike, wanted);
  const start = hit === undefined ? undefined : hay.places[hit];
  const last = hit === undefined ? undefined : hay.places[hit + needle.length - 1];
  return start === undefined || last === undefined ? null : { start, end: last + 1 };
}

/** How many signs around two places in two texts are the same, both ways. */
function kinship(one: Spot, other: Spot): number {
  const same = (by: number) =>
    one.text[one.at + by] !== undefined && one.text[one.at + by] === other.text[other.at + by];
  let before = 0;
  let after = 0;
  while (before < NEIGHBOURHOOD && same(-before - 1)) before += 1;
  while (after < NEIGHBOURHOOD && same(after)) after += 1;
  return before + after;
}

type Spot = { text: string; at: number };

/** Lines of the passage, in folded places. */
function parts({ text, span }: { text: string; span: Span }, { places }: Folded) {
  const found: { from: number; to: number }[] = [];
  let begin = span.start;
  for (const line of text.slice(span.start, span.end).split('\n')) {
    const end = begin + line.length;
    const from = places.findIndex((place) => place >= begin);
    const to = places.findLastIndex((place) => place < end) + 1;
    if (from !== -1 && to - from >= LEAST_PART) found.push({ from, to });
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
