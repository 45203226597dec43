import { setInterval } from 'node:timers/promises';

// On a busy machine wall-clock time says little, so costs are measured
// in CPU time.

const EVERY_MS = 5;

/** CPU milliseconds of this process in all its threads. */
export async function spentDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return sum(process.cpuUsage(before));
}

/** Longest blocks of the event loop in CPU milliseconds. */
export type Held = { p99: number; longest: number };

export async function heldDuring(work: () => Promise<unknown>): Promise<Held> {
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
    for await (const _tick of setInterval(EVERY_MS, undefined, { signal })) {
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
