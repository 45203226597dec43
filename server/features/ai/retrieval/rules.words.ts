import { normalized } from '@matterdesk/contract/normalization.ts';
import { namings } from './rules.naming.ts';
import { hintsFor, vocabulary } from './rules.vocabulary.ts';
import { weights } from './rules.weights.ts';

/** A word weighs 1 when the question says it, and less when it is implied. */
export type Word = { text: string; weight: number };
export type Turn = { question: string; answer: string };

/** A question as the retrieval reads it; each list has a word once, in the order of the question. */
export type Reading = {
  asked: Word[];
  /** Words of the opening that identifies the document: 'Consider the lease with Smith; …'. */
  naming: Word[];
  /** Words of the earlier turns that the question depends on. */
  carried: Word[];
  /** Words that answers use where questions use others. */
  hints: Word[];
  /** Likely names: the words of the opening, and capitalized words inside the question. */
  names: string[];
  wantsFrontPage: boolean;
};

const BACK_REFERENCE =
  /\b(it|its|that|this|they|them|their|those|these|he|she|him|her|his|there|then|such|same|one|former|latter)\b|^(and|but|so|also|or|why|what about|how about)\b/i;

/** Reads a question; a follow-up carries over the words of the turn that it refers to. */
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
  // Earlier questions say what this one is about, but not what it asks for.
  const wanted = asked.length > 0 ? asking : [...before, asking].join('\n');
  return {
    asked: asked.length > 0 || carried.length > 0 ? asked : weigh(plainWords(asking), 1),
    naming: weigh(contentWords(naming), 1),
    carried,
    hints: weigh(hintsFor(wanted), weights.hint),
    names: [
      ...new Set([...contentWords(naming), ...[asking, ...before].flatMap(capitalizedWords)]),
    ],
    wantsFrontPage: vocabulary.frontPage.some((pattern) => pattern.test(asking)),
  };
}

/** A follow-up question preceded by the questions that it refers to; any other question unchanged. */
export function inContext(question: string, history: readonly Turn[] = []): string {
  return pointsBack(question) ? [...turnsMeant(question, history), question].join('\n') : question;
}

/** What a question asks, without the words that name its document. */
export function withoutNaming(question: string): string {
  return splitNaming(question).asking.trim();
}

/** Whether a question is understood without the earlier turns. */
export function isSelfContained(question: string): boolean {
  return (
    !pointsBack(question) &&
    contentWords(splitNaming(question).asking).length >= weights.enoughWords
  );
}

/** For example 'When must it be returned?' or 'And how much?'. */
function pointsBack(question: string): boolean {
  const { asking } = splitNaming(question);
  const count = contentWords(asking).length;
  return count === 0 || (BACK_REFERENCE.test(asking) && count <= weights.mostPointing);
}

/** The earlier questions that this one depends on, back to the last self-contained one. */
function turnsMeant(question: string, history: readonly Turn[]): string[] {
  if (isSelfContained(question)) return [];
  const meant: string[] = [];
  for (const turn of history.slice(-weights.turnsRemembered).toReversed()) {
    meant.unshift(turn.question);
    if (!pointsBack(turn.question)) break;
  }
  return meant;
}

/** Words that carry meaning, in lower case. */
export function contentWords(text: string): string[] {
  return plainWords(text).filter(
    (word) => !vocabulary.stop.has(word) && !vocabulary.asking.has(word),
  );
}

/** Skips the first word of a sentence, which is always capitalized. */
function capitalizedWords(text: string): string[] {
  const inside = text.replaceAll(/(^|[.?!:]\s)\s*\S+/g, ' ');
  return contentWords((inside.match(/\p{Lu}[\p{L}\p{N}&.'-]*/gu) ?? []).join(' '));
}

function plainWords(text: string): string[] {
  const found = normalized(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .match(/[\p{L}\p{N}]+(?:[.,'&-][\p{L}\p{N}]+)*/gu);
  return [...new Set((found ?? []).map((word) => word.replace(/'s$/, '')))];
}

/** Splits 'Consider the lease between A and B; may the tenant sublet?' and its like into what names the file, and the rest. */
function splitNaming(question: string): { naming: string; asking: string } {
  for (const { naming, asking } of namings(question))
    if (contentWords(asking).length > 0) return { naming, asking };
  return { naming: '', asking: question };
}

function weigh(texts: string[], weight: number): Word[] {
  return [...new Set(texts)].map((text) => ({ text, weight }));
}
