import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Table } from '../../../ui/Table.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { keyOf } from '../../../core/entries.ts';
import type { ListQuery } from '../rules.lists.ts';
import type { CaseList } from '../slice.ts';
import { CaseColumns, COLUMNS_CLASS } from './CaseColumns.tsx';
import { CaseRow } from './CaseRow.tsx';
import { CaseRowSkeleton } from './CaseRowSkeleton.tsx';

/** Placeholder rows of a list that is loading. */
const UNKNOWN = 10;
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
    count: countOf(list, hasMore),
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

/** Loaded rows and those still to load, as far as the server counts them. */
function countOf(list: CaseList | null, hasMore: boolean): number {
  if (!list) return UNKNOWN;
  const { ids, total, totalIsCapped } = list;
  if (!hasMore) return ids.length;
  return totalIsCapped
    ? Math.max(TOTAL_CAP, ids.length + UNKNOWN)
    : Math.max(total, ids.length + 1);
}
