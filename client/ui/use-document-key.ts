import { useLayoutEffect, useRef } from 'react';

/**
 * Calls `handle` for each key pressed anywhere, while it is on. It listens before what it acts on is painted: a key pressed
 * at once would be lost otherwise.
 */
export function useDocumentKey(handle: (event: KeyboardEvent) => void, isOn = true): void {
  const latest = useRef(handle);
  useLayoutEffect(() => {
    latest.current = handle;
  });
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const call = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', call);
    return () => document.removeEventListener('keydown', call);
  }, [isOn]);
}
