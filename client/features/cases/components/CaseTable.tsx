import { keyOf } from '../../../core/entries.ts';
import { rowCount } from '../../../core/row-count.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Table } from '../../../ui/Table.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import type { ListQuery } from '../rules.lists.ts';
import type { CaseList } from '../slice.ts';
import { CaseColumns, COLUMNS_CLASS, GAP_CLASS, MIDDLE_CLASS, WIDE_CLASS } from './CaseColumns.tsx';
import { CaseRow } from './CaseRow.tsx';

const ROW_HEIGHT = 60;
const NONE: readonly string[] = [];

interface CaseTableProps {
  query: ListQuery;
  list: CaseList | null;
  /** Whether there are rows after the loaded ones. */
  hasMore: boolean;
  /** The total number of rows, if known. */
  total: number | undefined;
  /** Loads the list up to a row. */
  reach: (index: number) => void;
}

/** The cases of a list; only visible rows are rendered. */
export function CaseTable({ query, list, hasMore, total, reach }: CaseTableProps) {
  const today = useToday();
  const ids = list?.ids ?? NONE;
  const { items, active, tabStop, barHeight, rowsProps } = useRows<HTMLDivElement>({
    list: list ? keyOf(query) : '',
    ids,
    count: rowCount(list?.ids.length, hasMore, list ?? undefined),
    rowHeight: ROW_HEIGHT,
    isPageWide: true,
    onReach: reach,
  });
  return (
    <div className="@container">
      <Table
        aria-label="Matters"
        aria-busy={!list || undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
        className={cx(COLUMNS_CLASS)}
      >
        <CaseColumns top={barHeight} />
        <div {...rowsProps} role="rowgroup" className="relative">
          {items.map(({ id, index, offset }) =>
            id === undefined ? (
              <CaseRowSkeleton key={`soon ${index}`} offset={offset} />
            ) : (
              <CaseRow
                key={id}
                id={id}
                index={index}
                offset={offset}
                isActive={id === active}
                isStop={index === tabStop}
                today={today}
              />
            ),
          )}
        </div>
      </Table>
    </div>
  );
}

/** A row while it loads; `offset` in pixels below the first. */
function CaseRowSkeleton({ offset }: { offset: number }) {
  return (
    <div
      aria-hidden="true"
      style={{ transform: `translateY(${offset}px)` }}
      className={cx(
        'absolute top-0 left-0 grid h-[60px] w-full grid-cols-(--columns) items-center gap-x-6 border-b border-line',
        GAP_CLASS,
      )}
    >
      <span>
        <Skeleton className="h-3.5 w-3/5" />
        <Skeleton className="mt-2 h-3 w-2/5" />
      </span>
      <Skeleton className="h-3.5 w-4/5" />
      <span className={MIDDLE_CLASS}>
        <Skeleton className="h-3.5 w-4/5" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="ml-auto h-3.5 w-8" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="h-3.5 w-10" />
      </span>
      <span className={MIDDLE_CLASS}>
        <Skeleton className="h-3.5 w-3/4" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="h-3.5 w-1/2" />
      </span>
    </div>
  );
}
