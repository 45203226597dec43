const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** More at once takes the segmenter more than linear time. */
const PIECE = 20_000;
/** After these a full stop ends no sentence. */
const ABBREVIATION =
  /(?:\b(?:no|nos|inc|ltd|co|corp|mr|mrs|ms|dr|prof|hon|jr|sr|st|vs?|art|sec|para|p|pp|vol|ed|al|cf|e\.g|i\.e|u\.s|u\.s\.c|c\.f\.r|approx|fig|ex|dept)\.|\b\p{Lu}\.|^\s*\(?[\p{L}\d]{1,4}[.)])\s*$/iu;

/** Where the sentences of a paragraph begin and end; they follow each other without a gap. */
export function sentencesOf(paragraph: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let piece = 0; piece < paragraph.length; piece += PIECE) {
    for (const { index, segment } of segmenter.segment(paragraph.slice(piece, piece + PIECE))) {
      const start = piece + index;
      const last = found.at(-1);
      if (last && continues(paragraph.slice(last.start, last.end))) last.end += segment.length;
      else found.push({ start, end: start + segment.length });
    }
  }
  return found;
}

/** A line end within a paragraph is no end of a sentence, whatever the segmenter thinks. */
function continues(sentence: string): boolean {
  return ABBREVIATION.test(sentence.slice(-40)) || !/[.!?:;…]["'”’)\]]*\s*$/.test(sentence);
}
