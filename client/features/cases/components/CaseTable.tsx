import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Table } from '../../../ui/Table.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { keyOf } from '../../../core/entries.ts';
import type { CaseList, ListQuery } from '../slice.ts';
import { CaseColumns, COLUMNS_CLASS } from './CaseColumns.tsx';
import { CaseRow } from './CaseRow.tsx';
import { CaseRowSkeleton } from './CaseRowSkeleton.tsx';

/** Rows that stand for a list of which nothing is known yet. */
const UNKNOWN = 10;
const ROW_HEIGHT = 60;
const NONE: readonly string[] = [];

interface CaseTableProps {
  query: ListQuery;
  list: CaseList | null;
  /** There are rows behind those that were read. */
  hasMore: boolean;
  /** How many rows there are in all, if that is known. */
  total: number | undefined;
  /** Asks for the list as far as a row. */
  reach: (index: number) => void;
}

/** The cases of a list, however long. */
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

/** The rows there are and those that are still to be read; nobody counts beyond the cap. */
function countOf(list: CaseList | null, hasMore: boolean): number {
  if (!list) return UNKNOWN;
  const { ids, total, totalIsCapped } = list;
  if (!hasMore) return ids.length;
  return totalIsCapped
    ? Math.max(TOTAL_CAP, ids.length + UNKNOWN)
    : Math.max(total, ids.length + 1);
}
