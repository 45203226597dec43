/** Call durations in milliseconds. */
export type Samples = { p50: number; p95: number; p99: number; most: number; perSecond: number };

/** @param seconds total duration of the calls */
export function summarize(milliseconds: number[], seconds: number): Samples {
  if (milliseconds.length === 0) throw new Error('nothing was measured');
  const sorted = Float64Array.from(milliseconds).toSorted();
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    perSecond: milliseconds.length / seconds,
  };
}
