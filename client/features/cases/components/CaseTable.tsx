import FileText from 'lucide-react/icons/file-text';
import Folders from 'lucide-react/icons/folders';
import Lock from 'lucide-react/icons/lock';
import Sparkles from 'lucide-react/icons/sparkles';
import { memo } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type Case,
  COUNTED_FILES_MAX,
  NOT_FILED,
  type Person,
} from '@matterdesk/contract/cases.ts';
import { type CaseSol, solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { fullName } from '../../../core/full-name.ts';
import { rowCount } from '../../../core/growing-list.ts';
import { paths } from '../../../core/paths.ts';
import { keyOf } from '../../../core/resource.ts';
import { SelectBox } from '../../../core/selection.tsx';
import { useAppSelector } from '../../../core/store.ts';
import { useFirmDay } from '../../../core/use-firm.ts';
import { deciderOf, proposalOf } from '../../../core/waiting-date.ts';
import { counted, formatCount } from '../../../core/words.ts';
import { AvatarStack } from '../../../ui/Avatar.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatDay } from '../../../ui/days.ts';
import { MenuButton } from '../../../ui/Menu.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Table, TableCell, TableRow, ColumnHeader, TableHead } from '../../../ui/Table.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import type { ListQuery } from '../rules.lists.ts';
import { limitationOf } from '../rules.ts';
import type { CaseList } from '../slice.ts';
import { Dash } from './Dash.tsx';

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
  const today = useFirmDay();
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

interface CaseRowProps {
  id: string;
  index: number;
  /** Pixels below the first row. */
  offset: number;
  isActive: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  /** The user's local day. */
  today: string;
}

/** A row of the list; a click anywhere on it opens the case. */
const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { id, index, offset, isActive, isStop, today } = props;
  const matter = useAppSelector((state) => state.cases.entities[id]);
  if (!matter) return null;
  const tabIndex = isStop ? 0 : -1;
  return (
    <TableRow
      data-row={id}
      aria-rowindex={index + 2}
      selected={isActive}
      style={{ transform: `translateY(${offset}px)` }}
      className={cx('absolute! top-0 left-0', GAP_CLASS)}
    >
      <TableCell className="flex items-center gap-2">
        <SelectBox id={id} name={matter.caseName} />
        <span className="min-w-0 grow">
          <Link
            to={paths.caseDetails(id)}
            state={{ isFromMatters: true }}
            tabIndex={tabIndex}
            title={matter.caseName}
            className="row-link flex items-center gap-1.5 font-medium"
          >
            <span className="truncate">{matter.caseName}</span>
            <CaseLock matter={matter} />
          </Link>
          <span className="block truncate text-note text-ink-2 tabular-nums">
            {matter.caseNo ?? NOT_FILED}
          </span>
        </span>
      </TableCell>
      <TableCell>
        <SolDate of={matter} today={today} />
      </TableCell>
      <TableCell className={MIDDLE_CLASS}>
        <StatusMark status={matter.status} />
      </TableCell>
      <TableCell align="end" className={WIDE_CLASS}>
        {formatCount(matter.daysOpen)}
      </TableCell>
      <TableCell className={cx(WIDE_CLASS, 'text-ink-2')}>{matter.type}</TableCell>
      <TableCell className={MIDDLE_CLASS}>
        <Assignees people={matter.assignedUsers} />
      </TableCell>
      <TableCell cut={false} className={WIDE_CLASS}>
        <FilesMenu of={matter} tabIndex={tabIndex} />
      </TableCell>
      <TableCell cut={false} className={MIDDLE_CLASS}>
        <Link
          to={`${paths.caseDetails(id)}?ask=1`}
          state={{ isFromMatters: true }}
          tabIndex={tabIndex}
          aria-label="AI assistant"
          title="AI assistant"
          className="grid size-7 place-items-center rounded-small text-ink-2 hover:bg-accent-soft hover:text-accent-ink"
        >
          <Sparkles />
        </Link>
      </TableCell>
    </TableRow>
  );
});

/** A lock beside the name of a case that not everyone sees. */
function CaseLock({ matter: { access } }: { matter: Pick<Case, 'access'> }) {
  if (access === undefined) return null;
  const label = access === 'restricted' ? 'Restricted' : 'Some people are screened';
  return (
    <span role="img" aria-label={label} title={label} className="flex-none text-ink-2">
      <Lock className="size-3.5" />
    </span>
  );
}

const TONES: Record<Case['status'], string> = {
  'Pre-List': 'bg-ink-3',
  Litigation: 'bg-accent',
  ADR: 'bg-green',
};

/** The status of a case, with its icon. */
function StatusMark({ status }: { status: Case['status'] }) {
  return (
    <span className="flex items-center gap-[7px] text-ink-2">
      <span aria-hidden="true" className={cx('size-[7px] flex-none rounded-full', TONES[status])} />
      <span className="truncate">{status}</span>
    </span>
  );
}

