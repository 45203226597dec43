import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Pdf, PageSize } from './use-pdf.ts';

/** Pixels between pages, and around them. */
const GAP = 12;
export const MARGIN = 16;

/**
 * The pages of a document in view, and navigation to others.
 * @param first the page shown on opening
 */
export function usePages(
  box: RefObject<HTMLElement | null>,
  { document, size }: Pdf,
  { scaleOf, first }: { scaleOf: (page: PageSize) => number; first: number },
) {
  // There is no scale before layout.
  const scale = scaleOf(size);
  const isReady = scale > 0;
  // Pages are assumed to have the first page's size until loaded.
  const sizes = useRef(new Map<number, PageSize>());
  const [widest, setWidest] = useState(size.width);
  const heightOf = (index: number) => {
    const own = sizes.current.get(index + 1) ?? size;
    return Math.round(own.height * scaleOf(own));
  };
  const rows = useVirtualizer({
    count: document.numPages,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    enabled: isReady,
    gap: GAP,
    paddingStart: MARGIN,
    paddingEnd: MARGIN,
    overscan: 1,
  });
  const page = pageAt(rows);
  const go = (wanted: number) => rows.scrollToIndex(wanted - 1, { align: 'start' });
  useStay(box, rows, { scale, first });
  const handleSize = (number: number, found: PageSize) => {
    if (sizes.current.has(number)) return;
    sizes.current.set(number, found);
    setWidest((width) => Math.max(width, found.width));
    if (found.height !== size.height || found.width !== size.width)
      rows.resizeItem(number - 1, heightOf(number - 1));
  };
  return { rows, page, widest, go, handleSize };
}

type Rows = ReturnType<typeof useVirtualizer<HTMLElement, Element>>;

/** The page that fills the upper part of the box, from 1. */
function pageAt(rows: Rows): number {
  const line = (rows.scrollOffset ?? 0) + (rows.scrollRect?.height ?? 0) / 3;
  const item = rows.getVirtualItems().findLast(({ start }) => start <= line);
  return (item?.index ?? 0) + 1;
}

/** Opens at the first page, and keeps the view in place when pages change size. */
function useStay(
  box: RefObject<HTMLElement | null>,
  rows: Rows,
  { scale, first }: { scale: number; first: number },
) {
  const place = useRef({ index: first - 1, share: 0 });
  const isMoved = useRef(true);
  useEffect(() => {
    if (!box.current || isMoved.current) return;
    // The virtualizer updates one event later, so its offset may refer to the old heights.
    const top = box.current.scrollTop;
    const item = rows.getVirtualItemForOffset(top + GAP);
    if (item) place.current = { index: item.index, share: (top - item.start) / item.size };
  });
  // Runs first, so that it scrolls once the new heights are rendered.
  useLayoutEffect(() => {
    const row = rows.measurementsCache[place.current.index];
    if (scale === 0 || !isMoved.current || !box.current || !row) return;
    isMoved.current = false;
    const top = row.start + (place.current.share || -GAP / row.size) * row.size;
    box.current.scrollTo({ top, behavior: 'instant' });
  });
  const measured = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (measured.current === scale) return;
    measured.current = scale;
    isMoved.current = true;
    rows.measure();
  }, [scale, rows]);
}
