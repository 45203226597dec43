import { useCallback } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { mailList } from '../api.ts';
import type { ListQuery } from '../slice.ts';

/** Rows that are read before they come into view. */
const AHEAD = 12;
/** Milliseconds in which the mails of a burst become one fetch. */
const BURST = { gather: 300 };

const INBOX: ListQuery = { section: 'inbox', search: '' };
const SENT: ListQuery = { section: 'sent', search: '' };
const DRAFTS: ListQuery = { section: 'drafts', search: '' };

/** The list that is shown; the three sections are read as well, since their counts are in view. */
export function useMailList(query: ListQuery) {
  useResource(mailList, INBOX, BURST);
  useResource(mailList, SENT, BURST);
  useResource(mailList, DRAFTS, BURST);
  const shown = useResource(mailList, query, BURST);
  const { data, cursor, status, failure, refresh, grow } = shown;
  const rows = data?.mails.length ?? 0;
  const canGrow = status === 'idle' && cursor !== null && failure === null;
  const reach = useCallback(
    (index: number) => {
      if (canGrow && index + AHEAD >= rows) grow();
    },
    [grow, canGrow, rows],
  );
  const list = {
    query,
    data,
    hasMore: cursor !== null,
    isBusy: status !== 'idle',
    failure: failure?.message ?? null,
  };
  return { list, refresh, reach };
}

/** A list as it is shown; without `data` it is being read, or could not be. */
export type ShownList = ReturnType<typeof useMailList>['list'];
