import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import type { Span } from './rules.sentences.ts';

export type Confidence = Answer['confidence'];
export type Spelled = { quote: string; start: number; sentence: Span };

/** Parts of what a perfect passage would score, from which a passage counts as that. */
const ANSWERS = 0.5;
const MAY_ANSWER = 0.25;
/** A second passage is shown when it is nearly as good as the first. */
const NEARLY = 0.6;
export const MOST_SHOWN = 3;

/** @param share top score by the question's mass; 0 without any passage */
export function bandOf(share: number): Confidence {
  if (share >= ANSWERS) return 'answer';
  return share >= MAY_ANSWER ? 'possible' : 'none';
}

/** How many of the best passages make up an answer. */
export function countShown(scores: readonly number[], confidence: Confidence): number {
  if (confidence === 'none') return Math.min(MOST_SHOWN, scores.length);
  const best = scores[0] ?? 0;
  return scores.slice(0, MOST_SHOWN).filter((score) => score >= NEARLY * best).length;
}

type Told = {
  citations: readonly Citation[];
  confidence: Confidence;
  /** Words of the question that stand nowhere in what was asked. */
  absent: readonly string[];
  /** 'file', 'folder' or 'case'. */
  where: string;
};

/** An answer made of the document's own sentences, each with the number of its passage once. */
export function tellExtractively({ citations, confidence, absent, where }: Told): string {
  if (confidence === 'none') return tellNothingFound({ citations, absent, where });
  const lines = citations.map((citation) => `“${oneLine(sentenceOf(citation))}” [${citation.n}]`);
  const body = lines.join('\n\n');
  return confidence === 'answer' ? body : `Possibly relevant, please check:\n\n${body}`;
}

type Nothing = Pick<Told, 'citations' | 'absent' | 'where'>;

/** The honest sentence; the nearest passages stand behind their numbers. */
export function tellNothingFound({ citations, absent, where }: Nothing): string {
  const parts = [`This ${where} does not seem to hold the answer.`];
  const named = absent.slice(0, 8).map((word) => `“${word}”`);
  if (named.length === 1) parts.push(`The word ${named[0]} occurs nowhere in it.`);
  else if (named.length > 1)
    parts.push(
      `The words ${named.slice(0, -1).join(', ')} and ${named.at(-1)} occur nowhere in it.`,
    );
  const numbers = citations.map((citation) => `[${citation.n}]`).join(' ');
  if (numbers) parts.push(`The nearest passages: ${numbers}`);
  return parts.join(' ');
}

/** The most telling part of a citation, verbatim. */
function sentenceOf({ quote, start, sentence }: Spelled): string {
  return quote.slice(sentence.start - start, sentence.end - start);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
