import { useRows } from '../../../ui/use-rows.ts';
import { useNow } from './use-now.ts';
import { listKey, type MailList } from '../slice.ts';
import { MailRow, MailRowSoon, ROW_HEIGHT } from './MailRow.tsx';

/** Placeholder rows while nothing is known yet. */
const UNKNOWN = 8;
const NONE: readonly string[] = [];

interface MailRowsProps {
  list: MailList | undefined;
  label: string;
  open: string | null;
  /** The draft that is being fetched. */
  opening: string | null;
  onOpen: (id: string) => void;
  /** Shows the neighbor of the mail that is open. */
  onStep: (id: string) => void;
  /** Asks for the list as far as a row. */
  reach: (index: number) => void;
}

/** The rows in view of a list, however long. */
export function MailRows(props: MailRowsProps) {
  const { list, label, open, opening, onOpen, onStep, reach } = props;
  const now = useNow();
  const ids = list?.ids ?? NONE;
  const isUnknown = !list || list.status === 'loading' || list.status === 'failed';
  const hasMore = list?.status === 'ready' && list.nextCursor !== null;
  const { items, tabStop, rowsProps } = useRows<HTMLUListElement>({
    list: list ? listKey(list) : '',
    ids,
    count: isUnknown ? UNKNOWN : ids.length + (hasMore ? 2 : 0),
    rowHeight: ROW_HEIGHT,
    open,
    onOpen: onStep,
    isPageWide: true,
    onReach: reach,
  });
  return (
    <ul {...rowsProps} aria-label={label} aria-busy={isUnknown || undefined} className="relative">
      {items.map(({ id, index, offset }) =>
        id === undefined || !list ? (
          <MailRowSoon key={`soon ${index}`} offset={offset} />
        ) : (
          <MailRow
            key={id}
            id={id}
            query={list}
            index={index}
            count={hasMore ? -1 : ids.length}
            offset={offset}
            isOpen={id === open}
            isOpening={id === opening}
            isStop={index === tabStop}
            now={now}
            onOpen={onOpen}
          />
        ),
      )}
    </ul>
  );
}
