import { addDays, toWorkday } from './days.ts';
import type { Random } from './random.ts';

const YEARS = 8;

/** Outline of a matter before it is generated: opening date, activity, number of tasks. */
export type Slot = { openedAt: Date; isActive: boolean; tasks: number };

export type Extent = { cases: number; tasks: number; archived: number; now: Date };

/**
 * The firm's past eight years, oldest matter first; the tasks add up to exactly `tasks`. Only two numbers of each matter
 * are kept in memory.
 */
export function* layOut(random: Random, { cases, tasks, archived, now }: Extent): Generator<Slot> {
  const share = 1 / (archived + 1);
  const isActive = new Uint8Array(cases);
  const weights = new Float64Array(cases);
  for (let index = 0; index < cases; index += 1) {
    isActive[index] = Number(random.isLucky(chanceOfActive(ageOf(index, cases), share)));
    weights[index] = isActive[index] ? 4 + 8 * random.next() ** 2 : 0.5 + random.next();
  }
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  for (const [index, weight] of weights.entries()) {
    const before = Math.round((weighed / whole) * tasks);
    weighed += weight;
    yield {
      openedAt: toWorkday(addDays(now, -YEARS * 365 * ageOf(index, cases) ** 1.3 - 0.1)),
      isActive: isActive[index] === 1,
      tasks: Math.round((weighed / whole) * tasks) - before,
    };
  }
}

/** From just below 1, the oldest, to just above 0. */
function ageOf(index: number, cases: number): number {
  return 1 - (index + 0.5) / cases;
}

/** Most new matters are active and few old ones; `share` is the overall rate. */
function chanceOfActive(age: number, share: number): number {
  if (share >= 0.5) return share;
  const recent = 1.5 * share;
  return age < recent ? 0.6 : (0.1 * share) / (1 - recent);
}
