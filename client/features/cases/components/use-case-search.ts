import type { Case } from '@matterdesk/contract/cases.ts';
import { useEffect, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { caseSearch } from '../api.ts';

const NONE: readonly Case[] = [];

/**
 * The newest cases that hold the text, asked for after a pause; what was found stays until the next answer
 * is there. Null asks for nothing.
 */
export function useCaseSearch(
  text: string | null,
  { limit, pause }: { limit: number; pause: number },
) {
  const [settled, setSettled] = useState(text);
  const wanted = text === '' || text === null ? text : settled;
  const query = wanted === null ? null : { search: wanted, limit };
  const { data, failure, refresh } = useResource(caseSearch, query);
  const [found, setFound] = useState<{ search: string; cases: readonly Case[] }>();
  useEffect(() => {
    const timer = setTimeout(setSettled, pause, text);
    return () => clearTimeout(timer);
  }, [text, pause]);
  if (data && wanted !== null && (found?.cases !== data || found.search !== wanted))
    setFound({ search: wanted, cases: data });
  return {
    cases: found?.cases ?? NONE,
    /** What the cases were searched for. */
    search: found?.search,
    isSearching: text !== found?.search && !(failure && text === wanted),
    failure: text === wanted ? failure : null,
    refresh,
  };
}
