import { setTimeout as wait } from 'node:timers/promises';
import { toGoogleFailure } from './failure.ts';

const TRIES = 4;
/** Seconds: longer waits are reported to the user instead. */
const LONGEST_WAIT = 4;

type Options = {
  /** Also retried when the first try may have succeeded. */
  isHarmless: boolean;
  /** Longest wait before the second try in milliseconds; it doubles for each further try. */
  again: number;
};

/**
 * Retries while Google is busy, with growing random waits.
 * @throws GoogleFailure
 */
export async function withBackOff<T>(
  ask: () => Promise<T>,
  { isHarmless, again }: Options,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = toGoogleFailure(error);
      const { reason, retryAfter = 0 } = failure;
      const mayPass = reason === 'busy' || (isHarmless && reason === 'down');
      if (!mayPass || tried === TRIES || retryAfter > LONGEST_WAIT) throw failure;
      const most = again * 2 ** (tried - 1);
      await wait(retryAfter * 1000 + most * (0.5 + Math.random() / 2));
    }
  }
}
