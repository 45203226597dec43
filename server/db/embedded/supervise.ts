import { setTimeout as delay } from 'node:timers/promises';
import {
  startPostmaster,
  stopPostmaster,
  type Postmaster,
  type PostmasterOptions,
} from './postmaster.ts';
import { startWatchdog } from './watchdog.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
const STEADY_MS = 60_000;

/**
 * Starts PostgreSQL, and restarts it after crashes with growing pauses, until `stop`.
 * Throws one sentence if the first start fails.
 */
export async function supervise(
  base: Omit<PostmasterOptions, 'guard'>,
): Promise<{ stop: () => Promise<void> }> {
  const watchdog = startWatchdog();
  const options = { ...base, guard: watchdog.guard };
  const stopping = new AbortController();
  let current = await startPostmaster(options, stopping.signal).catch((error: unknown) => {
    watchdog.dismiss();
    throw error;
  });

  async function keepRunning() {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = Date.now();
      await current.exited;
      if (stopping.signal.aborted) return;
      options.log('PostgreSQL ended by itself and is started again');
      pause = Date.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : longer(pause);
      const next = await restart(options, pause, stopping.signal);
      if (!next) return;
      current = next;
    }
  }

  async function stop() {
    stopping.abort();
    await stopPostmaster(current);
    await running;
    watchdog.dismiss();
  }

  const running = keepRunning();
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}

/** Retries until it runs; undefined once `stopping`. */
async function restart(
  options: PostmasterOptions,
  pause: number,
  stopping: AbortSignal,
): Promise<Postmaster | undefined> {
  try {
    await delay(pause, undefined, { signal: stopping });
    return await startPostmaster(options, stopping);
  } catch (error) {
    if (stopping.aborted) return undefined;
    options.log(error instanceof Error ? error.message : String(error));
    return restart(options, longer(pause), stopping);
  }
}

function longer(pause: number): number {
  return Math.min(pause * 2, LONGEST_PAUSE_MS);
}
