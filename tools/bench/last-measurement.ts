import type { Measurement } from './measurements.ts';

/** Values by name. */
export type Last = Record<string, number>;

/** How much more than last time is noise, as a factor and in the measurement's unit. */
const TOLERANCE = {
  // Milliseconds depend on the machine, ratios and sizes hardly.
  ms: { factor: 2, extra: 5 },
  '×': { factor: 1.25, extra: 0.1 },
  MB: { factor: 1.25, extra: 10 },
  kB: { factor: 1.05, extra: 0 },
} as const;
/** The slowest call in a hundred varies more between runs. */
const TAIL = 1.5;

export type Slower = { name: string; value: number; unit: string; last: number; most: number };

/** The measurements that got slower or larger than the last ones by more than noise. */
export function slowerThan(last: Last, measurements: Measurement[]): Slower[] {
  return measurements.flatMap(({ name, value, unit }) => {
    const before = last[name];
    if (before === undefined) return [];
    const { factor, extra } = TOLERANCE[unit];
    const most = before * (/p99/.test(name) ? Math.max(factor, TAIL) : factor) + extra;
    return value > most ? [{ name, value, unit, last: before, most }] : [];
  });
}

export function toLast(measurements: Measurement[]): Last {
  return Object.fromEntries(
    measurements.map(({ name, value }) => [name, Number(value.toFixed(3))]),
  );
}
