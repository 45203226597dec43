import type { Failure } from '../../../core/entries.ts';
import { useAppSelector } from '../../../core/store.ts';
import { overviewFailureOf, overviewOf } from '../../dashboard/slice.ts';
import { isNarrowed, type ListQuery } from '../rules.lists.ts';
import type { CaseList } from '../slice.ts';

/** Whether to explain the empty list; why the whole list is empty is known only with the counts. */
export function useIsWithoutRows(
  query: ListQuery,
  list: CaseList | null,
  failure: Failure | null,
): boolean {
  const knowsCounts = useAppSelector(
    ({ overview }) => overviewOf(overview) !== undefined || overviewFailureOf(overview) !== null,
  );
  if (!list) return failure !== null;
  return list.ids.length === 0 && (knowsCounts || isNarrowed(query));
}
