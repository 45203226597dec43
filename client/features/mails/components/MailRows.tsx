import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useNow } from './use-now.ts';
import { listKey, type MailList } from '../slice.ts';
import { MailRow, MailRowSoon, ROW_HEIGHT } from './MailRow.tsx';

/** Rows that stand for a list of which nothing is known yet. */
const UNKNOWN = 8;
const NONE: readonly string[] = [];

interface MailRowsProps {
  list: MailList | undefined;
  label: string;
  /** What scrolls. */
  box: RefObject<HTMLDivElement | null>;
  open: string | null;
  /** The draft that is being fetched. */
  opening: string | null;
  /** The row that the keyboard is at. */
  active: string | null;
  onOpen: (id: string) => void;
  /** Asks for the list as far as a row. */
  reach: (index: number) => void;
  /** Learns how to bring a row into view. */
  show: RefObject<(index: number) => void>;
}

/** The rows that can be seen of a list, however long. */
export function MailRows(props: MailRowsProps) {
  const { list, label, box, open, opening, active, onOpen, reach, show } = props;
  const now = useNow();
  const ids = list?.ids ?? NONE;
  const isUnknown = !list || list.status === 'loading' || list.status === 'failed';
  const hasMore = list?.status === 'ready' && list.nextCursor !== null;
  const count = isUnknown ? UNKNOWN : ids.length + (hasMore ? 2 : 0);
  const stop = Math.max(ids.indexOf(active ?? open ?? ''), 0);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 6,
    initialRect: { width: 0, height: innerHeight },
    // The row that the focus may be in stays in the document wherever the window is.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range);
        const isShown = stop >= range.count || shown.includes(stop);
        return isShown ? shown : [...shown, stop].toSorted((a, b) => a - b);
      },
      [stop],
    ),
  });
  useLayoutEffect(() => {
    show.current = (index) => rows.scrollToIndex(index);
  });
  const end = rows.range?.endIndex ?? 0;
  useEffect(() => reach(end), [reach, end]);
  useSteadyRows(ids, list ? listKey(list) : '', box);
  return (
    <ul
      aria-label={label}
      aria-busy={isUnknown || undefined}
      className="relative"
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ index, start }) => {
        const id = ids[index];
        return id === undefined || !list ? (
          <MailRowSoon key={`soon ${index}`} offset={start} />
        ) : (
          <MailRow
            key={id}
            id={id}
            query={list}
            index={index}
            count={hasMore ? -1 : ids.length}
            offset={start}
            isOpen={id === open}
            isOpening={id === opening}
            isStop={index === stop}
            now={now}
            onOpen={onOpen}
          />
        );
      })}
    </ul>
  );
}

/** Keeps what somebody reads where it is when mails appear or go above it; another list begins at its top. */
function useSteadyRows(ids: readonly string[], key: string, box: RefObject<HTMLDivElement | null>) {
  const before = useRef({ ids, key });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { ids, key };
    const scroller = box.current;
    if (!scroller || old.ids === ids) return;
    if (old.key !== key) scroller.scrollTo(0, 0);
    const first = Math.floor(scroller.scrollTop / ROW_HEIGHT);
    const id = old.ids[first];
    // At its top a list shows what is new.
    if (first <= 0 || id === undefined || ids[first] === id) return;
    const now = ids.indexOf(id);
    if (now >= 0) scroller.scrollBy(0, (now - first) * ROW_HEIGHT);
  }, [ids, key, box]);
}
