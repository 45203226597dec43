import { type RefObject, useLayoutEffect } from 'react';

/** Rows that scroll take the focus, so that keys scroll them also where no entry has it. */
export function useScrollFocus(grid: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const { current } = grid;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => mark(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [grid]);
  // FullCalendar draws other rows for other days and entries.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => grid.current && mark(grid.current));
    return () => cancelAnimationFrame(frame);
  });
}

/** A grid may own rows alone, so the focus is on the rows in what scrolls, which FullCalendar writes into the style. */
function mark(grid: HTMLElement) {
  const all = grid.querySelectorAll<HTMLElement>('[style*="overflow"] > [role="rowgroup"]');
  for (const rows of all) {
    const { parentElement: part } = rows;
    const isScrolled = part !== null && part.scrollHeight > part.clientHeight;
    if (isScrolled && /auto|scroll/.test(getComputedStyle(part).overflowY)) rows.tabIndex = 0;
    else rows.removeAttribute('tabindex');
  }
}
