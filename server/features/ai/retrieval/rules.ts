// Ranking of passages: by words, by near spellings, by meaning.

import type { Answer } from '@matterdesk/contract/ai.ts';
import { weights } from './rules.weights.ts';

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
