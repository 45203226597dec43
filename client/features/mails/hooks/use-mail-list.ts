import { useInfiniteScroll } from '../../../core/use-reach.ts';
import { useResource } from '../../../core/use-resource.ts';
import { mailList } from '../api.ts';
import type { ListQuery } from '../slice.ts';

/** Rows loaded before they come into view. */
const AHEAD = 12;
/** Milliseconds in which a burst of mails becomes a single fetch. */
const BURST = { gather: 300 };

const INBOX: ListQuery = { section: 'inbox', search: '' };
const SENT: ListQuery = { section: 'sent', search: '' };
const DRAFTS: ListQuery = { section: 'drafts', search: '' };

/** The shown list; the three sections are loaded as well, since their counts are in view. */
export function useMailList(query: ListQuery) {
  useResource(mailList, INBOX, BURST);
  useResource(mailList, SENT, BURST);
  useResource(mailList, DRAFTS, BURST);
  const shown = useResource(mailList, query, BURST);
  const { data, cursor, status, failure, refresh } = shown;
  const reach = useInfiniteScroll(shown, data?.mails.length ?? 0, AHEAD);
  const list = {
    query,
    data,
    hasMore: cursor !== null,
    isBusy: status !== 'idle',
    failure: failure?.message ?? null,
  };
  return { list, refresh, reach };
}

/** The shown list; without `data` while loading or after a failure. */
export type ShownList = ReturnType<typeof useMailList>['list'];
