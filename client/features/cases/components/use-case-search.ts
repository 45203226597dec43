import type { Case } from '@matterdesk/contract/cases.ts';
import { useEffect, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { caseSearch } from '../api.ts';

const NONE: readonly Case[] = [];

/**
 * The newest cases that match the text, searched after a pause in typing; earlier results stay until the
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
  const [found, setFound] = useState<{ search: string; cases: readonly Case[] }>();
  useEffect(() => {
    const timer = setTimeout(setSettled, pause, text);
    return () => clearTimeout(timer);
  }, [text, pause]);
  if (data && wanted !== null && (found?.cases !== data || found.search !== wanted))
    setFound({ search: wanted, cases: data });
  return {
    cases: found?.cases ?? NONE,
    /** The text that the cases match. */
    search: found?.search,
    isSearching: text !== found?.search && !(failure && text === wanted),
    failure: text === wanted ? failure : null,
    refresh,
  };
}
