import { useEffect, useRef } from 'react';

/** Runs something now, or once the pointer that is down has done its click: what is pressed must not move away. */
export function useAfterPress(): (run: () => void) => void {
  const isDown = useRef(false);
  useEffect(() => {
    const press = () => (isDown.current = true);
    const release = () => (isDown.current = false);
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('pointerup', release, true);
    document.addEventListener('pointercancel', release, true);
    return () => {
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('pointerup', release, true);
      document.removeEventListener('pointercancel', release, true);
    };
  }, []);
  return (run: () => void) => {
    if (!isDown.current) return run();
    // The click follows the pointer's release in the same task.
    const ended = new AbortController();
    const later = () => {
      ended.abort();
      setTimeout(run);
    };
    for (const end of ['pointerup', 'pointercancel'])
      document.addEventListener(end, later, { signal: ended.signal, capture: true });
  };
}
