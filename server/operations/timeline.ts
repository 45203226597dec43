import { addDays, toWorkday } from './days.ts';
import type { Random } from './random.ts';

const YEARS = 8;

/** Outline of a matter before it is generated: opening date, activity, number of tasks. */
export type Slot = { openedAt: Date; isActive: boolean; tasks: number };

export type Extent = { cases: number; tasks: number; archived: number; now: Date };

/** The firm's past eight years, oldest matter first; the tasks add up to exactly `tasks`. */
export function layOut(random: Random, { cases, tasks, archived, now }: Extent): Slot[] {
  const share = 1 / (archived + 1);
  const slots = Array.from({ length: cases }, (_, index) => {
    const age = 1 - (index + 0.5) / cases;
    const isActive = random.isLucky(chanceOfActive(age, share));
    const openedAt = toWorkday(addDays(now, -YEARS * 365 * age ** 1.3 - 0.1));
    const weight = isActive ? 4 + 8 * random.next() ** 2 : 0.5 + random.next();
    return { openedAt, isActive, weight };
  });
  const whole = slots.reduce((sum, { weight }) => sum + weight, 0);
  let weighed = 0;
  return slots.map(({ openedAt, isActive, weight }) => {
    const before = Math.round((weighed / whole) * tasks);
    weighed += weight;
    return { openedAt, isActive, tasks: Math.round((weighed / whole) * tasks) - before };
  });
}

/** Most new matters are active and few old ones; `share` is the overall rate. */
function chanceOfActive(age: number, share: number): number {
  if (share >= 0.5) return share;
  const recent = 1.5 * share;
  return age < recent ? 0.6 : (0.1 * share) / (1 - recent);
}
