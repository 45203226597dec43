import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Pace } from '../jobs/pace.ts';

const CHECK_INTERVAL_MS = 3000;
/** Milliseconds without a request after which no one is expected. */
const QUIET_MS = 60_000;
/** Bytes that background work leaves behind before they are returned, too. */
const MIN_GROWTH_BYTES = 32 * 1024 * 1024;

type Engine = {
  collect: () => void;
  /** Bytes of this process. */
  taken: () => number;
};

/**
 * Returns unused memory to the system once the server is quiet, after its start, busy hours or background work; V8 by
 * itself would keep it for the next burst. Takes two tenths of a second.
 * @param engine default: this process, with the most thorough collection of garbage
 * @returns a function that stops it
 */
export function trimWhenQuiet(pace: Pace, engine: Engine = thisProcess): () => void {
  let trimmed: { served: number; at: number; taken: number } | undefined;
  const timer = setInterval(() => {
    const { served, quiet } = pace;
    if (quiet < QUIET_MS) return;
    if (trimmed?.served === served) {
      const isRecent = performance.now() - trimmed.at < QUIET_MS;
      if (isRecent || engine.taken() < trimmed.taken + MIN_GROWTH_BYTES) return;
    }
    engine.collect();
    trimmed = { served, at: performance.now(), taken: engine.taken() };
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const thisProcess: Engine = { collect: collectAll, taken: () => process.memoryUsage.rss() };

/** Only the thorough kind shrinks the space of new objects. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
