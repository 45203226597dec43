import Archive from 'lucide-react/icons/archive';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Download from 'lucide-react/icons/download';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ListChecks from 'lucide-react/icons/list-checks';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Lock from 'lucide-react/icons/lock';
import Plus from 'lucide-react/icons/plus';
import SearchX from 'lucide-react/icons/search-x';
import Upload from 'lucide-react/icons/upload';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type Case,
  caseRoutes,
  type CaseSort,
  caseSorts,
  caseTypes,
  statuses,
  type StatusType,
  statusTypes,
} from '@matterdesk/contract/cases.ts';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { lazyComponent, lazyNamed } from '../../core/chunks.ts';
import { useDownload } from '../../core/download.ts';
import { useFilterFold } from '../../core/filter-fold.tsx';
import { fullName } from '../../core/full-name.ts';
import { useInfiniteScroll } from '../../core/growing-list.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { paths } from '../../core/paths.ts';
import { usePeople } from '../../core/people.ts';
import { SelectableRows, SelectionBar, useSelection } from '../../core/selection.tsx';
import { useAppDispatch, useAppSelector, useMay } from '../../core/store.ts';
import { MAX_SEARCH_LENGTH } from '../../core/use-address.ts';
import { useNewInAddress } from '../../core/use-new-in-address.ts';
import { useResource } from '../../core/use-resource.ts';
import { useScreen } from '../../core/use-screen.ts';
import { formatCount } from '../../core/words.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { localDay } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import type { Tab } from '../../ui/Tabs.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { overviewFailureOf, overviewOf, overviewOfDay } from '../dashboard/slice.ts';
import { SavedViews } from '../views/components/SavedViews.tsx';
import { caseList, exportCases } from './api.ts';
import { CaseTable } from './components/CaseTable.tsx';
import {
  type MattersAddress,
  MINE,
  NO_FILTERS,
  useMattersAddress,
  VIEW_MEMBERS,
} from './hooks/use-matters-address.ts';
import { isNarrowed, type ListQuery } from './rules.lists.ts';
import { mattersInWords } from './rules.ts';
import type { CaseList } from './slice.ts';

const loadNewCase = () =>
  Promise.all([
    import('./components/NewCaseDialog.tsx'),
    import('../contacts/components/NameHints.tsx'),
    import('../conflicts/components/NameCheckLine.tsx'),
  ]);
const NewCaseDialog = lazyComponent(async () => {
  const [{ NewCaseDialog: Dialog }, { NameHints }, { NameCheckLine }] = await loadNewCase();
  const parts = { contactHints: NameHints, nameCheck: NameCheckLine };
  return (props: Omit<ComponentProps<typeof Dialog>, 'parts'>) => (
    <Dialog {...props} parts={parts} />
  );
});
const ImportDialog = lazyNamed(() => import('./components/ImportDialog.tsx'), 'ImportDialog');

const BulkCases = lazyNamed(() => import('./components/BulkCases.tsx'), 'BulkCases');
const WalledMatters = lazyNamed(
  () => import('../access/components/WalledMatters.tsx'),
  'WalledMatters',
);

/** The list of matters: two tabs, a search, and new cases. */
export function MattersPage() {
  const { query, address, change } = useMattersAddress();
  const list = useResource(caseList, query);
  const { data } = list;
  const overview = useAppSelector((state) => overviewOf(state.overview));
  const { tabs, elsewhere, total } = useMatterCounts(query, data, overview?.counts);
  const [text, setText] = useSearchText(query.search, (search) => change({ search }));
  const canOpen = useMay('createCases');
  const [dialog, setDialog] = useMattersDialog(canOpen);
  const select = useSelection();
  const fold = useFilterFold(isNarrowed({ ...query, search: '' }));
  const reach = useInfiniteScroll(list, data?.ids.length ?? 0);
  const counts = overview?.counts;
  const canExplain = useKnowsCounts() || isNarrowed(query);
  const isEmpty = data?.ids.length === 0;
  const close = () => setDialog(null);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  usePreloadNewCase(canOpen);
  const handleImported = () => {
    dispatch(overviewOfDay.invalidated());
    close();
  };
  const handleOpened = (opened: Case) => {
    handleImported();
    toast.plain(caseRoutes.openCase.message);
    void navigate(paths.caseDetails(opened.id));
  };
  const newCase = canOpen && (
    <Button variant="primary" icon={Plus} onClick={() => setDialog('new')}>
      New Case
    </Button>
  );
  return (
    <>
      <ListPage
        title="Active Projects"
        tab="Matters"
        actions={
          <>
            <SavedViews page="matters" members={VIEW_MEMBERS} />
            {canOpen && (
              <MatterTools
                query={query}
                onImport={() => setDialog('import')}
                onWalls={() => setDialog('walls')}
                onSelect={select.start}
                newCase={newCase}
              />
            )}
          </>
        }
        summary={counts ? mattersInWords(counts.activeCases, overview.limitationsTotal) : '\u00A0'}
        list={list}
        what="the matters"
        tabs={{
          label: 'Case lists',
          tabs,
          value: query.statusType,
          onChange: (value) => change({ tab: tabOf(value) }),
          aside: (
            <div className="flex gap-2">
              <SearchInput
                value={text}
                onChange={setText}
                maxLength={MAX_SEARCH_LENGTH}
                className="grow sm:w-72"
              />
              {fold.button}
            </div>
          ),
        }}
        filters={!fold.isHidden && <MatterFilters address={address} onChange={change} />}
        empty={
          isEmpty &&
          canExplain && (
            <NoMatters
              query={query}
              elsewhere={elsewhere}
              isFirst={counts?.activeCases === 0 && counts.archivedCases === 0}
              firstStep={
                canOpen && <Button onClick={() => setDialog('new')}>Add the first matter</Button>
              }
              onClear={() => (query.search === '' ? change(NO_FILTERS) : setText(''))}
              onOtherTab={() =>
                change({ tab: tabOf(query.statusType === 'Active' ? 'Archive' : 'Active') })
              }
            />
          )
        }
      >
        <SelectableRows selection={select.selection}>
          <CaseTable
            query={query}
            list={isEmpty ? null : data}
            hasMore={list.cursor !== null}
            total={total}
            reach={reach}
          />
        </SelectableRows>
      </ListPage>
      <SelectedMatters {...select} isArchive={query.statusType === 'Archive'} />
      {dialog === 'new' && <NewCaseDialog onClose={close} onOpened={handleOpened} />}
      {dialog === 'import' && <ImportDialog onClose={close} onImported={handleImported} />}
      {dialog === 'walls' && <WalledMatters onClose={close} />}
    </>
  );
}

