import { vi } from 'vitest';

/** Milliseconds, generous for slow machines. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 10;

/** Retries until nothing is thrown. @throws the last error */
export function eventually<T>(ask: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(ask, { timeout: TIMEOUT_MS, interval: INTERVAL_MS });
}
