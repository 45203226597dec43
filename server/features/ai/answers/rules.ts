import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import type { Confidence } from '../retrieval/rules.ts';
import { weights } from '../retrieval/rules.weights.ts';

type Findings = {
  citations: readonly Citation[];
  confidence: Confidence;
  /** Words of the question that appear nowhere in the searched files. */
  absent: readonly string[];
  /** 'file', 'folder' or 'case'. */
  where: string;
  /** Without an answer: the first passage may be it. */
  mayAnswer?: boolean;
};

/** Composes an answer from the documents' own sentences, each followed by the number of its passage. */
export function quoteAnswer({ confidence, ...findings }: Findings): string {
  const { citations } = findings;
  if (confidence === 'none') return reportNothingFound(findings);
  const lines = citations.map((citation) => `“${oneLine(sentenceOf(citation))}” [${citation.n}]`);
  const body = lines.join('\n\n');
  return confidence === 'answer' ? body : `Possibly relevant. Check the source:\n\n${body}`;
}

type NotFound = Omit<Findings, 'confidence'>;

/** Composes the answer for a question that the files do not answer, with the numbers of the closest passages. */
export function reportNothingFound({ citations, absent, where, mayAnswer }: NotFound): string {
  const [place, it] = where === 'file' ? ['this file', 'it'] : ['the trained files', 'them'];
  const parts = [
    mayAnswer
      ? `Not certain that this answers it: check the source.`
      : `I couldn’t find this in ${place}.`,
  ];
  const quoted = absent.slice(0, 8).map((word) => `“${word}”`);
  if (quoted.length === 1) parts.push(`${quoted[0]} doesn’t appear in ${it}.`);
  else if (quoted.length > 1)
    parts.push(`${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} don’t appear in ${it}.`);
  const numbers = citations.map((citation) => `[${citation.n}]`).join(' ');
  if (numbers) parts.push(`Closest passages: ${numbers}`);
  return parts.join(' ');
}

const WHOLE = String.raw`(?:this|that|the|it|everything|all)`;
const SUMMARY = new RegExp(
  [
    String.raw`^(?:please )?(?:(?:can|could|would|will) you )?(?:please )?(?:summari[sz]e|give (?:me )?(?:a|an|the) (?:\w{1,20} )?(?:summary|overview)|write (?:me )?(?:a|the) (?:\w{1,20} )?summary)\b`,
    String.raw`^(?:a |the )?(?:short |brief )?(?:summary|overview|tl;?dr)(?: (?:of|please)\b|[.?!]*$)`,
    String.raw`^what (?:is|are) ${WHOLE}(?: (?:document|file|case|contract|letter|e-?mail|agreement|text)s?)? about\b`,
  ].join('|'),
  'i',
);

/** Whether a question asks for the whole of a document in other words, which no quotation answers. */
export function asksForSummary(question: string): boolean {
  return SUMMARY.test(question.trim());
}

/** @param isAdmin who reads which settings are missing */
export function withoutSummary(isAdmin: boolean): Answer {
  const advice = isAdmin
    ? 'Set OPENAI_BASE_URL and CHAT_MODEL.'
    : 'Your administrator can set one up.';
  return {
    answer: `A summary needs a language model, and none is set up. ${advice} Without one, ask for something that the document says: the answer quotes it.`,
    citations: [],
    found: false,
    confidence: 'none',
    mode: 'extractive',
    notice: null,
    unsupported: [],
  };
}

