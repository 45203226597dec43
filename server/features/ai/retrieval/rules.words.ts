import { hintsFor, vocabulary } from './rules.vocabulary.ts';
import { weights } from './rules.weights.ts';

/** A word of the question with what it counts: 1 for what was asked, less for what was not said outright. */
export type Word = { text: string; weight: number };
export type Turn = { question: string; answer: string };

/** A question as the retrieval reads it. Weights are settled; words come once each, in the order of the question. */
export type Reading = {
  asked: Word[];
  /** Of the leading words that say which document is meant: 'Consider the lease with Smith; …'. */
  naming: Word[];
  /** From the turns before, when this one leans on them: what it is about as well. */
  carried: Word[];
  /** Words of the trade that answers use where questions use others. */
  hints: Word[];
  /** Those that look like names: of the leading words, and whatever is spelt with a capital inside the question. */
  names: string[];
  wantsFrontPage: boolean;
};

const LEANING =
  /\b(it|its|that|this|they|them|their|those|these|he|she|him|her|his|there|then|such|same|one|former|latter)\b|^(and|but|so|also|or|why|what about|how about)\b/i;

/** Reads a question; one that points back takes the words along of the turn that it points at. */
export function readQuestion(question: string, history: readonly Turn[] = []): Reading {
  const { naming, asking } = splitNaming(question);
  const asked = weigh(contentWords(asking), 1);
  const before = turnsMeant(question, history);
  const weight = pointsBack(question) ? weights.carried : weights.carriedByShort;
  const own = new Set(asked.map((word) => word.text));
  const carried = weigh(
    before.flatMap((text) => contentWords(text)).filter((word) => !own.has(word)),
    weight,
  );
  // What was asked before says what this is about, but not what is wanted of it.
  const wanted = asked.length > 0 ? asking : [...before, asking].join('\n');
  return {
    asked: asked.length > 0 || carried.length > 0 ? asked : weigh(plainWords(asking), 1),
    naming: weigh(contentWords(naming), 1),
    carried,
    hints: weigh(hintsFor(wanted), weights.hint),
    names: [...new Set([...contentWords(naming), ...[asking, ...before].flatMap(capitalised)])],
    wantsFrontPage: vocabulary.frontPage.some((pattern) => pattern.test(asking)),
  };
}

/** A question that points back, behind the questions that it points at; any other as it is. */
export function inContext(question: string, history: readonly Turn[] = []): string {
  return pointsBack(question) ? [...turnsMeant(question, history), question].join('\n') : question;
}

/** Whether a question can be understood without the turns before it. */
export function standsAlone(question: string): boolean {
  return (
    !pointsBack(question) &&
    contentWords(splitNaming(question).asking).length >= weights.enoughWords
  );
}

/** 'When must it be returned?', 'And how much?' */
function pointsBack(question: string): boolean {
  const { asking } = splitNaming(question);
  const count = contentWords(asking).length;
  return count === 0 || (LEANING.test(asking) && count <= weights.mostPointing);
}

/** The questions that this one is understood by: back to the one that pointed at none before it. */
function turnsMeant(question: string, history: readonly Turn[]): string[] {
  if (standsAlone(question)) return [];
  const meant: string[] = [];
  for (const turn of history.slice(-weights.turnsRemembered).toReversed()) {
    meant.unshift(turn.question);
    if (!pointsBack(turn.question)) break;
  }
  return meant;
}

/** Words that carry meaning, as the question spells them, lower case. */
export function contentWords(text: string): string[] {
  return plainWords(text).filter(
    (word) => !vocabulary.stop.has(word) && !vocabulary.asking.has(word),
  );
}

/** The first word of a sentence has its capital for another reason. */
function capitalised(text: string): string[] {
  const inside = text.replaceAll(/(^|[.?!:]\s)\s*\S+/g, ' ');
  return contentWords((inside.match(/\p{Lu}[\p{L}\p{N}&.'-]*/gu) ?? []).join(' '));
}

function plainWords(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .match(/[\p{L}\p{N}]+(?:[.,'&-][\p{L}\p{N}]+)*/gu);
  return [...new Set((found ?? []).map((word) => word.replace(/'s$/, '')))];
}

/** 'Consider the lease between A and B; may the tenant sublet?': what stands before the semicolon names the document. */
function splitNaming(question: string): { naming: string; asking: string } {
  const cut = question.indexOf(';');
  const asking = question.slice(cut + 1);
  if (cut === -1 || contentWords(asking).length === 0) return { naming: '', asking: question };
  return { naming: question.slice(0, cut), asking };
}

function weigh(texts: string[], weight: number): Word[] {
  return [...new Set(texts)].map((text) => ({ text, weight }));
}
