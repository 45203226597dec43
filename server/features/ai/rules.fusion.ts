/** Softens the first ranks, so that one list alone does not decide. */
const K = 60;

/** Fuses ranked lists by the reciprocals of their ranks, each weighing the same; what is in several comes earlier. */
export function fuseRanks(lists: readonly (readonly number[])[], limit: number): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [at, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1));
  return [...scores]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id);
}
