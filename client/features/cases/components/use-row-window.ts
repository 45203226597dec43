import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

export const ROW_HEIGHT = 60;
const OVERSCAN = 8;

interface RowWindow {
  /** The rows there are, and those that are only known to exist behind them. */
  ids: readonly string[];
  count: number;
  /** A row that stays in the document wherever the window is: it can have the focus. */
  kept: number;
  /** What holds the rows. */
  body: RefObject<HTMLElement | null>;
  /** What stays at the top while the rows scroll under it. */
  bar: RefObject<HTMLElement | null>;
}

/** The part of a long table that can be seen; the page's `main` scrolls. */
export function useRowWindow({ ids, count, kept, body, bar }: RowWindow) {
  const { top, covered, barHeight } = useGeometry(body, bar);
  const rows = useVirtualizer({
    count,
    getScrollElement: scroller,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: covered,
    scrollPaddingEnd: ROW_HEIGHT / 2,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range);
        const isShown = kept < 0 || kept >= count || shown.includes(kept);
        return isShown ? shown : [...shown, kept].toSorted((a, b) => a - b);
      },
      [kept, count],
    ),
  });
  useSteadyRows(ids, top - covered);
  return { rows, top, covered, barHeight };
}

export function scroller(): HTMLElement | null {
  return document.getElementById('main');
}

/** Where the rows begin in what scrolls, and how much at its top the bar and the column names cover. */
function useGeometry(body: RefObject<HTMLElement | null>, bar: RefObject<HTMLElement | null>) {
  const [geometry, setGeometry] = useState({ top: 0, covered: 0, barHeight: 0 });
  useLayoutEffect(() => {
    const main = scroller();
    const rows = body.current;
    if (!main || !rows) return undefined;
    const measure = () => {
      const top = Math.round(
        rows.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop,
      );
      const barHeight = heightIfSticky(bar.current);
      const covered = barHeight + heightIfSticky(rows.previousElementSibling);
      setGeometry((before) =>
        before.top === top && before.covered === covered && before.barHeight === barHeight
          ? before
          : { top, covered, barHeight },
      );
    };
    measure();
    // Whatever stands above the rows may grow: a line that breaks, a notice that appears.
    const observer = new ResizeObserver(measure);
    for (const element of main.querySelectorAll('header, [data-bar]')) observer.observe(element);
    observer.observe(main);
    return () => observer.disconnect();
  }, [body, bar]);
  return geometry;
}

function heightIfSticky(element: Element | null): number {
  if (!(element instanceof HTMLElement)) return 0;
  return getComputedStyle(element).position === 'sticky' ? element.offsetHeight : 0;
}

/** Keeps what somebody reads where it is when rows appear or go above it. */
function useSteadyRows(ids: readonly string[], top: number) {
  const before = useRef(ids);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = ids;
    const main = scroller();
    if (!main || old === ids || old.length === 0) return;
    const first = Math.floor((main.scrollTop - top) / ROW_HEIGHT);
    const id = old[first];
    if (first <= 0 || id === undefined || ids[first] === id) return;
    const now = ids.indexOf(id);
    if (now >= 0) main.scrollTop += (now - first) * ROW_HEIGHT;
  }, [ids, top]);
}
