import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The share of its time that the server works at which background work makes room: with the database on the same
 * processors, a server that waits for half of its time has none to spare.
 */
const BUSY = 0.5;
/** Rest as a multiple of the time that the work took, and its limit in milliseconds. */
const [RESTS, LONGEST] = [3, 2000];

/** Does a piece of background work, and rests after it while the server is busy: people come first. */
export async function makingRoom<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const [begunAt, before] = [performance.now(), performance.eventLoopUtilization()];
  const result = await work();
  if (performance.eventLoopUtilization(before).utilization < BUSY) return result;
  const rest = Math.min(RESTS * (performance.now() - begunAt), LONGEST);
  await delay(rest, undefined, { signal, ref: false }).catch(() => undefined);
  return result;
}
