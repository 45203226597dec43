import type { Confidence } from './rules.confidence.ts';
import { weights } from './rules.weights.ts';

/**
 * Whether a passage may answer that shares no word with the question: it does when its meaning stands out among the
 * others. That it does answer is never told by likeness alone.
 * @param likeness of the nearest passage, `usual` of all that were compared; cosines
 */
export function liftByMeaning(
  confidence: Confidence,
  { likeness, usual }: { likeness: number; usual: number },
): Confidence {
  const standing = (likeness - usual) / (1 - usual);
  return confidence === 'none' && standing >= weights.standsOut ? 'possible' : confidence;
}

/**
 * Fuses ranked lists by the reciprocals of their ranks, each weighing the same; what is in several comes earlier.
 * @param softness the lower, the more a first rank counts
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
