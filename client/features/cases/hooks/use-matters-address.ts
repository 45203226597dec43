import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { caseSorts, caseTypes, type StatusType, statuses } from '@matterdesk/contract/cases.ts';
import { useAppSelector } from '../../../core/store.ts';
import type { ListQuery } from '../rules.lists.ts';

/** The longest text that the server searches. */
export const LONGEST_SEARCH = 200;

/** A user's own cases, in the address. */
export const MINE = 'me';

const FILTERS = ['sort', 'status', 'type', 'assigned'] as const;
export const NO_FILTERS = { status: undefined, type: undefined, assigned: undefined };

/** The shown list, as in the address: `?tab=archive&search=…&sort=sol&status=…&type=…&assigned=me`. */
export function useMattersAddress() {
  const [params, setParams] = useSearchParams();
  const me = useAppSelector((state) => state.user.current?.id);
  const address = useMemo(() => readAddress(params), [params]);
  const { assigned } = address;
  const query = useMemo<ListQuery>(
    () => ({ ...address, assigned: assigned === MINE ? me : assigned }),
    [address, assigned, me],
  );
  const go = useCallback(
    (next: Partial<ListQuery>) => {
      const wanted = { ...address, ...next };
      const written = new URLSearchParams();
      if (wanted.statusType === 'Archive') written.set('tab', 'archive');
      if (wanted.search !== '') written.set('search', wanted.search);
      for (const name of FILTERS) {
        const value = wanted[name];
        if (value !== undefined) written.set(name, value);
      }
      // Going back returns to the list before the search, not to each letter.
      const isStillTyping =
        wanted.search !== address.search && wanted.search !== '' && address.search !== '';
      setParams(written, { replace: isStillTyping });
    },
    [address, setParams],
  );
  return { query, address, go };
}

function readAddress(params: URLSearchParams): ListQuery {
  const statusType: StatusType = params.get('tab') === 'archive' ? 'Archive' : 'Active';
  const known = <Word extends string>(words: readonly Word[], name: string) =>
    words.find((word) => word === params.get(name));
  const sort = known(caseSorts, 'sort');
  return {
    statusType,
    search: (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
    sort: sort === 'newest' ? undefined : sort,
    status: known(statuses, 'status'),
    type: known(caseTypes, 'type'),
    assigned: params.get('assigned') ?? undefined,
  };
}
