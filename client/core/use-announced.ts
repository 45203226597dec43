import { useState } from 'react';

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
