import { setTimeout as wait } from 'node:timers/promises';
import { toGoogleFailure } from './failure.ts';

/** Tries in all, and the most milliseconds before the second; each further one waits twice as long. */
const TRIES = 4;
const FIRST_WAIT = 250;
/** Seconds: whoever asks for more is not waited for, the person is told. */
const LONGEST_WAIT = 4;

type Options = {
  /** Asked once more also where it may have been done already. */
  isHarmless: boolean;
};

/**
 * Asks Google again while it is busy, after a wait that grows and differs for everybody.
 * @throws GoogleFailure
 */
export async function withBackOff<T>(ask: () => Promise<T>, { isHarmless }: Options): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = toGoogleFailure(error);
      const { reason, retryAfter = 0 } = failure;
      const mayPass = reason === 'busy' || (isHarmless && reason === 'down');
      if (!mayPass || tried === TRIES || retryAfter > LONGEST_WAIT) throw failure;
      const most = FIRST_WAIT * 2 ** (tried - 1);
      await wait(retryAfter * 1000 + most * (0.5 + Math.random() / 2));
    }
  }
}
