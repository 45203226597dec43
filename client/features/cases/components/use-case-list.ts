import { useCallback } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { caseList } from '../api.ts';
import type { ListQuery } from '../rules.lists.ts';

/** Rows loaded ahead of those in view. */
const AHEAD = 60;

/** A list of cases; `reach` loads it up to a row. */
export function useCaseList(query: ListQuery) {
  const { data: list, cursor, status, failure, refresh, grow } = useResource(caseList, query);
  const rows = list?.ids.length ?? 0;
  const canGrow = status === 'idle' && cursor !== null && failure === null;
  const reach = useCallback(
    (index: number) => {
      if (canGrow && index + AHEAD >= rows) grow();
    },
    [grow, canGrow, rows],
  );
  return { list, hasMore: cursor !== null, isBusy: status !== 'idle', failure, refresh, reach };
}
