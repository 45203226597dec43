import type { Confidence } from './rules.confidence.ts';

/** Part of the way from what is usual to complete likeness. Models differ in what is usual, so no likeness counts by itself. */
const STANDS_OUT = 0.35;

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
  return confidence === 'none' && standing >= STANDS_OUT ? 'possible' : confidence;
}

/** Softens the first ranks, so that one list alone does not decide. */
const SOFT = 60;

/**
 * Fuses ranked lists by the reciprocals of their ranks, each weighing the same; what is in several comes earlier.
 * @param softness the lower, the more a first rank counts
 */
export function fuseRanks(
  lists: readonly (readonly number[])[],
  limit: number,
  softness = SOFT,
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