/** The acts on the selected matters. */
function SelectedMatters(props: ReturnType<typeof useSelection> & { isArchive: boolean }) {
  const { selection, stop, isArchive } = props;
  return (
    <SelectionBar selection={selection} onStop={stop}>
      {selection && <BulkCases ids={selection.ids} isArchive={isArchive} onDone={stop} />}
    </SelectionBar>
  );
}

function tabOf(statusType: string): string {
  return statusType === 'Archive' ? 'archive' : '';
}

/** The dialog opens at once, but it is loaded only for users who may open it. */
function usePreloadNewCase(canOpen: boolean) {
  useEffect(() => {
    if (canOpen) void loadNewCase().catch(() => undefined);
  }, [canOpen]);
}

/** Why the whole list is empty is known only with the counts. */
function useKnowsCounts(): boolean {
  return useAppSelector(
    ({ overview }) => overviewOf(overview) !== undefined || overviewFailureOf(overview) !== null,
  );
}

type OpenDialog = 'new' | 'import' | 'walls' | null;

/** The dialog over the list of matters; the address opens that of a new case. */
function useMattersDialog(canOpen: boolean) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  useNewInAddress(() => setDialog('new'), canOpen);
  return [dialog, setDialog] as const;
}

/** The tabs with their counts, of all cases or of the narrowed list. */
function useMatterCounts(
  query: ListQuery,
  list: CaseList | null,
  counts: Overview['counts'] | undefined,
) {
  const isAll = !isNarrowed(query);
  const otherTab = query.statusType === 'Active' ? 'Archive' : 'Active';
  // A narrowed list without matches here may have some in the other tab.
  const { data: elsewhere } = useResource(
    caseList,
    !isAll && list ? { ...query, statusType: otherTab } : null,
  );

  const totals: Record<StatusType, number | undefined> = {
    Active: counts?.activeCases,
    Archive: counts?.archivedCases,
  };
  const countOf = (statusType: StatusType) => {
    const total = totals[statusType];
    if (isAll) return total === undefined ? undefined : formatCount(total);
    const hits = statusType === otherTab ? elsewhere : list;
    return hits ? formatCount(hits.total, hits.totalIsCapped) : undefined;
  };
  const tabs: Tab[] = statusTypes.map((value) => ({ value, label: value, count: countOf(value) }));
  // A list counts rows up to a cap, the overview counts all.
  const counted = list && !list.totalIsCapped ? list.total : undefined;
  const total = counted ?? (isAll ? totals[query.statusType] : undefined);
  return { tabs, elsewhere, total };
}

interface MatterToolsProps {
  query: ListQuery;
  onImport: () => void;
  /** Shows the restricted matters, for users who manage walls. */
  onWalls: () => void;
  /** Lets the user select several cases. */
  onSelect: () => void;
  newCase: ReactNode;
}

