import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { memo, useRef, type RefObject, useState, useEffect, useLayoutEffect } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { useAppSelector } from '../../../core/store.ts';
import { exactMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useAwaitedCard } from '../hooks/use-active-card.ts';
import { useLaneDrop, LINE_CLASS } from '../hooks/use-board-drag.ts';
import { formatDay } from '../rules.ts';
import { selectColumns, selectCards, selectDone } from '../slice.ts';
import { DoneBox } from './DoneBox.tsx';
import { TaskCard } from './TaskCard.tsx';

interface BoardColumnProps {
  id: ColumnId;
  isLoading: boolean;
  /** Hint for an empty column; undefined while no case is chosen. */
  hint: string | undefined;
  onNew: (column: ColumnId) => void;
  onEdit: ((id: string) => void) | undefined;
}

/** A column of the board: its title and count, the placeholder card, and its cards. */
export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { id, isLoading, hint, onNew, onEdit } = props;
  const ids = useAppSelector((state) => selectColumns(state.tasks)[id]);
  const lane = useRef<HTMLDivElement>(null);
  useLaneDrop(id, lane);
  return (
    <section
      aria-labelledby={`column-${id}`}
      className="flex min-h-0 snap-start flex-col"
      data-column={id}
    >
      <h2 id={`column-${id}`} className="flex gap-2 px-0.5 pb-2.5 text-sm font-semibold">
        <span>{columnTitles[id]}</span>
        {hint !== undefined && !isLoading && (
          <span aria-hidden className="font-normal text-ink-3 tabular-nums">
            {ids.length}
          </span>
        )}
      </h2>
      <div
        ref={lane}
        className="flex min-h-0 grow flex-col scroll-py-4 overflow-y-auto overscroll-contain rounded-lane bg-sunken p-2 [scrollbar-color:var(--color-line-strong)_transparent] [scrollbar-width:thin]"
      >
        <button
          type="button"
          aria-label={`New Task in ${columnTitles[id]}`}
          onClick={() => onNew(id)}
          className="mb-2 flex flex-none items-center gap-2 rounded-card border border-dashed border-line-strong px-3 py-[9px] text-ink-3 transition-colors hover:border-ink-3 hover:text-ink pointer-coarse:min-h-11"
        >
          <Plus />
          New Task
        </button>
        {isLoading ? (
          <CardSkeletons column={id} />
        ) : (
          <CardList column={id} ids={ids} lane={lane} onEdit={onEdit} />
        )}
        {ids.length === 0 && !isLoading && hint !== undefined && (
          <p className="px-1.5 pt-2 text-sm text-pretty text-ink-3">{hint}</p>
        )}
        {!isLoading && <DoneCards column={id} />}
      </div>
    </section>
  );
});

const COUNTS: Record<ColumnId, number> = {
  intake: 2,
  demandOfInsurance: 2,
  finalLawsuit: 1,
  discovery: 2,
  adr: 1,
};

/** The shapes of cards that are being loaded. */
function CardSkeletons({ column }: { column: ColumnId }) {
  return Array.from({ length: COUNTS[column] }, (_, index) => (
    <div
      key={index}
      className="mb-2 h-[118px] flex-none animate-delayed rounded-card border border-line bg-surface px-3 py-3"
    >
      <Skeleton className="h-3.5 w-2/3" />
      <Skeleton className="mt-2.5 h-3 w-5/6" />
      <Skeleton className="mt-4 h-3 w-4/5" />
      <Skeleton className="mt-3 h-3 w-4/5" />
    </div>
  ));
}

/** Above this many cards only the visible ones are rendered. */
const WINDOW_FROM = 60;

interface CardListProps {
  column: ColumnId;
  ids: readonly string[];
  lane: RefObject<HTMLDivElement | null>;
  onEdit: ((id: string) => void) | undefined;
}

/** The cards of a column, in order. */
function CardList({ column, ids, lane, onEdit }: CardListProps) {
  const label = `${columnTitles[column]} tasks`;
  if (ids.length > WINDOW_FROM)
    return <WindowedCards label={label} ids={ids} lane={lane} onEdit={onEdit} />;
  return (
    <ul aria-label={label} className={cx('relative', LINE_CLASS)}>
      {ids.map((id) => (
        // The gap belongs to the row, so that a card can also be dropped between two others.
        <li key={id} className={cx('relative pb-2', LINE_CLASS)}>
          <TaskCard id={id} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}

const FIRST = 50;

/** Finished tasks of a column, collapsed at its end. */
function DoneCards({ column }: { column: ColumnId }) {
  const ids = useAppSelector(({ tasks }) => selectDone(tasks)[column]);
  const cards = useAppSelector(({ tasks }) => selectCards(tasks));
  const [isOpen, setIsOpen] = useState(false);
  const [most, setMost] = useState(FIRST);
  if (ids.length === 0) return null;
  return (
    <div className="mt-1">
      <Button
        variant="quiet"
        size="small"
        aria-expanded={isOpen}
        aria-label={`${ids.length} done in ${columnTitles[column]}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight className={cx('transition-transform', isOpen && 'rotate-90')} />
        {ids.length} done
      </Button>
      {isOpen && (
        <ul aria-label={`Done in ${columnTitles[column]}`} className="mt-1">
          {ids.slice(0, most).map((id) => {
            const task = cards[id];
            if (!task) return null;
            return (
              <li key={id} className="flex items-start gap-1.5 rounded-card px-1 py-1.5">
                <DoneBox task={task} />
                <span className="min-w-0 grow pt-0.5 text-sm wrap-anywhere text-ink-2 line-through">
                  {task.name}
                </span>
                {task.doneAt && (
                  <time
                    dateTime={task.doneAt}
                    title={exactMoment(task.doneAt)}
                    className="pt-1 text-xs text-ink-3 tabular-nums"
                  >
                    {formatDay(task.doneAt)}
                  </time>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isOpen && ids.length > most && (
        <Button variant="quiet" size="small" onClick={() => setMost(most + FIRST)}>
          Show more
        </Button>
      )}
    </div>
  );
}

const USUAL_HEIGHT = 132;
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
function WindowedCards({ label, ids, lane, onEdit }: WindowedCardsProps) {
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
