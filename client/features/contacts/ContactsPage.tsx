import Building from 'lucide-react/icons/building-2';
import ContactRound from 'lucide-react/icons/contact-round';
import Plus from 'lucide-react/icons/plus';
import SearchX from 'lucide-react/icons/search-x';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import User from 'lucide-react/icons/user';
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { rowCount, useInfiniteScroll } from '../../core/growing-list.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { roleOptions } from '../../core/party-roles.ts';
import { paths } from '../../core/paths.ts';
import { keyOf } from '../../core/resource.ts';
import { useMay } from '../../core/store.ts';
import { anyText, MAX_SEARCH_LENGTH, searchText, useAddress } from '../../core/use-address.ts';
import { BATCH_MS, useResource } from '../../core/use-resource.ts';
import { countedPage, formatCount } from '../../core/words.ts';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../ui/Table.tsx';
import { useRows } from '../../ui/use-rows.ts';
import { SavedViews } from '../views/components/SavedViews.tsx';
import { kindNames } from './rules.ts';
import { contactList, type ContactPage, type Filters } from './slice.ts';

const load = () => import('./components/ContactDialog.tsx');
const ContactDialog = lazyNamed(load, 'ContactDialog');

const schema = { kind: anyText, role: anyText, search: searchText };
const VIEW_MEMBERS = Object.keys(schema);
const NO_FILTERS = { kind: '', role: '', search: '' };

/** People and organizations by name: tabs by kind, a role, and a search. */
export function ContactsPage() {
  const { address: filters, change } = useAddress(schema, { isBackUndo: true });
  const list = useResource(contactList, filters, { batchMs: BATCH_MS });
  const { data } = list;
  const [text, setText] = useSearchText(filters.search, (search) => change({ search }));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = useMay('createCases', 'handleIntakes');
  const navigate = useNavigate();
  const loaded = data?.contacts.length ?? 0;
  const reach = useInfiniteScroll(list, loaded);
  useEffect(() => {
    if (mayWrite) void load().catch(() => undefined);
  }, [mayWrite]);
  const tabs = kinds.map((tab) => ({
    ...tab,
    count:
      data && tab.value === filters.kind ? formatCount(data.total, data.totalIsCapped) : undefined,
  }));
  return (
    <>
      <ListPage
        title="Contacts"
        actions={
          <>
            <SavedViews page="contacts" members={VIEW_MEMBERS} />
            <Link to={paths.conflicts} className={buttonClass()}>
              <ShieldQuestion />
              <span data-label="">Conflict checks</span>
            </Link>
            {mayWrite && (
              <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
                New contact
              </Button>
            )}
          </>
        }
        summary={data ? countedPage(data, 'contact') : '\u00A0'}
        list={list}
        what="the contacts"
        tabs={{
          label: 'Contact lists',
          tabs,
          value: filters.kind,
          onChange: (kind) => change({ kind }),
          aside: (
            <div className="flex gap-2">
              <Select
                aria-label="Role"
                className="w-40 flex-none"
                placeholder="Any role"
                options={roleOptions}
                value={filters.role}
                onChange={({ target }) => change({ role: target.value })}
              />
              <SearchInput
                placeholder="Search contacts"
                value={text}
                onChange={setText}
                maxLength={MAX_SEARCH_LENGTH}
                className="min-w-0 grow sm:w-64"
              />
            </div>
          ),
        }}
        empty={
          data &&
          loaded === 0 && (
            <NoContacts
              filters={filters}
              firstStep={
                mayWrite && <Button onClick={() => setIsAdding(true)}>Add the first contact</Button>
              }
              onClear={() => change(NO_FILTERS)}
            />
          )
        }
      >
        <ContactTable filters={filters} page={data} hasMore={list.cursor !== null} reach={reach} />
      </ListPage>
      {isAdding && (
        <ContactDialog
          onClose={() => setIsAdding(false)}
          onSaved={({ id }) => void navigate(paths.contact(id))}
        />
      )}
    </>
  );
}

const kinds = [
  { value: '', label: 'All' },
  { value: 'person', label: 'People' },
  { value: 'organisation', label: 'Organizations' },
];

interface NoContactsProps {
  filters: Filters;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onClear: () => void;
}

/** Explains an empty list, and what to do next. */
function NoContacts({ filters: { search, role, kind }, firstStep, onClear }: NoContactsProps) {
  if (search === '' && role === '' && kind === '')
    return (
      <EmptyState icon={ContactRound} title="No contacts yet" action={firstStep}>
        The client and the opposing counsel of each matter appear here by themselves.
      </EmptyState>
    );
  return (
    <EmptyState icon={SearchX} title="No match" action={<ClearSearch onClear={onClear} />}>
      <span className="wrap-anywhere">
        {search === '' ? 'No contacts of this kind and role.' : `No contacts match “${search}”.`}
      </span>
    </EmptyState>
  );
}

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
function ContactTable({ filters, page, hasMore, reach }: ContactTableProps) {
  const contacts = useMemo(() => page?.contacts ?? [], [page]);
  const ids = useMemo(() => contacts.map(({ id }) => id), [contacts]);
  const { items, active, tabStop, barHeight, rowsProps } = useRows<HTMLDivElement>({
    list: page ? `contacts ${keyOf(filters)}` : '',
    ids,
    count: rowCount(page?.contacts.length, hasMore, page ?? undefined),
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
              <ContactRowSkeleton key={`soon ${index}`} offset={offset} />
            );
          })}
        </div>
      </Table>
    </div>
  );
}

/** A row while it loads. */
function ContactRowSkeleton({ offset }: { offset: number }) {
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

const NARROW = 'hidden @min-[30rem]:block';
const WIDE = 'hidden @min-[48rem]:block';

interface ContactRowProps {
  contact: Contact;
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
