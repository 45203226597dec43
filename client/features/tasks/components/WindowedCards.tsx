import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { TaskCard } from './TaskCard.tsx';
import { useAwaitedCard } from './use-active-card.ts';
import { LINE_CLASS } from './use-board-drag.ts';

const USUAL_HEIGHT = 172;
/** A card that leaves the document would end its drag, or lose the focus. */
const HELD = '[data-dragging], [data-card]:focus-within';

interface WindowedCardsProps {
  label: string;
  ids: readonly string[];
  /** The scrolling element. */
  lane: RefObject<HTMLDivElement | null>;
  onEdit: ((id: string) => void) | undefined;
}

/** A long column that renders only the cards in view, the dragged card and the focused card. */
export function WindowedCards({ label, ids, lane, onEdit }: WindowedCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const windowed = useVirtualizer({
    count: ids.length,
    getScrollElement: () => lane.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 4,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const kept = [...(list.current?.querySelectorAll(HELD) ?? [])]
        .map((card) => ids.indexOf(card.getAttribute('data-card') ?? ''))
        .filter((index) => index >= 0);
      return [...new Set([...defaultRangeExtractor(range), ...kept])].toSorted((a, b) => a - b);
    },
  });
  const awaited = useAwaitedCard();
  useEffect(() => {
    const at = awaited === null ? -1 : ids.indexOf(awaited);
    if (at >= 0) windowed.scrollToIndex(at);
  }, [awaited, ids, windowed]);
  return (
    <ul
      ref={list}
      aria-label={label}
      className={cx('relative flex-none', LINE_CLASS)}
      style={{ height: windowed.getTotalSize() }}
    >
      {windowed.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={windowed.measureElement}
          data-index={index}
          aria-setsize={ids.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - top}px)` }}
          className={cx('absolute inset-x-0 top-0 pb-2', LINE_CLASS)}
        >
          <TaskCard id={String(key)} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}
