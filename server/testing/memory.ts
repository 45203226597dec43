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

/**
 * MB by which a process grows during each piece of work, one after the other, counted from before the first; the middle one
 * of them. A busy machine may collect garbage late once, and what is kept from each piece still shows.
 */
export async function usualGrowth(pid: number, works: (() => Promise<void>)[]): Promise<number> {
  const before = memoryOf(pid);
  const growths: number[] = [];
  for (const work of works) growths.push((await mostDuring(pid, work)) - before);
  return growths.toSorted((a, b) => a - b)[Math.floor(growths.length / 2)] ?? 0;
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
