import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Pace } from '../jobs/pace.ts';

/** Milliseconds between looks. */
const LOOK = 3000;
/** Milliseconds without a request after which no one is expected. */
const QUIET = 60_000;

/**
 * Returns memory that a start or busy hours leave unused to the system, once no one is served: the engine by itself keeps
 * it, for the next burst. Takes two tenths of a second.
 * @param collect default: the engine's garbage collection, at its most thorough
 * @returns ends it
 */
export function trimWhenQuiet(pace: Pace, collect = collectAll): () => void {
  let trimmedAt: number | undefined;
  const timer = setInterval(() => {
    const { served, quiet } = pace;
    if (served === trimmedAt || quiet < QUIET) return;
    trimmedAt = served;
    collect();
  }, LOOK);
  timer.unref();
  return () => clearInterval(timer);
}

/** Only the thorough kind shrinks the space of new objects. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
