import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useRef, useState } from 'react';
import { CallError } from '../api.ts';

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

/** A request body as text, and its idempotency key. */
export type KeyedRequest = { text: string; key: string };

/** Reuses the key when the same body is sent again, so that the server acts once. */
export function keyedRequest(text: string, earlier: KeyedRequest | null | undefined): KeyedRequest {
  return earlier?.text === text ? earlier : { text, key: nanoid() };
}

/** Whether the server responded, so that the outcome is known. */
export function isAnswered(error: unknown): error is CallError {
  return error instanceof CallError && error.status !== 0;
}

/**
 * Sends a body with an idempotency key. A retry after a lost response has the same key; a retry after a
 * refusal or an edit has a new key.
 */
export function useIdempotencyKey() {
  const last = useRef<KeyedRequest>(null);
  return useCallback(async <T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> => {
    last.current = keyedRequest(JSON.stringify(body), last.current);
    try {
      return await send(last.current.key);
    } catch (error) {
      if (isAnswered(error)) last.current = null;
      throw error;
    }
  }, []);
}
