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
