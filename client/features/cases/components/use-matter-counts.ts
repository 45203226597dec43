import { statusTypes, type StatusType } from '@matterdesk/contract/cases.ts';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { useResource } from '../../../core/use-resource.ts';
import type { Tab } from '../../../ui/Tabs.tsx';
import { caseList } from '../api.ts';
import { formatCount } from '../rules.ts';
import { isNarrowed, type ListQuery } from '../rules.lists.ts';
import type { CaseList } from '../slice.ts';

/** The tabs with their counts, of all cases or of the narrowed list. */
export function useMatterCounts(
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
