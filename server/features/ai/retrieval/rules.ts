// Ranking of passages: by words, by near spellings, by meaning.

import type { Answer } from '@matterdesk/contract/ai.ts';
import { weights } from './rules.weights.ts';

export type Confidence = Answer['confidence'];

/** @param share the top score divided by the question's mass; 0 without a passage */
export function confidenceOf(share: number): Confidence {
  if (share >= weights.answers) return 'answer';
  return share >= weights.mayAnswer ? 'possible' : 'none';
}

/** How many of the best passages an answer shows. */
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
