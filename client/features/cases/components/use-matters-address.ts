import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { StatusType } from '@matterdesk/contract/cases.ts';
import type { ListQuery } from '../slice.ts';

/** The longest text that the server searches. */
export const LONGEST_SEARCH = 200;

/** The shown list, as in the address: `?tab=archive&search=…`. */
export function useMattersAddress() {
  const [params, setParams] = useSearchParams();
  const statusType: StatusType = params.get('tab') === 'archive' ? 'Archive' : 'Active';
  const search = (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH);
  const query = useMemo<ListQuery>(() => ({ statusType, search }), [statusType, search]);
  const go = useCallback(
    (next: Partial<ListQuery>) => {
      const wanted = { statusType, search, ...next };
      const address = new URLSearchParams();
      if (wanted.statusType === 'Archive') address.set('tab', 'archive');
      if (wanted.search !== '') address.set('search', wanted.search);
      // Going back returns to the list before the search, not to each letter.
      const isStillTyping = wanted.search !== search && wanted.search !== '' && search !== '';
      setParams(address, { replace: isStillTyping });
    },
    [statusType, search, setParams],
  );
  return { query, go };
}
