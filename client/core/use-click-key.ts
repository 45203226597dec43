import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useRef } from 'react';
import { CallError } from '../api.ts';

/** What is being sent, as text, and the idempotency key that it is sent under. */
export type Click = { text: string; key: string };

/** The earlier click while the same is sent again, so that a repeat does nothing twice; otherwise a new one. */
export function clickOf(text: string, earlier: Click | null | undefined): Click {
  return earlier?.text === text ? earlier : { text, key: nanoid() };
}

/** Whether the server has answered, so that the outcome is known. */
export function isAnswered(error: unknown): error is CallError {
  return error instanceof CallError && error.status !== 0;
}

/**
 * Sends a body under one key as long as it is the same and its outcome is unknown: a repeat after a lost
 * answer has the same key, one after a refusal or an edit has a new one.
 */
export function useClickKey() {
  const last = useRef<Click>(null);
  return useCallback(async <T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> => {
    last.current = clickOf(JSON.stringify(body), last.current);
    try {
      return await send(last.current.key);
    } catch (error) {
      if (isAnswered(error)) last.current = null;
      throw error;
    }
  }, []);
}
