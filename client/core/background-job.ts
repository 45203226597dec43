import { useEffect, useState } from 'react';

/**
 * Calls `load` again and again while the page is in view, and when it comes into view.
 * @param pause milliseconds between two calls; null for none
 */
export function usePolling(pause: number | null, load: () => void): void {
  useEffect(() => {
    if (pause === null) return undefined;
    const loadInView = () => {
      if (!document.hidden) load();
    };
    const timer = setInterval(loadInView, pause);
    document.addEventListener('visibilitychange', loadInView);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', loadInView);
    };
  }, [pause, load]);
}

interface AnnouncedOptions<T> {
  isRunning: (shown: T) => boolean;
  /** The end of a run between two answers; null if none ended. */
  endInWords: (before: T | null, after: T) => string | null;
}

/** The last end of a run for screen readers, until another run begins. */
export function useAnnounced<T>(
  shown: T | null,
  { isRunning, endInWords }: AnnouncedOptions<T>,
): string {
  const [seen, setSeen] = useState({ shown, text: '' });
  if (shown && shown !== seen.shown) {
    const kept = isRunning(shown) ? '' : seen.text;
    setSeen({ shown, text: endInWords(seen.shown, shown) ?? kept });
  }
  return seen.text;
}
