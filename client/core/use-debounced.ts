import { useEffect, useState } from 'react';
import type { Query, Resource } from './resource.ts';
import { useResource } from './use-resource.ts';

/** A value once it has stayed the same for a pause in milliseconds, such as a text that is being typed. */
export function useDebounced<T extends string | null>(
  value: T,
  pause: number,
  first: T = value,
): T {
  const [debounced, setDebounced] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return debounced;
}

interface DebouncedSearchOptions<Q> {
  queryOf: (text: string) => Q;
  /** Milliseconds without typing before the search starts; an empty text searches at once. */
  pause: number;
}

/** Matches of a text that is being typed; earlier ones stay until the next answer. A null text searches nothing. */
export function useDebouncedSearch<Q extends Query, Answer, Data, Event, State extends object>(
  resource: Resource<Q, Answer, Data, Event, State>,
  text: string | null,
  { queryOf, pause }: DebouncedSearchOptions<NoInfer<Q>>,
) {
  const debounced = useDebounced(text, pause);
  const wanted = text === '' || text === null ? text : debounced;
  const { data, failure, refresh } = useResource(
    resource,
    wanted === null ? null : queryOf(wanted),
  );
  const [found, setFound] = useState<{ search: string; matches: Data }>();
  if (data !== null && wanted !== null && (found?.matches !== data || found.search !== wanted))
    setFound({ search: wanted, matches: data });
  const isFailed = failure !== null && text === wanted;
  return {
    matches: found?.matches,
    /** The text of the matches. */
    search: found?.search,
    isSearching: text !== null && text !== found?.search && !isFailed,
    failure: isFailed ? failure : null,
    refresh,
  };
}
