import { readFileSync } from 'node:fs';
import { setInterval as every } from 'node:timers/promises';

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

/** Rounds of work in {@link usualGrowth}. */
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

// On a busy machine wall-clock time says little, so costs are measured
// in CPU time.

const EVERY_MS = 5;

/** CPU milliseconds of this process in all its threads. */
export async function processorTimeDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return sum(process.cpuUsage(before));
}

/** Longest blocks of the event loop in CPU milliseconds. */
type LoopBlocks = { p99: number; longest: number };

export async function loopBlocksDuring(work: () => Promise<unknown>): Promise<LoopBlocks> {
  const held: number[] = [];
  const ended = new AbortController();
  const watching = watch(held, ended.signal);
  try {
    await work();
  } finally {
    ended.abort();
    await watching;
  }
  const sorted = held.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

/** Work between two ticks delays the second. */
async function watch(held: number[], signal: AbortSignal): Promise<void> {
  let before = process.threadCpuUsage();
  try {
    for await (const _tick of every(EVERY_MS, undefined, { signal })) {
      held.push(sum(process.threadCpuUsage(before)));
      before = process.threadCpuUsage();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
