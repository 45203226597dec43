import { useEffect } from 'react';
import { statusTypes, type StatusType } from '@matterdesk/contract/cases.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import type { Tab } from '../../../ui/Tabs.tsx';
import { loadList } from '../api.ts';
import { formatCount } from '../rules.ts';
import { listKey, type CaseList, type ListQuery } from '../slice.ts';

/** The tabs with how many stand in each: of the whole firm, or of what is searched for. */
export function useMatterCounts(query: ListQuery, list: CaseList | undefined) {
  const dispatch = useAppDispatch();
  const { search } = query;
  const otherTab = query.statusType === 'Active' ? 'Archive' : 'Active';
  const elsewhere = useAppSelector(
    (state) => state.cases.lists[listKey({ statusType: otherTab, search })],
  );
  const counts = useAppSelector((state) => state.overview.overview?.counts);
  const isAnswered = list?.status === 'ready';

  useEffect(() => {
    // A search that finds nothing here may find it there.
    if (search === '' || !isAnswered) return undefined;
    const waiting = new AbortController();
    void dispatch(loadList({ statusType: otherTab, search }, waiting));
    return () => waiting.abort();
  }, [dispatch, search, otherTab, isAnswered]);

  const totals: Record<StatusType, number | undefined> = {
    Active: counts?.activeCases,
    Archive: counts?.archivedCases,
  };
  const countOf = (statusType: StatusType) => {
    const total = totals[statusType];
    if (search === '') return total === undefined ? undefined : formatCount(total);
    const hits = statusType === otherTab ? elsewhere : list;
    return hits?.status === 'ready' ? formatCount(hits.total, hits.totalIsCapped) : undefined;
  };
  const tabs: Tab[] = statusTypes.map((value) => ({ value, label: value, count: countOf(value) }));
  // A list counts its rows up to a cap, the overview all cases of a tab.
  const counted = list?.status === 'ready' && !list.totalIsCapped ? list.total : undefined;
  const total = counted ?? (search === '' ? totals[query.statusType] : undefined);
  return { tabs, elsewhere, total };
}
