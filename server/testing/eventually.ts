import { vi } from 'vitest';

/** Milliseconds, generous for slow machines. */
const PATIENCE = 60_000;
const INTERVAL = 10;

/** Retries until nothing is thrown. @throws the last error */
export function eventually<T>(ask: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(ask, { timeout: PATIENCE, interval: INTERVAL });
}