/** The actions beside the title, for users who may create cases. */
function MatterTools({ query, onImport, onWalls, onSelect, newCase }: MatterToolsProps) {
  const managesWalls = useMay('manageWalls');
  const { isBusy, save } = useDownload();
  const isPhone = useScreen() === 'phone';
  const tools = [
    ...(managesWalls ? [{ label: 'Restricted matters', icon: Lock, onSelect: onWalls }] : []),
    { label: 'Select several', icon: ListChecks, onSelect },
    { label: 'Import cases', icon: Upload, onSelect: onImport },
    {
      label: isBusy ? 'Exporting…' : 'Export list',
      icon: isBusy ? LoaderCircle : Download,
      onSelect: () => !isBusy && void save('List exported', () => downloadList(query)),
    },
  ];
  return (
    <>
      {isPhone ? (
        <MenuButton label="More actions" icon={Ellipsis} entries={tools} />
      ) : (
        tools.map(({ label, icon, onSelect: act }) => (
          <Tooltip key={label} text={label} side="bottom">
            <IconButton
              label={label === 'Exporting…' ? 'Export list' : label}
              icon={icon}
              onClick={act}
              {...(icon === LoaderCircle && {
                'aria-busy': true,
                'aria-disabled': true,
                className: '[&>svg]:animate-turn',
              })}
            />
          </Tooltip>
        ))
      )}
      {newCase}
    </>
  );
}

async function downloadList(query: ListQuery) {
  const { blob, name } = await exportCases(query);
  // The server's day may be another one.
  return { blob, name: name.replace(/\d{4}-\d\d-\d\d/, localDay(new Date())) };
}

interface NoMattersProps {
  query: ListQuery;
  /** Matches of the same search in the other tab, if known. */
  elsewhere: CaseList | null;
  /** Whether the firm has no matter at all. */
  isFirst: boolean;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onClear: () => void;
  onOtherTab: () => void;
}

/** Explains an empty list, and what to do next. */
function NoMatters(props: NoMattersProps) {
  const { query, isFirst, firstStep } = props;
  if (isNarrowed(query)) return <NoMatch {...props} />;
  if (isFirst)
    return (
      <EmptyState icon={Briefcase} title="No matters yet" action={firstStep}>
        {firstStep
          ? 'Add the first matter, or import a CSV file.'
          : 'Matters appear here once someone with permission creates the first one.'}
      </EmptyState>
    );
  return query.statusType === 'Active' ? (
    <EmptyState icon={Briefcase} title="No active matters">
      All matters are archived.
    </EmptyState>
  ) : (
    <EmptyState icon={Archive} title="The archive is empty">
      Matters appear here when their status type is set to Archive.
    </EmptyState>
  );
}

function NoMatch({ query, elsewhere, onClear, onOtherTab }: NoMattersProps) {
  const others = elsewhere?.total ?? 0;
  const otherTab = query.statusType === 'Active' ? 'Archive' : 'Active';
  const there = `${formatCount(others, elsewhere?.totalIsCapped)} in ${otherTab}`;
  return (
    <EmptyState
      icon={SearchX}
      title="No match"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <ClearSearch {...(query.search === '' && { label: 'Clear filters' })} onClear={onClear} />
          {others > 0 && <Button onClick={onOtherTab}>{`Show ${there}`}</Button>}
        </span>
      }
    >
      <span className="wrap-anywhere">
        {query.search === ''
          ? 'No matters match these filters.'
          : `No matters match “${query.search}”.`}
      </span>
    </EmptyState>
  );
}

const SORTS: Record<CaseSort, string> = {
  newest: 'Newest first',
  '-newest': 'Oldest first',
  sol: 'SOL, soonest first',
  '-sol': 'SOL, latest first',
  caseName: 'Name, A to Z',
  '-caseName': 'Name, Z to A',
  daysOpen: 'Days open, fewest first',
  '-daysOpen': 'Days open, most first',
};
const sorts = caseSorts
  .filter((value) => value !== 'newest')
  .map((value) => ({ value, label: SORTS[value] }));

interface MatterFiltersProps {
  /** As in the address, where one's own cases are `me`. */
  address: MattersAddress['address'];
  onChange: MattersAddress['change'];
}

/** The order of the list, and what it is narrowed to. */
function MatterFilters({ address, onChange }: MatterFiltersProps) {
  const { people } = usePeople();
  const team = people
    .filter(({ active }) => active)
    .map((person) => ({ value: person.id, label: fullName(person) }));
  return (
    <div className="flex gap-2 overflow-x-auto -mx-1 p-1 pt-2 pb-1.5">
      <Select
        aria-label="Sort"
        placeholder={SORTS.newest}
        className="w-44 flex-none"
        options={sorts}
        value={address.sort}
        onChange={({ target }) => onChange({ sort: target.value })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        className="w-32 flex-none"
        options={statuses}
        value={address.status}
        onChange={({ target }) => onChange({ status: target.value })}
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        className="w-28 flex-none"
        options={caseTypes}
        value={address.type}
        onChange={({ target }) => onChange({ type: target.value })}
      />
      <Select
        aria-label="Assigned to"
        placeholder="Anyone"
        className="w-40 flex-none"
        options={[{ value: MINE, label: 'Mine' }, ...team]}
        value={address.assigned}
        onChange={({ target }) => onChange({ assigned: target.value })}
      />
      <Select
        aria-label="Filed"
        placeholder="Filed or not"
        className="w-44 flex-none"
        options={[{ value: '1', label: 'Missing information' }]}
        value={address.incomplete}
        onChange={({ target }) => onChange({ incomplete: target.value })}
      />
    </div>
  );
}
