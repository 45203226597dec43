import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setInterval as every } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import type { ServerProcess } from './process.ts';

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

/** Variables of a server that {@link usualGrowth} measures: several may open their inspectors at the same time. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

/** Rounds of work in {@link usualGrowth}. */
export const ROUNDS = 5;
const LATE_ROUNDS = 3;

/**
 * MB by which a server with {@link INSPECTABLE} grows during the same work, one round after the other, counted from before
 * the first; the least of the late rounds. A busy machine collects garbage late at times, so each round begins without that
 * of the ones before; what every round keeps still shows.
 */
export async function usualGrowth(
  server: ServerProcess,
  work: (round: number) => Promise<void>,
): Promise<number> {
  await collectGarbage(server);
  const before = memoryOf(server.pid);
  const growths: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    growths.push((await mostDuring(server.pid, () => work(round))) - before);
    await collectGarbage(server);
  }
  return Math.min(...growths.slice(-LATE_ROUNDS));
}

/** Asks the server's inspector, which listens from the first signal on. */
async function collectGarbage({ pid, output }: ServerProcess): Promise<void> {
  process.kill(pid, 'SIGUSR1');
  const address = await eventually(() => {
    const found = /Debugger listening on (ws:\S+)/.exec(output().stderr)?.[1];
    if (found === undefined) throw new Error('The inspector does not listen yet');
    return found;
  });
  const inspector = new WebSocket(address);
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  const [{ data }] = (await once(inspector, 'message')) as [{ data: string }];
  inspector.close();
  if (!('result' in JSON.parse(data))) throw new Error(data);
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
