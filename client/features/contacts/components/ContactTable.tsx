import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { useMemo } from 'react';
import { keyOf } from '../../../core/entries.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import type { ContactPage, Filters } from '../slice.ts';
import { ContactRow, NARROW, WIDE } from './ContactRow.tsx';

/** Placeholder rows of a list that is loading. */
const UNKNOWN = 10;
const ROW_HEIGHT = 60;
const COLUMNS =
  '[--columns:minmax(0,1fr)] @min-[30rem]:[--columns:minmax(0,1.5fr)_minmax(0,1fr)] ' +
  '@min-[48rem]:[--columns:minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1.4fr)]';

interface ContactTableProps {
  filters: Filters;
  page: ContactPage | null;
  /** Whether there are rows after the loaded ones. */
  hasMore: boolean;
  /** Loads the list up to a row. */
  reach: (index: number) => void;
}

/** Contacts, each a link to its card; only visible rows are rendered. */
export function ContactTable({ filters, page, hasMore, reach }: ContactTableProps) {
  const contacts = useMemo(() => page?.contacts ?? [], [page]);
  const ids = useMemo(() => contacts.map(({ id }) => id), [contacts]);
  const { items, active, tabStop, barHeight, rowsProps } = useRows<HTMLDivElement>({
    list: page ? `contacts ${keyOf(filters)}` : '',
    ids,
    count: countOf(page, hasMore),
    rowHeight: ROW_HEIGHT,
    isPageWide: true,
    onReach: reach,
  });
  const total = page && !page.totalIsCapped ? page.total + 1 : -1;
  return (
    <div className="@container">
      <Table
        aria-label="Contacts"
        aria-busy={!page || undefined}
        aria-rowcount={total}
        className={COLUMNS}
      >
        <TableHead
          style={{ top: barHeight }}
          className="before:absolute before:-inset-x-2.5 before:inset-y-0 before:-z-10 before:bg-paper"
        >
          <ColumnHeader>Name</ColumnHeader>
          <ColumnHeader className={NARROW}>Phone</ColumnHeader>
          <ColumnHeader className={WIDE}>Email</ColumnHeader>
          <ColumnHeader className={WIDE}>Address</ColumnHeader>
        </TableHead>
        <div {...rowsProps} role="rowgroup" className="relative">
          {items.map(({ index, offset }) => {
            const contact = contacts[index];
            return contact ? (
              <ContactRow
                key={contact.id}
                contact={contact}
                index={index}
                offset={offset}
                isActive={contact.id === active}
                isStop={index === tabStop}
              />
            ) : (
              <SoonRow key={`soon ${index}`} offset={offset} />
            );
          })}
        </div>
      </Table>
    </div>
  );
}

/** A row while it loads. */
function SoonRow({ offset }: { offset: number }) {
  return (
    <div
      aria-hidden="true"
      style={{ transform: `translateY(${offset}px)` }}
      className="absolute top-0 left-0 grid h-[60px] w-full grid-cols-(--columns) items-center gap-x-6 border-b border-line"
    >
      <span>
        <Skeleton className="h-3.5 w-2/5" />
        <Skeleton className="mt-2 h-3 w-1/4" />
      </span>
      <span className={NARROW}>
        <Skeleton className="h-3.5 w-3/4" />
      </span>
      <span className={WIDE}>
        <Skeleton className="h-3.5 w-3/4" />
      </span>
      <span className={WIDE}>
        <Skeleton className="h-3.5 w-4/5" />
      </span>
    </div>
  );
}

/** Loaded rows and those still to load, as far as the server counts them. */
function countOf(page: ContactPage | null, hasMore: boolean): number {
  if (!page) return UNKNOWN;
  const loaded = page.contacts.length;
  if (!hasMore) return loaded;
  return page.totalIsCapped
    ? Math.max(TOTAL_CAP, loaded + UNKNOWN)
    : Math.max(page.total, loaded + 1);
}
