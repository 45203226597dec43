import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

const tabs = ['open', 'closed', 'spam'] as const;

/** The shown intakes, as in the address: `?tab=closed&owner=…&search=…&view=list&intake=…`. */
export function useIntakesAddress() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: Record<string, string | null>) =>
      setParams(
        (before) => {
          const kept = [...before].filter(([name]) => !(name in changes));
          const set = Object.entries(changes).filter(
            (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
          );
          return [...kept, ...set];
        },
        { replace: true },
      ),
    [setParams],
  );
  return {
    tab: tabs.find((tab) => tab === params.get('tab')) ?? 'open',
    owner: params.get('owner') ?? '',
    search: (params.get('search') ?? '').trim().slice(0, 200),
    isList: params.get('view') === 'list',
    isStats: params.get('view') === 'statistics',
    isForms: params.get('view') === 'forms',
    openId: params.get('intake'),
    change,
  };
}
