// Signing in: guesses are slowed down, known browsers are not.

import type { Past } from '../rules.attempts.ts';

export const ATTEMPT_WINDOW = 15 * 60_000;
/** Failures before an address, or a known browser, is slowed down. */
const FREE_FAILURES = 10;
export const FAILURES_PER_CLIENT = 100;
/** Seconds between two attempts at most. */
const LONGEST_WAIT = 60;
/** Milliseconds for which a browser is known after a sign-in. */
export const BROWSER_LIFE = 365 * 24 * 3600_000;

/** One second after the tenth failure, then doubled for each further one. */
export function slowDown({ count, sinceLast }: Past): number {
  if (count < FREE_FAILURES) return 0;
  return Math.min(LONGEST_WAIT, 2 ** (count - FREE_FAILURES)) - sinceLast;
}
