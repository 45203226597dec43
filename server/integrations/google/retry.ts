import { setTimeout as wait } from 'node:timers/promises';
import { toGoogleFailure } from './failure.ts';

const TRIES = 4;
/** Seconds: whoever asks for more is not waited for, the person is told. */
const LONGEST_WAIT = 4;

type Options = {
  /** Asked once more also where it may have been done already. */
  isHarmless: boolean;
  /** Milliseconds before the second try, at most; each further one waits twice as long. */
  again: number;
};

/**
 * Asks Google again while it is busy, after a wait that grows and differs for everybody.
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
