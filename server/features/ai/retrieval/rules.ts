// Ranking of passages: by words, by near spellings, by meaning.

import type { Answer } from '@matterdesk/contract/ai.ts';
import { type Frequencies, idf, type Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import type { ParsedQuestion } from './rules.words.ts';

export type Confidence = Answer['confidence'];

/** The match of a document's best passage with a question. */
type Match = {
  /** Its score divided by that of a perfect passage; 0 without a passage. */
  share: number;
  /** Its score in words that no other passage contains: words that every passage contains prove nothing. */
  evidence: number;
  /** Lead over the next best passages of its document: 0 when they are as good, 1 when they match no word. */
  lead: number;
};

/**
 * The product decides, because each factor alone is high for some questions that the document does not answer: a short
 * question finds all of its words, a long one many rare words, and a rare word one passage.
 */
export function confidenceOf({ share, evidence, lead }: Match): Confidence {
  if (share * evidence * lead >= weights.answers) return 'answer';
  return share >= weights.mayAnswer ? 'possible' : 'none';
}

/** @param scores of a document's passages, in any order */
export function leadOf(scores: readonly number[]): number {
  const [best = 0, ...others] = scores.toSorted((a, b) => b - a);
  const next = others.slice(0, weights.nextPassages);
  if (best === 0 || next.length === 0) return 1;
  return 1 - next.reduce((sum, score) => sum + score, 0) / next.length / best;
}

/** Number of the best passages that an answer shows. */
export function countShown(scores: readonly number[], confidence: Confidence): number {
  if (confidence === 'none') return Math.min(weights.mostShown, scores.length);
  const best = scores[0] ?? 0;
  return scores.slice(0, weights.mostShown).filter((score) => score >= weights.shownShare * best)
    .length;
}

/**
 * Raises the confidence to possible when the nearest passage in meaning stands out among the others, even if it shares
 * no word with the question. Similarity alone never makes a confident answer.
 * @param likeness cosine of the nearest passage; `usual` is the usual cosine of all compared passages
 */
export function liftByMeaning(
  confidence: Confidence,
  { likeness, usual }: { likeness: number; usual: number },
): Confidence {
  const prominence = (likeness - usual) / (1 - usual);
  return confidence === 'none' && prominence >= weights.standsOut ? 'possible' : confidence;
}

/**
 * Fuses ranked lists by reciprocal rank, with equal weight for each list.
 * @param softness the lower it is, the more the first ranks count
 */
export function fuseRanks(
  lists: readonly (readonly number[])[],
  limit: number,
  softness = weights.byMeaning,
): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [at, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (softness + at + 1));
  return [...scores]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id);
}

/** A file whose name or first lines match words of a question. */
export type FileMatch = {
  documentId: string;
  score: number;
  /** Lexemes in the name or the first lines. */
  held: string[];
  /** Lexemes in the file's name. */
  named: string[];
};
/** `best` has the best match first; `files` is the number of all files. */
export type FileMatches = { best: FileMatch[]; files: number; frequencies: Frequencies };

/**
 * The words of a question that identify the file it means.
 * @returns undefined when it names no file
 */
export function findNamingWords(
  matches: FileMatches,
  terms: readonly Term[],
  { names }: Pick<ParsedQuestion, 'names'>,
): Set<string> | undefined {
  const best = matches.best[0];
  if (!best) return undefined;
  const worth = (term: Term) => idf(matches.files, matches.frequencies[term.lexeme] ?? 0);
  const isRare = ({ lexeme }: Term) =>
    (matches.frequencies[lexeme] ?? 0) <= Math.max(1, weights.common * matches.files);
  const isNaming = (term: Term) =>
    best.held.includes(term.lexeme) &&
    isRare(term) &&
    (best.named.includes(term.lexeme) || term.asked.some((word) => names.includes(word)));
  const naming = terms.filter(isNaming);
  const inFiles = terms.filter((term) => (matches.frequencies[term.lexeme] ?? 0) > 0);
  const sum = (subset: readonly Term[]) => subset.reduce((total, term) => total + worth(term), 0);
  if (naming.length === 0 || sum(naming) < weights.named * sum(inFiles)) return undefined;
  return new Set(naming.flatMap((term) => term.asked));
}

/**
 * The best file with those that the words may mean as well: they match nearly as well, or hold a word that the best
 * one lacks.
 */
export function withRivals(files: readonly FileMatch[]): FileMatch[] {
  const [best] = files;
  if (!best) return [];
  return files.filter(
    (file) =>
      file.score >= weights.rival * best.score ||
      file.held.some((lexeme) => !best.held.includes(lexeme)),
  );
}
