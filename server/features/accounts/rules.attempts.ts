// Limits on attempts. Guesses are slowed down per account and network; a known browser has a count of its own.

import type { Network } from '../../core/origin.ts';
import { fold } from '../../db/search.ts';

const ATTEMPT_WINDOW_MS = 15 * 60_000;
/** Failures at an account from one network, or in a known browser, before they are slowed down. */
const FREE_FAILURES = 10;
const MAX_FAILURES_PER_CLIENT = 100;
/** Failures at one account from everywhere after which it counts as attacked; one network alone reaches about thirty. */
export const FAILURES_OF_AN_ATTACK = 100;
/** Failures of a network at an attacked account, whose owner may need a second or third try. */
const FAILURES_UNDER_ATTACK = 3;
/** Seconds between two attempts at most. */
const MAX_WAIT_SECONDS = 60;
/** Milliseconds for which a browser is known after a sign-in. */
export const BROWSER_LIFE_MS = 365 * 24 * 3600_000;

/** Attempts by key and window, in the database so that all processes share the count. */
export type Limit = {
  key: string;
  windowMs: number;
  /** Seconds to wait before the next attempt. */
  waitAfter: (past: AttemptHistory) => number;
};

/** The attempts of a key within its window. */
export type AttemptHistory = {
  count: number;
  /** Seconds since the last attempt, and until the oldest expires. */
  sinceLast: number;
  untilFewer: number;
};

/** Refuses further attempts until the oldest expires. */
export function atMost(most: number): Limit['waitAfter'] {
  return ({ count, untilFewer }) => (count < most ? 0 : Math.max(1, untilFewer));
}

/** One second after the tenth failure, then doubled for each further one. */
function slowDown({ count, sinceLast }: AttemptHistory): number {
  if (count < FREE_FAILURES) return 0;
  return Math.min(MAX_WAIT_SECONDS, 2 ** (count - FREE_FAILURES)) - sinceLast;
}

/** Names all failures at an account; those from one network begin with it. */
export function accountKey(email: string): string {
  return `login:${fold(email)}`;
}

/**
 * Limits guesses at an account by the network that they come from, so that no one else can use up what its owner needs.
 * During an attack each network has fewer, which bounds what many of them can guess together.
 */
export function limitAtAccount(email: string, client: Network, isAttacked: boolean): Limit {
  const waitAfter = isAttacked ? atMost(FAILURES_UNDER_ATTACK) : slowDown;
  return { key: `${accountKey(email)} from ${client}`, windowMs: ATTEMPT_WINDOW_MS, waitAfter };
}

/** Counts what `isAttacked` is decided by, and refuses nothing. */
export function limitEverywhere(email: string): Limit {
  return { key: accountKey(email), windowMs: ATTEMPT_WINDOW_MS, waitAfter: () => 0 };
}

export function limitInBrowser(known: string): Limit {
  return { key: `browser:${known}`, windowMs: ATTEMPT_WINDOW_MS, waitAfter: slowDown };
}

/** Wrong passkeys are counted apart: guesses at passwords cannot keep a passkey out. */
export function limitOfClient(kind: 'client' | 'passkeys', client: Network): Limit {
  return {
    key: `${kind}:${client}`,
    windowMs: ATTEMPT_WINDOW_MS,
    waitAfter: atMost(MAX_FAILURES_PER_CLIENT),
  };
}