export function sentenceOf({ quote, start, sentence }: Citation): string {
  return quote.slice(sentence.start - start, sentence.end - start);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Part of a text in UTF-16 units; `end` is exclusive. */
export type Span = { start: number; end: number };

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Periods that do not end a sentence: 'Acme Inc.', 'No. 5', 'Sec. 2', 'J. Doe', '2.1.'. */
const ABBREVIATED =
  /(?:\b(?:inc|corp|co|ltd|llc|no|nos|sec|art|par|para|v|vs|mr|mrs|ms|dr|st|jr|sr|e\.g|i\.e|etc|cf|al|p|pp|u\.s|hon|fed|cal|vol|ex|exh)|\b[a-z]|(?:^|\s)\(?[\divxlc]+(?:\.\d+)*)\.\s*$/i;
const SHORTEST = 12;

/** The sentences of a passage, trimmed, in order. A line break inside a paragraph does not end a sentence. */
export function splitSentences(text: string): Span[] {
  const found: Span[] = [];
  for (const paragraph of splitParagraphs(text)) {
    // The segmenter ends a sentence at each line break; a space in its place keeps the offsets.
    const flat = text.slice(paragraph.start, paragraph.end).replaceAll(/[\r\n\t]/g, ' ');
    let start: number | undefined;
    for (const { segment, index } of segmenter.segment(flat)) {
      start ??= index;
      const end = index + segment.length;
      const rest = flat.slice(end);
      const isUnfinished =
        rest !== '' &&
        (isTitle(flat.slice(start, end)) ||
          ABBREVIATED.test(segment) ||
          end - start < SHORTEST ||
          /^[a-z]/.test(rest));
      if (isUnfinished) continue;
      found.push(trim(text, { start: paragraph.start + start, end: paragraph.start + end }));
      start = undefined;
    }
  }
  return found.filter((span) => span.end > span.start);
}

/** Recognizes a title such as '4. Pets.' in front of its sentence: every longer word is capitalized. */
function isTitle(segment: string): boolean {
  return segment.length < 80 && !/(^|\s)\p{Ll}[\p{L}’'-]{3,}/u.test(segment);
}

/** A row of a form: 'Date of the collision: 2025-11-23'. */
const ROW = String.raw`[ \t]*\p{Lu}[\p{L}\p{N} ’'(),/&-]{0,60}:[ \t]+\S`;
/** A row that ends well before the margin, so that the next line goes on with something else. */
const SHORT_ROW = String.raw`(?<=(?:^|\n)(?=[^\n]{1,60}\n)${ROW}[^\n]{0,60})`;
const BREAK = new RegExp(
  String.raw`\n[ \t]*(?:\n[ \t]*)+|\n(?=${ROW})|${SHORT_ROW}\n(?=[ \t]*\p{Lu})`,
  'gu',
);

function splitParagraphs(text: string): Span[] {
  const breaks = [...text.matchAll(BREAK)];
  const cuts = [0, ...breaks.map((match) => match.index + match[0].length), text.length];
  return cuts.slice(1).map((end, at) => ({ start: cuts[at] ?? 0, end }));
}

function trim(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end);
  const body = part.trim();
  const from = start + part.indexOf(body);
  return { start: from, end: from + body.length };
}

const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const DATE = new RegExp(
  String.raw`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|${MONTH} \d{1,2}\b|\d{1,2}(?:st|nd|rd|th)? (?:day of )?${MONTH}\b)`,
  'i',
);
const AMOUNT = /[$€£]\s?\d|\b\d[\d,.]*\s?(?:dollars|percent|%|USD|EUR)/i;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty|ninety)\b/i;

/** The form that an answer to the question has: a date, an amount or a number. */
export function answerForm(question: string): RegExp | undefined {
  if (/\b(?:when|(?:what|which) (?:date|day)|date of)\b/i.test(question)) return DATE;
  if (/\bhow much\b/i.test(question)) return AMOUNT;
  return /\bhow (?:long|many|often)\b/i.test(question) ? NUMBER : undefined;
}

/** Weights of the words found in a sentence. */
type WeightedWords = { weight: number }[];

/**
 * The best sentence, by BM25 over the words found in each.
 * @param found for each of `sentences`
 */
export function bestSentence(sentences: Span[], found: WeightedWords[]): Span | undefined {
  const lengths = sentences.map(({ start, end }) => end - start);
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  const { sentenceSaturation: k, sentenceLength: b } = weights;
  let best: { span: Span; score: number } | undefined;
  for (const [at, span] of sentences.entries()) {
    const weight = (found[at] ?? []).reduce((sum, word) => sum + word.weight, 0);
    const score =
      (weight * (1 + k)) / (1 + k * (1 - b + (b * (lengths[at] ?? 0)) / (average || 1)));
    if (!best || score > best.score) best = { span, score };
  }
  return best?.span;
}
