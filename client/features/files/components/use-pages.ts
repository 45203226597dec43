import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Pdf, PageSize } from './use-pdf.ts';

/** Pixels between pages, and around them. */
const GAP = 12;
export const MARGIN = 16;

/**
 * Which pages of a document are in sight, and the way to another one.
 * @param first the page that it opens at
 */
export function usePages(
  box: RefObject<HTMLElement | null>,
  { document, size }: Pdf,
  { scaleOf, first }: { scaleOf: (page: PageSize) => number; first: number },
) {
  // Before the box is laid out there is no scale.
  const scale = scaleOf(size);
  const isReady = scale > 0;
  // Every page is taken for one like the first until it has been opened.
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

/** It begins at the first page; when pages become larger or smaller, what was in sight stays there. */
function useStay(
  box: RefObject<HTMLElement | null>,
  rows: Rows,
  { scale, first }: { scale: number; first: number },
) {
  const place = useRef({ index: first - 1, share: 0 });
  const isMoved = useRef(true);
  useEffect(() => {
    if (!box.current || isMoved.current) return;
    // The virtualizer learns of a scroll one event later, so its own offset may belong to the old heights.
    const top = box.current.scrollTop;
    const item = rows.getVirtualItemForOffset(top + GAP);
    if (item) place.current = { index: item.index, share: (top - item.start) / item.size };
  });
  // This one comes first: it goes to the place when the new heights have been rendered.
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
