import { readFileSync } from 'node:fs';

const INTERVAL_MS = 20;

/**
 * MB that a process holds, its threads included, without the files that the machine can read again.
 *
 * @throws Error if the process has ended
 */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6;
}

/** How often {@link usualGrowth} does its work. */
export const ROUNDS = 5;
const LATE_ROUNDS = 3;

/**
 * MB by which a process grows during the same work, one round after the other, counted from before the first; the least of
 * the late rounds. A busy machine collects garbage late at times, and what every round leaves behind still shows.
 */
export async function usualGrowth(
  pid: number,
  work: (round: number) => Promise<void>,
): Promise<number> {
  const before = memoryOf(pid);
  const growths: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    growths.push((await mostDuring(pid, () => work(round))) - before);
  return Math.min(...growths.slice(-LATE_ROUNDS));
}

async function mostDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let most = memoryOf(pid);
  const watching = setInterval(() => (most = Math.max(most, memoryOf(pid))), INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(watching);
  }
  return most;
}
