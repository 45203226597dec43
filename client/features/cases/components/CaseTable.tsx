import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Table } from '../../../ui/Table.tsx';
import { listKey, type CaseList } from '../slice.ts';
import { CaseColumns, COLUMNS_CLASS } from './CaseColumns.tsx';
import { CaseRow } from './CaseRow.tsx';
import { CaseRowSkeleton } from './CaseRowSkeleton.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { scroller, useRowWindow } from './use-row-window.ts';

/** Rows that stand for a list of which nothing is known yet. */
const UNKNOWN = 10;
const NONE: readonly string[] = [];

interface CaseTableProps {
  list: CaseList | undefined;
  /** How many rows there are in all, if that is known. */
  total: number | undefined;
  /** Asks for the list as far as a row. */
  reach: (index: number) => void;
  /** What stands above the rows and stays there. */
  bar: RefObject<HTMLElement | null>;
}

/** The cases of a list: of a hundred thousand only those are drawn that can be seen. */
export function CaseTable({ list, total, reach, bar }: CaseTableProps) {
  const today = useToday();
  const body = useRef<HTMLDivElement>(null);
  const ids = list?.ids ?? NONE;
  const key = list ? listKey(list) : '';
  const show = useRef<(index: number) => void>(() => undefined);
  const { active, at, activate } = useRowKeys({
    list: key,
    ids,
    body,
    show: useMemo(() => (index: number) => show.current(index), []),
  });
  const stop = Math.max(at, 0);
  const count = countOf(list);
  const { rows, top, covered, barHeight } = useRowWindow({ ids, count, kept: stop, body, bar });
  useLayoutEffect(() => {
    show.current = (index) => rows.scrollToIndex(index);
  });
  const drawn = rows.getVirtualItems();
  const end = rows.range?.endIndex ?? 0;
  useEffect(() => reach(end), [reach, end]);
  useStartAtTop(key, top - covered);
  return (
    <div className="@container">
      <Table
        aria-label="Matters"
        aria-busy={list?.status !== 'ready' || undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
        className={cx(COLUMNS_CLASS)}
      >
        <CaseColumns top={barHeight} />
        <div
          ref={body}
          role="rowgroup"
          className="relative"
          style={{ height: rows.getTotalSize() }}
        >
          {drawn.map(({ index, start }) => {
            const id = ids[index];
            return id === undefined ? (
              <CaseRowSkeleton key={`soon ${index}`} offset={start - top} />
            ) : (
              <CaseRow
                key={id}
                id={id}
                index={index}
                offset={start - top}
                isActive={id === active}
                isStop={index === stop}
                today={today}
                onActivate={activate}
              />
            );
          })}
        </div>
      </Table>
    </div>
  );
}

/** The rows there are and those that are still to be read; nobody counts beyond the cap. */
function countOf(list: CaseList | undefined): number {
  if (list?.status !== 'ready') return UNKNOWN;
  const { ids, nextCursor, total, totalIsCapped } = list;
  if (nextCursor === null) return ids.length;
  return totalIsCapped
    ? Math.max(TOTAL_CAP, ids.length + UNKNOWN)
    : Math.max(total, ids.length + 1);
}

/** Another list begins at its beginning; the bar stays where it is. */
function useStartAtTop(key: string, top: number) {
  const shown = useRef(key);
  useLayoutEffect(() => {
    const before = shown.current;
    if (key === '' || before === key) return;
    shown.current = key;
    const main = scroller();
    if (before !== '' && main && main.scrollTop > top) main.scrollTop = Math.max(top, 0);
  }, [key, top]);
}
