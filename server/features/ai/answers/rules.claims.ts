import { normalized } from '@matterdesk/contract/normalization.ts';
import { bestSentence, type Span, splitSentences } from './rules.ts';

const MARKER = /(?<!\s)\s*\[(\d{1,4})\]/g;
/** Share of a claim's words that a passage must contain. */
const MIN_OVERLAP = 0.3;

const NUMBER_WORDS = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty`
    .split(/\s+/)
    .map((word, value) => [word, String(value)]),
);
for (const [at, word] of 'thirty forty fifty sixty seventy eighty ninety'.split(' ').entries())
  NUMBER_WORDS.set(word, String((at + 3) * 10));

const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december)\b(?=\W{1,3}\d)|(?<=\d\W{1,3}(?:of )?)\b(january|february|march|april|may|june|july|august|september|october|november|december)\b/gi;
const STOP = new Set(
  `a an and are as at be been by can does do each for from has have he her his if in is it its may must no nor not of
  on or shall she such that the their them there these they this those to under was were which who will with`.split(
    /\s+/,
  ),
);

/** Drops grammatical endings, so that related words match. */
function stem(word: string): string {
  const bare = word.replace(/(ations?|ing|edly|ed|ies|ments?|ions?|ally|al|ly|es|s|e|y)$/, '');
  return (bare.length >= 3 ? bare : word).slice(0, 7);
}

function stemsOf(text: string): Set<string> {
  const found =
    normalized(text, 'NFKC')
      .toLowerCase()
      .match(/\p{L}[\p{L}'’]*/gu) ?? [];
  return new Set(found.filter((word) => !STOP.has(word) && word.length > 1).map(stem));
}

/** Only letters and digits, so that line breaks, hyphenation and quotation marks do not matter. */
function bare(text: string): string {
  return normalized(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function numbersOf(text: string): Set<string> {
  const plain = normalized(text, 'NFKC').toLowerCase();
  const digits = plain.match(/\d[\d.,]*/g) ?? [];
  const words = (plain.match(/\p{L}+/gu) ?? []).flatMap((word) => NUMBER_WORDS.get(word) ?? []);
  return new Set([...digits.map(plainNumber), ...words]);
}

/** Makes '1,450.00.' equal '1450'. */
function plainNumber(number: string): string {
  return number
    .replace(/(?<![.,])[.,]+$/, '')
    .replace(/\.0+$/, '')
    .replaceAll(',', '');
}

/** Numbers, months of dates, quotations and names of the claim that the passages do not contain. */
function missingFacts(claim: string, passages: string, known: string): string[] {
  const present = numbersOf(passages);
  const numbers = [...numbersOf(claim)].filter((number) => number !== '1' && !present.has(number));
  const text = bare(passages);
  const quoted = [...claim.matchAll(/["“]([^"”]{3,2000})["”]/g)].map((match) => match[1] ?? '');
  const exact = [...(claim.match(MONTH) ?? []), ...quoted].filter(
    (part) => !text.includes(bare(part)),
  );
  const inside = claim.trim().replace(/^\W*\w+/, '');
  const stems = stemsOf(`${passages} ${known}`);
  const names = (inside.match(/\p{Lu}[\p{L}’']+/gu) ?? []).filter(
    (name) =>
      [...stemsOf(name)].some((part) => !stems.has(part)) && !NUMBER_WORDS.has(name.toLowerCase()),
  );
  return [...numbers, ...exact, ...names];
}

function overlap(claim: Set<string>, passage: Set<string>): number {
  const present = [...claim].filter((word) => passage.has(word)).length;
  return claim.size === 0 ? 0 : present / claim.size;
}

/** A passage with the number under which the model received it. */
type NumberedPassage = { n: number; text: string; heading: string };
/** `n` appears once in the text, and `sentence` is in UTF-16 units of the passage. */
type Citing = { n: number; passage: number; sentence: Span };
type VerifiedText = { text: string; uses: Citing[]; unsupported: Span[] };

/**
 * Verifies a model's text against the passages that it cites: removes markers of unknown or unsupported citations, and
 * reports the sentences left without any. A passage cited again gets another number, for its other sentence.
 * @param known text whose names need no passage: the question and the files' names
 */
export function verifyClaims(
  written: string,
  passages: readonly NumberedPassage[],
  known: string,
): VerifiedText {
  const byNumber = new Map(passages.map((passage) => [passage.n, passage]));
  const verified: VerifiedText = { text: '', uses: [], unsupported: [] };
  const parts = splitClaims(written);
  const taken = new Set(parts.flatMap((part) => part.numbers));
  for (const part of parts) {
    const cited = part.numbers.flatMap((n) => byNumber.get(n) ?? []);
    const supporting = supportingCitations(part.text, cited, known);
    const start = verified.text.length;
    verified.text += part.text;
    for (const passage of supporting) {
      const isUsed = verified.uses.some((use) => use.n === passage.n);
      const n = isUsed ? smallestFree(taken) : passage.n;
      taken.add(n);
      verified.text += ` [${n}]`;
      verified.uses.push({ n, passage: passage.n, sentence: align(part.text, passage.text) });
    }
    if (supporting.length === 0 && /\p{L}|\p{N}/u.test(part.text))
      verified.unsupported.push({ start, end: verified.text.length });
    verified.text += part.gap;
  }
  return { ...verified, text: verified.text.trimEnd() };
}

function smallestFree(taken: ReadonlySet<number>): number {
  let n = 1;
  while (taken.has(n)) n += 1;
  return n;
}

/** A sentence of the answer without its markers, their numbers, and the whitespace up to the next sentence. */
type Part = { text: string; numbers: number[]; gap: string };

function splitClaims(written: string): Part[] {
  const text = written
    .trim()
    .replaceAll(/\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})+)\]/g, (_, list: string) =>
      (list.match(/\d+/g) ?? []).map((number) => `[${number}]`).join(''),
    );
  // A marker before or after the period belongs to the sentence that it ends.
  const ends = text.replaceAll(/(?<!\s)((?:\s*\[\d{1,4}\])+)([.!?]["”)]*)/g, '$2$1');
  const parts: Part[] = [];
  for (const line of ends.split(/(\n+)/)) {
    const last = parts.at(-1);
    if (/^\n+$/.test(line) && last) last.gap = line;
    else parts.push(...splitLine(line));
  }
  return parts;
}

function splitLine(line: string): Part[] {
  const masked = line.replaceAll(MARKER, (marker) => ' '.repeat(marker.length));
  const starts = splitSentences(masked).map((sentence) => sentence.start);
  return starts.map((start, at) => {
    const whole = line.slice(start, starts[at + 1] ?? line.length);
    const numbers = [...whole.matchAll(MARKER)].map((match) => Number(match[1]));
    return { text: whole.replaceAll(MARKER, '').trimEnd(), numbers, gap: ' ' };
  });
}

/** The citations that each support the claim alone, or else all of them if they support it together. */
function supportingCitations(
  claim: string,
  cited: readonly NumberedPassage[],
  known: string,
): NumberedPassage[] {
  const unique = [...new Map(cited.map((passage) => [passage.n, passage])).values()];
  const withHeading = (passage: NumberedPassage) => `${passage.heading}\n${passage.text}`;
  const words = stemsOf(claim);
  const overlapping = unique.filter(
    (passage) => overlap(words, stemsOf(withHeading(passage))) >= MIN_OVERLAP,
  );
  const holds = (subset: readonly NumberedPassage[]) =>
    missingFacts(claim, subset.map(withHeading).join('\n'), known).length === 0;
  const alone = overlapping.filter((passage) => holds([passage]));
  if (alone.length > 0) return alone;
  return holds(overlapping) ? overlapping : [];
}

/** The sentence of a passage that best supports a claim. */
export function align(claim: string, passage: string): Span {
  const sentences = splitSentences(passage);
  const words = stemsOf(claim);
  const numbers = numbersOf(claim);
  const found = sentences.map(({ start, end }) => {
    const text = passage.slice(start, end);
    const shared = [...stemsOf(text)].filter((word) => words.has(word)).map(() => ({ weight: 1 }));
    const same = [...numbersOf(text)].filter((number) => numbers.has(number));
    return [...shared, ...same.map(() => ({ weight: 2 }))];
  });
  return bestSentence(sentences, found) ?? { start: 0, end: passage.length };
}
