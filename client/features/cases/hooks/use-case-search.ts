import { useEffect, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { caseSearch } from '../api.ts';
import type { CasesFound } from '../slice.ts';

const NONE: CasesFound = { cases: [], total: 0 };

/**
 * The cases that match the text best, or the newest without a text, searched after a pause in typing; earlier results stay until the
 * next answer. A null text searches nothing.
 */
export function useCaseSearch(
  text: string | null,
  { limit, pause }: { limit: number; pause: number },
) {
  const [settled, setSettled] = useState(text);
  const wanted = text === '' || text === null ? text : settled;
  const query = wanted === null ? null : { search: wanted, limit };
  const { data, failure, refresh } = useResource(caseSearch, query);
  const [found, setFound] = useState<{ search: string; matches: CasesFound }>();
  useEffect(() => {
    const timer = setTimeout(setSettled, pause, text);
    return () => clearTimeout(timer);
  }, [text, pause]);
  if (data && wanted !== null && (found?.matches !== data || found.search !== wanted))
    setFound({ search: wanted, matches: data });
  const { cases, total, totalIsCapped } = found?.matches ?? NONE;
  return {
    cases,
    total,
    totalIsCapped,
    /** The text that the cases match. */
    search: found?.search,
    isSearching: text !== found?.search && !(failure && text === wanted),
    failure: text === wanted ? failure : null,
    refresh,
  };
}
