import Ellipsis from 'lucide-react/icons/ellipsis';
import FilePen from 'lucide-react/icons/file-pen';
import Inbox from 'lucide-react/icons/inbox';
import Paperclip from 'lucide-react/icons/paperclip';
import PencilLine from 'lucide-react/icons/pencil-line';
import RotateCw from 'lucide-react/icons/rotate-cw';
import SearchX from 'lucide-react/icons/search-x';
import Send from 'lucide-react/icons/send';
import Unplug from 'lucide-react/icons/unplug';
import { type RefObject, useState, useMemo, memo } from 'react';
import { Link } from 'react-router';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { keyOf } from '../../../core/resource.ts';
import { useAppSelector } from '../../../core/store.ts';
import { MAX_SEARCH_LENGTH } from '../../../core/use-address.ts';
import { whenInList, formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { ClearSearch } from '../../../ui/ClearSearch.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { SearchInput, useSearchText } from '../../../ui/SearchInput.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { addressOf } from '../hooks/use-mailbox-address.ts';
import { useAccount, type ShownList } from '../hooks/use-mailbox.ts';
import { nameOf, subjectOf } from '../rules.ts';
import { type ListQuery, UNREAD } from '../slice.ts';

interface ListPaneProps {
  list: ShownList;
  /** The open mail, and the draft being fetched. */
  open: string | null;
  opening: string | null;
  /** The element around the search box. */
  search: RefObject<HTMLDivElement | null>;
  reach: (index: number) => void;
  onFind: (search: string) => void;
  onOpen: (id: string) => void;
  onStep: (id: string) => void;
  onRefresh: () => void;
  onCompose: () => void;
}

/** The search box above the mails of a section. */
export function ListPane(props: ListPaneProps) {
  const { list, open, opening, search, reach, onFind, onOpen, onStep, onRefresh, onCompose } =
    props;
  const { query, data, failure } = list;
  const [text, setText] = useSearchText(query.search, onFind);
  const isEmpty = data ? data.mails.length === 0 && !data.isKept : failure !== null;
  return (
    <section
      aria-label={sectionNames[query.section]}
      className={cx(
        // With reduced motion, transitions still take a millisecond, during which the focus could not be restored.
        'flex min-h-0 min-w-0 flex-col transition-none **:transition-none @2xl:border-r @2xl:border-line',
        // Behind an open mail, the list keeps its size and so its scroll position.
        open !== null && '@max-2xl:invisible',
      )}
    >
      <div ref={search} className="flex gap-1 border-b border-line px-4 py-3 @5xl:pt-5">
        <SearchInput
          value={text}
          onChange={setText}
          placeholder="Search mail"
          maxLength={MAX_SEARCH_LENGTH}
          aria-keyshortcuts="/"
          className="min-w-0 grow"
        />
        <MailboxMenu onRefresh={onRefresh} />
      </div>
      {data && failure !== null && (
        <StaleNotice onRetry={onRefresh} className="border-b border-line">
          {failure}
        </StaleNotice>
      )}
      <div data-scroller className="min-h-0 grow overflow-y-auto overscroll-contain">
        {isEmpty ? (
          <MailListState
            list={list}
            onRetry={onRefresh}
            onClear={() => setText('')}
            onCompose={onCompose}
          />
        ) : (
          <MailRows
            list={list}
            label="Emails"
            open={open}
            opening={opening}
            onOpen={onOpen}
            onStep={onStep}
            reach={reach}
          />
        )}
      </div>
    </section>
  );
}

const DisconnectDialog = lazyNamed(() => import('./DisconnectDialog.tsx'), 'DisconnectDialog');

/** The mailbox's address and actions, on screens too narrow for a column. */
function MailboxMenu({ onRefresh }: { onRefresh: () => void }) {
  const { email } = useAccount();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <div className="flex-none @5xl:hidden">
      <MenuButton
        label="Mailbox"
        icon={Ellipsis}
        variant="quiet"
        heading={email}
        entries={[
          { label: 'Refresh', icon: RotateCw, onSelect: onRefresh },
          { label: 'Disconnect', icon: Unplug, onSelect: () => setIsLeaving(true) },
        ]}
      />
      {isLeaving && <DisconnectDialog email={email} onClose={() => setIsLeaving(false)} />}
    </div>
  );
}

