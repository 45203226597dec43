import { useCallback, useEffect, useRef } from 'react';
import { mailSections } from '@matterdesk/contract/mail-sections.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { growList, loadList, loadMailbox } from '../api.ts';
import { listKey, type ListQuery, type MailList } from '../slice.ts';

/** Rows that are read before somebody comes to them. */
const AHEAD = 12;

/** The list that is shown, and the three sections' beginnings: read when wanted, and when something is new. */
export function useMailList({ section, search }: ListQuery) {
  const dispatch = useAppDispatch();
  const key = listKey({ section, search });
  const list = useAppSelector(({ mails }) => mails.lists[key]);
  const inbox = useAppSelector(
    ({ mails }) => mails.lists[listKey({ section: 'inbox', search: '' })],
  );
  const epoch = useAppSelector(({ socket }) => socket.epoch);
  const waiting = useRef<AbortController>(undefined);
  // After each connection everything may be new; what is told later is told of one section.
  const areAllWanted = !inbox || (inbox.asks === 0 && isOfBefore(inbox, epoch));
  const staleElsewhere = useAppSelector(({ mails }) =>
    mailSections.find((one) => {
      const other = mails.lists[listKey({ section: one, search: '' })];
      return other !== list && other?.epoch === -1 && other.asks === 0;
    }),
  );
  const isWanted = isStale(list, epoch) && !(areAllWanted && search === '');

  useEffect(() => {
    waiting.current = new AbortController();
    return () => waiting.current?.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is waited for is the list of this name
  }, [key]);
  const asking = useCallback(
    // Only a search is no longer wanted once it is left.
    () => (search === '' ? undefined : waiting.current?.signal),
    [search],
  );
  const refresh = useCallback(
    () => void dispatch(loadList({ section, search }, asking())),
    [dispatch, section, search, asking],
  );
  useEffect(() => {
    if (areAllWanted) void dispatch(loadMailbox());
  }, [areAllWanted, dispatch]);
  useEffect(() => {
    if (isWanted) refresh();
  }, [isWanted, refresh]);
  useEffect(() => {
    // The counts of the other sections are in sight.
    if (staleElsewhere && !areAllWanted)
      void dispatch(loadList({ section: staleElsewhere, search: '' }));
  }, [staleElsewhere, areAllWanted, dispatch]);

  const rows = list?.ids.length ?? 0;
  const canGrow = list?.status === 'ready' && list.asks === 0 && list.failure === null;
  const reach = useCallback(
    (index: number) => {
      if (canGrow && index + AHEAD >= rows) void dispatch(growList({ section, search }, asking()));
    },
    [dispatch, section, search, asking, canGrow, rows],
  );
  return { list, refresh, reach };
}

/** Of an earlier connection, or of an earlier visit. */
function isOfBefore({ epoch, status }: MailList, now: number): boolean {
  return epoch === -1 ? status === 'kept' : epoch !== now;
}

function isStale(list: MailList | undefined, epoch: number): boolean {
  return !list || (list.asks === 0 && list.epoch !== epoch);
}
