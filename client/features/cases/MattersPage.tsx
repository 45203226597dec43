import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { Button } from '../../ui/Button.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { NameHints } from '../contacts/components/NameHints.tsx';
import { NameCheckLine } from '../conflicts/components/NameCheckLine.tsx';
import { days, overviewFailureOf, overviewOf } from '../dashboard/slice.ts';
import { CaseTable } from './components/CaseTable.tsx';
import { MatterFilters } from './components/MatterFilters.tsx';
import { MattersState } from './components/MattersState.tsx';
import { MatterTools } from './components/MatterTools.tsx';
import { useCaseList } from './components/use-case-list.ts';
import { useMatterCounts } from './components/use-matter-counts.ts';
import { LONGEST_SEARCH, NO_FILTERS, useMattersAddress } from './components/use-matters-address.ts';
import { useMattersDialog } from './components/use-matters-dialog.ts';
import { useOpenedToast } from './components/use-opened-toast.ts';
import { isNarrowed } from './rules.lists.ts';
import { mattersInWords } from './rules.ts';

const loadNewCase = () => import('./components/NewCaseDialog.tsx');
const NewCaseDialog = lazy(async () => ({ default: (await loadNewCase()).NewCaseDialog }));
const ImportDialog = lazy(async () => ({
  default: (await import('./components/ImportDialog.tsx')).ImportDialog,
}));

const WalledMatters = lazy(async () => ({
  default: (await import('../access/components/WalledMatters.tsx')).WalledMatters,
}));

const NAME_PARTS = { contactHints: NameHints, nameCheck: NameCheckLine };

/** The list of matters: two tabs, a search, and new cases. */
export function MattersPage() {
  const { query, address, go } = useMattersAddress();
  const { list, hasMore, isBusy, failure, refresh, reach } = useCaseList(query);
  const overview = useAppSelector((state) => overviewOf(state.overview));
  const { tabs, elsewhere, total } = useMatterCounts(query, list, overview?.counts);
  const [text, setText] = useSearchText(query.search, (search) => go({ search }));
  const canOpen = useAppSelector((state) => state.user.current?.permissions.createCases === true);
  const [dialog, setDialog] = useMattersDialog(canOpen);
  const newCaseButton = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const counts = overview?.counts;
  const isFirst = counts?.activeCases === 0 && counts.archivedCases === 0;
  const canExplain = useKnowsCounts() || isNarrowed(query);
  const isWithoutRows = list ? list.ids.length === 0 && canExplain : failure !== null;
  const close = () => setDialog(null);
  const dispatch = useAppDispatch();
  const announce = useOpenedToast();
  usePreloading(canOpen);
  const handleOpened = (opened: Case) => {
    // Not batched like the case itself, so that the new row appears before the dialog closes.
    dispatch(days.invalidated());
    close();
    announce(opened);
    // Shows the new row, which is at the top of its tab.
    if (opened.statusType !== query.statusType || isNarrowed(query) || query.sort !== undefined)
      go({ ...NO_FILTERS, statusType: opened.statusType, search: '', sort: undefined });
    document.getElementById('main')?.scrollTo({ top: 0 });
    // The empty list's button that opened the dialog may have been removed.
    newCaseButton.current?.focus();
  };
  const handleImported = () => {
    dispatch(days.invalidated());
    close();
  };
  const newCase = canOpen && (
    <Button ref={newCaseButton} variant="primary" icon={Plus} onClick={() => setDialog('new')}>
      New Case
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Active Projects"
        tab="Matters"
        actions={
          canOpen && (
            <MatterTools
              query={query}
              onImport={() => setDialog('import')}
              onWalls={() => setDialog('walls')}
              newCase={newCase}
            />
          )
        }
      >
        {counts ? mattersInWords(counts.activeCases, overview.limitationsTotal) : '\u00A0'}
      </PageHeader>
      <div
        data-bar
        className="z-20 bg-paper px-4 pt-4 sm:px-9 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0"
      >
        <Tabs
          label="Case lists"
          tabs={tabs}
          value={query.statusType}
          onChange={(value) => go({ statusType: value === 'Archive' ? 'Archive' : 'Active' })}
          panelId={panelId}
          aside={
            <SearchInput
              value={text}
              onChange={setText}
              maxLength={LONGEST_SEARCH}
              className="sm:w-72"
            />
          }
        />
        <MatterFilters address={address} onChange={go} />
        {list && failure && (
          <StaleNotice onRetry={refresh} className="my-2 rounded-card">
            {`This list may be out of date: ${failure.message}`}
          </StaleNotice>
        )}
      </div>
      <TabPanel id={panelId} value={query.statusType} className="px-4 pb-9 sm:px-9">
        {isWithoutRows ? (
          <MattersState
            query={query}
            failure={list ? null : failure}
            isBusy={isBusy}
            elsewhere={elsewhere}
            isFirst={isFirst}
            firstStep={
              canOpen && <Button onClick={() => setDialog('new')}>Add the first matter</Button>
            }
            onRetry={refresh}
            onClear={() => (query.search === '' ? go(NO_FILTERS) : setText(''))}
            onOtherTab={() =>
              go({ statusType: query.statusType === 'Active' ? 'Archive' : 'Active' })
            }
          />
        ) : (
          <CaseTable
            query={query}
            list={list?.ids.length === 0 ? null : list}
            hasMore={hasMore}
            total={total}
            reach={reach}
          />
        )}
      </TabPanel>
      <Suspense>
        {dialog === 'new' && (
          <NewCaseDialog parts={NAME_PARTS} onClose={close} onOpened={handleOpened} />
        )}
        {dialog === 'import' && <ImportDialog onClose={close} onImported={handleImported} />}
        {dialog === 'walls' && <WalledMatters onClose={close} />}
      </Suspense>
    </>
  );
}

/** The dialog opens at once, but it is loaded only for users who may open it. */
function usePreloading(canOpen: boolean) {
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
