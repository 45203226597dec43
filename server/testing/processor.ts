import { setInterval } from 'node:timers/promises';

// A machine that is busy with others makes everything slow by the clock, so what our code costs is
// counted in the time that the processor really spent on it.

const EVERY_MS = 5;

/** Milliseconds of the processor that this process spent, in all its threads. */
export async function spentDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return sum(process.cpuUsage(before));
}

/** For how long at a time the event loop was held, milliseconds of the processor. */
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

/** Whatever runs between two ticks keeps the second one waiting. */
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
