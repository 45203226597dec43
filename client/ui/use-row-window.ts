import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router';

export interface RowWindow {
  /** Identifies the list: another list starts at the top, and returning to this one restores its position. */
  list: string;
  ids: readonly string[];
  /** Includes rows that exist after `ids` but are not loaded. */
  count?: number;
  /** Pixels; an estimate if rows are measured. */
  rowHeight: number;
  /** Contains the rows. The closest `[data-scroller]` or `main` around it scrolls. */
  rows: RefObject<HTMLElement | null>;
  /** The row that the Tab key reaches, which is rendered wherever the window is. */
  tabStop: number;
  /** Called with the last visible index. */
  onReach?: ((index: number) => void) | undefined;
}

const OVERSCAN = 8;
const scrollTops = new Map<string, number>();

/** Renders only the visible rows of a list. `useRows` adds keys and focus. */
export function useRowWindow(options: RowWindow) {
  const { list, ids, count = ids.length, rowHeight, rows, tabStop, onReach } = options;
  const { top, covered, barHeight } = useGeometry(rows);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scrollerOf(rows.current),
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: OVERSCAN,
    // Rows are in the first paint, so that their position can be restored on return.
    initialRect: { width: 0, height: innerHeight },
    scrollMargin: top,
    scrollPaddingStart: covered,
    scrollPaddingEnd: covered > 0 ? rowHeight / 2 : 0,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const inView = defaultRangeExtractor(range);
        const kept = [tabStop, focusedIndex(rows.current, ids)].filter(
          (index) => index >= 0 && index < range.count,
        );
        return [...new Set([...inView, ...kept])].toSorted((a, b) => a - b);
      },
      [ids, tabStop, rows],
    ),
  });
  useNewHeight(rowHeight, () => virtualizer.measure());
  usePosition(list, rows, top - covered);
  useSteadyRows({ list, ids, rowHeight, rows, top: top - covered });
  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => onReach?.(last), [onReach, last]);
  return {
    items: virtualizer
      .getVirtualItems()
      .map(({ index, start }) => ({ index, offset: start - top, id: ids[index] })),
    height: virtualizer.getTotalSize(),
    /** Pixels of the sticky bar above the list's own head. */
    barHeight,
    /** For rows of different heights, together with `data-index`. */
    measure: virtualizer.measureElement,
    show: (index: number) => virtualizer.scrollToIndex(index),
  };
}

function scrollerOf(rows: HTMLElement | null): HTMLElement | null {
  return rows?.closest<HTMLElement>('[data-scroller], main') ?? null;
}

function focusedIndex(rows: HTMLElement | null, ids: readonly string[]): number {
  const { activeElement } = document;
  if (!rows?.contains(activeElement)) return -1;
  return ids.indexOf(activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? '');
}

/** Offset of the rows in their scroller, and the height that the bar and the column headers cover. */
function useGeometry(rows: RefObject<HTMLElement | null>) {
  const [geometry, setGeometry] = useState({ top: 0, covered: 0, barHeight: 0 });
  useLayoutEffect(() => {
    const scroller = scrollerOf(rows.current);
    const { current } = rows;
    if (!scroller || !current) return undefined;
    const measure = () => {
      const above = current.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      const top = Math.round(above + scroller.scrollTop);
      const barHeight = stickyHeight(scroller.querySelector('[data-bar]'));
      const covered = barHeight + stickyHeight(current.previousElementSibling);
      setGeometry((before) =>
        before.top === top && before.covered === covered && before.barHeight === barHeight
          ? before
          : { top, covered, barHeight },
      );
    };
    measure();
    // Content above the rows may grow when a line wraps or a notice appears.
    const observer = new ResizeObserver(measure);
    for (const element of scroller.querySelectorAll('header, [data-bar]'))
      observer.observe(element);
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [rows]);
  return geometry;
}

function stickyHeight(element: Element | null): number {
  if (!(element instanceof HTMLElement)) return 0;
  return getComputedStyle(element).position === 'sticky' ? element.offsetHeight : 0;
}

function useNewHeight(rowHeight: number, measure: () => void) {
  const before = useRef(rowHeight);
  useLayoutEffect(() => {
    if (before.current !== rowHeight) measure();
    before.current = rowHeight;
  });
}

/** Starts another list at its top, and restores the scroll position on going back. */
function usePosition(list: string, rows: RefObject<HTMLElement | null>, top: number) {
  const isBack = useNavigationType() === NavigationType.Pop;
  const before = useRef('');
  useLayoutEffect(() => {
    const scroller = scrollerOf(rows.current);
    if (list === '' || before.current === list || !scroller) return;
    // The shell restores the place of `main` itself.
    if (before.current !== '') scroller.scrollTop = Math.min(scroller.scrollTop, Math.max(top, 0));
    else if (isBack && scroller.tagName !== 'MAIN') scroller.scrollTop = scrollTops.get(list) ?? 0;
    before.current = list;
  }, [list, rows, top, isBack]);
  useEffect(() => {
    const scroller = scrollerOf(rows.current);
    const note = () => scrollTops.set(list, scroller?.scrollTop ?? 0);
    scroller?.addEventListener('scroll', note, { passive: true });
    return () => scroller?.removeEventListener('scroll', note);
  }, [list, rows]);
}

type SteadyRows = Pick<RowWindow, 'list' | 'ids' | 'rowHeight' | 'rows'> & { top: number };

/** Keeps the visible rows in place when rows appear or disappear above them. */
function useSteadyRows({ list, ids, rowHeight, rows, top }: SteadyRows) {
  const before = useRef({ list, ids });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { list, ids };
    const scroller = scrollerOf(rows.current);
    if (!scroller || old.ids === ids || old.list !== list) return;
    const first = Math.floor((scroller.scrollTop - top) / rowHeight);
    const id = old.ids[first];
    // At its top a list shows what is new.
    if (first <= 0 || id === undefined || ids[first] === id) return;
    const now = ids.indexOf(id);
    if (now >= 0) scroller.scrollTop += (now - first) * rowHeight;
  }, [list, ids, rowHeight, rows, top]);
}
