import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { useMemo, memo } from 'react';
import { keyOf } from '../../../core/entries.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import type { ContactPage, Filters } from '../slice.ts';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import Building from 'lucide-react/icons/building-2';
import User from 'lucide-react/icons/user';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { kindNames } from '../rules.ts';

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

const NARROW = 'hidden @min-[30rem]:block';
const WIDE = 'hidden @min-[48rem]:block';

interface ContactRowProps {
  contact: Contact;
  /** Index in the list. */
  index: number;
  /** Pixels below the first row. */
  offset: number;
  isActive: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
}

/** A row of the list; a click anywhere on it opens the card. */
const ContactRow = memo(function ContactRow(props: ContactRowProps) {
  const { contact, index, offset, isActive, isStop } = props;
  const { id, kind, name, otherNames, organisation, phoneNumbers, emails, address } = contact;
  const Icon = kind === 'person' ? User : Building;
  const second = organisation ?? otherNames[0] ?? kindNames[kind];
  return (
    <TableRow
      data-row={id}
      aria-rowindex={index + 2}
      selected={isActive}
      style={{ transform: `translateY(${offset}px)` }}
      className="absolute! top-0 left-0"
    >
      <TableCell className="flex items-center gap-3">
        <Icon className="text-ink-3" />
        <span className="min-w-0">
          <Link
            to={paths.contact(id)}
            tabIndex={isStop ? 0 : -1}
            title={name}
            className="row-link block truncate font-medium"
          >
            {name}
          </Link>
          <span className="block truncate text-note text-ink-2">{second}</span>
        </span>
      </TableCell>
      <TableCell className={NARROW}>
        <span className="tabular-nums">{phoneNumbers[0]}</span>
        <More count={phoneNumbers.length - 1} />
      </TableCell>
      <TableCell className={WIDE}>
        {emails[0]}
        <More count={emails.length - 1} />
      </TableCell>
      <TableCell className={`${WIDE} text-ink-2`}>{address?.replaceAll('\n', ', ')}</TableCell>
    </TableRow>
  );
});

function More({ count }: { count: number }) {
  return count > 0 && <span className="text-note text-ink-3">{` +${count}`}</span>;
}
