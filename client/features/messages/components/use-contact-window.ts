import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

export const ROW_HEIGHT = 60;
/** Rows drawn before and behind those in sight. */
const SPARE = 6;

/**
 * Which rows of a list of equal ones are in sight, `first` to `last` without it. Of all that a library for
 * windows does this needs so little that loading one is not worth it.
 */
export function useContactWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(innerHeight);
  const measure = useCallback(() => {
    const element = box.current;
    if (!element) return;
    // Whole rows, so that not each pixel draws anew.
    setTop(Math.floor(element.scrollTop / ROW_HEIGHT));
    setHeight(element.clientHeight);
  }, [box]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, measure]);
  const show = useCallback(
    (index: number) => {
      const element = box.current;
      if (!element) return;
      const start = index * ROW_HEIGHT;
      const end = start + ROW_HEIGHT - element.clientHeight;
      const wanted = Math.min(Math.max(element.scrollTop, end), start);
      element.scrollTo({ top: wanted, behavior: 'instant' });
      measure();
    },
    [box, measure],
  );
  // A search may have shortened the list before the browser has scrolled.
  const at = Math.min(top, Math.max(count - 1, 0));
  const last = Math.min(at + Math.ceil(height / ROW_HEIGHT) + SPARE, count);
  return { first: Math.max(at - SPARE, 0), last, measure, show };
}