const EMPTY = {
  inbox: { icon: Inbox, title: 'No mail', hint: 'New mail appears here.' },
  sent: { icon: Send, title: 'Nothing sent yet', hint: 'Mail you send appears here.' },
  drafts: { icon: FilePen, title: 'No drafts', hint: 'Unfinished mail is saved here.' },
} as const;

interface MailListStateProps {
  list: ShownList;
  onRetry: () => void;
  onClear: () => void;
  onCompose: () => void;
}

/** Shown in place of a list without rows. */
function MailListState({ list, onRetry, onClear, onCompose }: MailListStateProps) {
  const { query, data, failure, isBusy } = list;
  if (!data) {
    return (
      <ErrorState
        title="Couldn’t load the mail"
        detail={failure ?? undefined}
        onRetry={onRetry}
        busy={isBusy}
      />
    );
  }
  if (query.search !== '') {
    return (
      <EmptyState icon={SearchX} title="No mail matches" action={<ClearSearch onClear={onClear} />}>
        No mail in {sectionNames[query.section]} matches “{query.search}”.
      </EmptyState>
    );
  }
  const { icon, title, hint } = EMPTY[query.section];
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={<Button onClick={onCompose}>Compose an email</Button>}
    >
      {hint}
    </EmptyState>
  );
}

/** Placeholder rows before the first page. */
const PLACEHOLDERS = 8;
const NONE: readonly MailSummary[] = [];

interface MailRowsProps {
  list: ShownList;
  label: string;
  open: string | null;
  /** The draft being fetched. */
  opening: string | null;
  onOpen: (id: string) => void;
  /** Opens a neighbor of the open mail. */
  onStep: (id: string) => void;
  /** Loads the list up to a row. */
  reach: (index: number) => void;
}

/** The visible rows of a list of any length. */
function MailRows(props: MailRowsProps) {
  const { list, label, open, opening, onOpen, onStep, reach } = props;
  const today = useToday();
  const { query, data, hasMore } = list;
  const mails = data?.mails ?? NONE;
  const ids = useMemo(() => mails.map(({ id }) => id), [mails]);
  const { items, tabStop, rowsProps } = useRows<HTMLUListElement>({
    list: data ? keyOf(query) : '',
    ids,
    count: data ? ids.length + (hasMore ? 2 : 0) : PLACEHOLDERS,
    rowHeight: ROW_HEIGHT,
    open,
    onOpen: onStep,
    isPageWide: true,
    onReach: reach,
  });
  return (
    <ul {...rowsProps} aria-label={label} aria-busy={!data || undefined} className="relative">
      {items.map(({ index, offset }) => {
        const mail = mails[index];
        if (!mail) return <MailRowSkeleton key={`soon ${index}`} offset={offset} />;
        const { id } = mail;
        return (
          <MailRow
            key={id}
            mail={mail}
            query={query}
            index={index}
            count={hasMore ? -1 : ids.length}
            offset={offset}
            isOpen={id === open}
            isOpening={id === opening}
            isStop={index === tabStop}
            today={today}
            onOpen={onOpen}
          />
        );
      })}
    </ul>
  );
}

/** Pixels. */
const ROW_HEIGHT = 78;

interface MailRowProps {
  mail: MailSummary;
  query: ListQuery;
  /** Zero-based index in the list. */
  index: number;
  count: number;
  /** Pixels below the list's top. */
  offset: number;
  isOpen: boolean;
  isOpening: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  today: string;
  onOpen: (id: string) => void;
}

