import { useCallback, useRef, useState } from 'react';
import { CallError } from '../api.ts';
import { useIdempotencyKey } from './use-click-key.ts';

/** Whether the work succeeded; a call that fails shows its own error. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return false;
  }
}

/**
 * One call at a time, once per click. `attempt` resolves with whether it succeeded; `work` gets the idempotency key
 * of the body, and does what follows a success.
 */
export function useAttempt() {
  const [isBusy, setIsBusy] = useState(false);
  // A second click may arrive before the next render.
  const isRunning = useRef(false);
  const withKey = useIdempotencyKey();
  const attempt = useCallback(
    async (body: unknown, work: (key: string) => Promise<unknown>): Promise<boolean> => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setIsBusy(true);
      try {
        return await succeeds(withKey(body, work));
      } finally {
        isRunning.current = false;
        setIsBusy(false);
      }
    },
    [withKey],
  );
  return { isBusy, attempt };
}