const NAMED = 2;

/** The team of a case; narrow tables show only the avatars. */
function Assignees({ people }: { people: readonly Person[] }) {
  const names = people.map(fullName);
  if (names.length === 0) return <Dash means="No one" />;
  const others = names.length - NAMED;
  return (
    <span title={names.join(', ')} className="flex min-w-0 items-center gap-[9px]">
      <AvatarStack names={names} />
      <span
        aria-hidden="true"
        className="hidden min-w-0 truncate text-sm text-ink-2 @min-[62rem]:block"
      >
        {names.slice(0, NAMED).join(', ')}
        {others > 0 && `, +${others}`}
      </span>
      <span className="sr-only">{names.join(', ')}</span>
    </span>
  );
}

interface FilesMenuProps {
  of: Pick<Case, 'id' | 'caseName' | 'download' | 'fileCount'>;
  tabIndex: number;
}

/** The number of files of a case, with a menu of the newest ones. */
function FilesMenu({ of, tabIndex }: FilesMenuProps) {
  const navigate = useNavigate();
  const { id, caseName, download: newest } = of;
  const count = of.fileCount ?? newest.length;
  if (newest.length === 0) return <Dash means="No files" />;
  const isCapped = count >= COUNTED_FILES_MAX;
  const all = isCapped ? 'All files' : `All ${counted(count, 'file')}`;
  const to = { pathname: paths.caseDetails(id), hash: 'files-title' };
  return (
    <MenuButton
      label={`${isCapped ? `${COUNTED_FILES_MAX - 1}+ files` : counted(count, 'file')} of ${caseName}`}
      text={isCapped ? `${COUNTED_FILES_MAX - 1}+` : formatCount(count)}
      heading={count > newest.length ? 'Newest files' : 'Files'}
      icon={FileText}
      variant="quiet"
      size="small"
      tabIndex={tabIndex}
      className="-ml-[9px] tabular-nums"
      entries={[
        ...newest.map(({ name, url }) => ({ label: name, icon: FileText, href: url })),
        'line',
        {
          label: all,
          icon: Folders,
          onSelect: () => void navigate(to, { state: { isFromMatters: true } }),
        },
      ]}
    />
  );
}

/** The statute of limitations of a case, with the days left when it is near. */
function SolDate({ of, today }: { of: CaseSol & Pick<Case, 'statusType'>; today: string }) {
  const limitation = limitationOf(of, today);
  const day = solInEffect(of);
  const proposal = proposalOf(of);
  if (day === null) return <Dash means="No date" />;
  return (
    <>
      <time dateTime={day} className="block tabular-nums">
        {formatDay(day)}
      </time>
      {limitation && (
        <span
          className={cx(
            'block text-xs/[1.125rem] font-medium',
            limitation.tone === 'red' ? 'text-red' : 'text-amber',
          )}
        >
          {limitation.words}
        </span>
      )}
      {proposal !== undefined && (
        <span title={deciderOf(of)} className="block truncate text-xs/[1.125rem] text-amber">
          {proposal}
          <span className="sr-only">; {deciderOf(of)}</span>
        </span>
      )}
    </>
  );
}

/** The columns by the width of the table: name and SOL on a phone, then the team, then all. */
const COLUMNS_CLASS = cx(
  '[--columns:minmax(0,1fr)_6.75rem]',
  '@min-[30rem]:[--columns:minmax(0,1fr)_6.75rem_5.5rem_4.25rem_1.75rem]',
  '@min-[42rem]:[--columns:minmax(0,1fr)_6.5rem_5.25rem_3.75rem_4rem_4.25rem_3.25rem_1.75rem]',
  '@min-[62rem]:[--columns:minmax(0,2.3fr)_8.25rem_5.5rem_4rem_4.5rem_minmax(0,2.3fr)_4.5rem_1.75rem]',
);
/** Narrow tables have tighter rows. */
const GAP_CLASS = 'max-xl:gap-x-3';
const MIDDLE_CLASS = 'hidden @min-[30rem]:block';
const WIDE_CLASS = 'hidden @min-[42rem]:block';

/** The table's header. `top` is the height in pixels of what covers the page above it. */
function CaseColumns({ top }: { top: number }) {
  return (
    <TableHead
      style={{ top }}
      className={cx(
        GAP_CLASS,
        'before:absolute before:-inset-x-2.5 before:inset-y-0 before:-z-10 before:bg-paper',
      )}
    >
      <ColumnHeader>Case</ColumnHeader>
      <ColumnHeader>SOL</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>Status</ColumnHeader>
      <ColumnHeader align="end" className={WIDE_CLASS}>
        Days open
      </ColumnHeader>
      <ColumnHeader className={WIDE_CLASS}>Type</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>Assigned</ColumnHeader>
      <ColumnHeader className={WIDE_CLASS}>Files</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>
        <span className="sr-only">Assistant</span>
      </ColumnHeader>
    </TableHead>
  );
}
