import type { Confidence } from './rules.confidence.ts';
import { weights } from './rules.weights.ts';

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
