import { statusTypes, type StatusType } from '@matterdesk/contract/cases.ts';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { useResource } from '../../../core/use-resource.ts';
import type { Tab } from '../../../ui/Tabs.tsx';
import { caseList } from '../api.ts';
import { formatCount } from '../rules.ts';
import type { CaseList, ListQuery } from '../slice.ts';

/** The tabs with how many stand in each: of the whole firm, or of what is searched for. */
export function useMatterCounts(
  query: ListQuery,
  list: CaseList | null,
  counts: Overview['counts'] | undefined,
) {
  const { search } = query;
  const otherTab = query.statusType === 'Active' ? 'Archive' : 'Active';
  // A search that finds nothing here may find it there.
  const { data: elsewhere } = useResource(
    caseList,
    search !== '' && list ? { statusType: otherTab, search } : null,
  );

  const totals: Record<StatusType, number | undefined> = {
    Active: counts?.activeCases,
    Archive: counts?.archivedCases,
  };
  const countOf = (statusType: StatusType) => {
    const total = totals[statusType];
    if (search === '') return total === undefined ? undefined : formatCount(total);
    const hits = statusType === otherTab ? elsewhere : list;
    return hits ? formatCount(hits.total, hits.totalIsCapped) : undefined;
  };
  const tabs: Tab[] = statusTypes.map((value) => ({ value, label: value, count: countOf(value) }));
  // A list counts its rows up to a cap, the overview all cases of a tab.
  const counted = list && !list.totalIsCapped ? list.total : undefined;
  const total = counted ?? (search === '' ? totals[query.statusType] : undefined);
  return { tabs, elsewhere, total };
}
