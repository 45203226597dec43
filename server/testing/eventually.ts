import { vi } from 'vitest';

/** Milliseconds: a machine may be as slow as it likes, only what never comes is given up. */
const PATIENCE = 60_000;
const INTERVAL = 10;

/** Asks again and again until nothing is thrown. @throws what was thrown last */
export function eventually<T>(ask: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(ask, { timeout: PATIENCE, interval: INTERVAL });
}
