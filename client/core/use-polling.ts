import { useEffect } from 'react';

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