/** A mail in the list: sender or recipient, date, subject and first words. */
const MailRow = memo(function MailRow(props: MailRowProps) {
  const { mail, query, index, count, offset, isOpen, isOpening, isStop, today, onOpen } = props;
  const { id } = mail;
  const isFromOthers = query.section === 'inbox';
  const person = nameOf(isFromOthers ? mail.from : mail.to);
  return (
    <li
      data-row={id}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="absolute inset-x-0 top-0 border-b border-line"
      style={{ height: ROW_HEIGHT, transform: `translateY(${offset}px)` }}
    >
      <Link
        to={addressOf({ ...query, mail: id })}
        tabIndex={isStop ? 0 : -1}
        aria-current={isOpen || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen(id);
        }}
        className={cx(
          'flex h-full flex-col justify-center px-4 -outline-offset-2 [&_bdi]:text-left',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="flex items-baseline gap-2">
          {mail.unread && (
            <span className="size-2 flex-none self-center rounded-full bg-accent">
              <span className="sr-only">Unread, </span>
            </span>
          )}
          <bdi className={cx('min-w-0 grow truncate', mail.unread ? 'font-semibold' : 'font-book')}>
            {!isFromOthers && <span className="sr-only">To </span>}
            {person}
          </bdi>
          {mail.hasAttachments && (
            <span className="flex-none self-center text-ink-3">
              <Paperclip className="size-3.5" />
              <span className="sr-only">with attachment</span>
            </span>
          )}
          {isOpening ? (
            <Spinner />
          ) : (
            <time dateTime={mail.date} className="flex-none text-xs text-ink-2 tabular-nums">
              {whenInList(mail.date, today)}
            </time>
          )}
        </span>
        <bdi className={cx('truncate text-sm', mail.unread && 'font-medium')}>
          {subjectOf(mail.subject)}
        </bdi>
        <bdi className="truncate text-sm text-ink-2">{mail.snippet || '\u00A0'}</bdi>
      </Link>
    </li>
  );
});

/** The placeholder of a row that is loading. */
function MailRowSkeleton({ offset }: { offset: number }) {
  return (
    <li
      aria-hidden="true"
      className="absolute inset-x-0 top-0 flex animate-delayed flex-col justify-center gap-2 border-b border-line px-4"
      style={{ height: ROW_HEIGHT, transform: `translateY(${offset}px)` }}
    >
      <span className="h-3 w-2/5 rounded-[4px] bg-line" />
      <span className="h-2.5 w-3/5 rounded-[4px] bg-line" />
      <span className="h-2.5 w-4/5 rounded-[4px] bg-line" />
    </li>
  );
}

const sectionNames: Record<MailSection, string> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
};
const ICONS = { inbox: Inbox, sent: Send, drafts: FilePen } as const;

interface MailSectionsProps {
  section: MailSection;
  onCompose: () => void;
}

/** Compose, and the three sections with their counts, as a column or, on narrow screens, a row. */
export function MailSections({ section, onCompose }: MailSectionsProps) {
  return (
    <div className="flex items-center gap-1 @5xl:flex-col @5xl:items-stretch @5xl:gap-4">
      <nav aria-label="Mail sections" className="min-w-0 grow @5xl:order-last @5xl:grow-0">
        <ul className="flex gap-1 @5xl:flex-col @5xl:gap-0.5">
          {mailSections.map((name) => (
            <SectionLink key={name} section={name} isHere={name === section} />
          ))}
        </ul>
      </nav>
      <Button
        variant="primary"
        icon={PencilLine}
        aria-keyshortcuts="c"
        onClick={onCompose}
        className="@max-5xl:px-2.5!"
      >
        <span className="@max-5xl:sr-only">Compose</span>
      </Button>
    </div>
  );
}

function SectionLink({ section, isHere }: { section: MailSection; isHere: boolean }) {
  const unread = useAppSelector(({ mails }) =>
    section === 'inbox' ? (mails.unread[keyOf(UNREAD)]?.data ?? null) : null,
  );
  const total = useAppSelector(
    ({ mails }) => mails.lists[keyOf({ section, search: '' })]?.data?.total ?? null,
  );
  const count = unread ?? total ?? 0;
  const Icon = ICONS[section];
  return (
    <li>
      <Link
        to={addressOf({ section, search: '', mail: null })}
        aria-current={isHere ? 'page' : undefined}
        className={cx(
          'flex h-[34px] items-center gap-2 rounded-control px-2 transition-colors pointer-coarse:h-11',
          isHere
            ? 'bg-accent-soft font-strong text-accent-ink'
            : 'font-book text-ink-2 hover:bg-hover',
        )}
      >
        <Icon className="@max-5xl:hidden" />
        {sectionNames[section]}
        {count > 0 && (
          <span
            key={count}
            className={cx(
              'animate-appear text-xs font-normal tabular-nums @5xl:ml-auto',
              !isHere && 'text-ink-3',
            )}
          >
            {formatCount(count)}
            {unread !== null && <span className="sr-only"> unread</span>}
          </span>
        )}
      </Link>
    </li>
  );
}
