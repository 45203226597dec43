import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Filters } from '../slice.ts';

/** The shown list, as in the address: `?kind=person&role=witness&search=…`. */
export function useContactsAddress() {
  const [params, setParams] = useSearchParams();
  const kind = params.get('kind') ?? '';
  const role = params.get('role') ?? '';
  const search = (params.get('search') ?? '').trim().slice(0, 200);
  const filters = useMemo<Filters>(() => ({ kind, role, search }), [kind, role, search]);
  const go = useCallback(
    (next: Partial<Filters>) => {
      const wanted = Object.entries({ ...filters, ...next }).filter(([, value]) => value !== '');
      // Going back returns to the list before the search, not to each letter.
      const isStillTyping = Boolean(next.search) && filters.search !== '';
      setParams(wanted, { replace: isStillTyping });
    },
    [filters, setParams],
  );
  return { filters, go };
}
