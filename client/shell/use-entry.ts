import { useEffect } from 'react';
import { caseList } from '../features/cases/api.ts';
import type { ListQuery } from '../features/cases/slice.ts';
import { useResource } from '../core/use-resource.ts';
import { currentUser } from '../core/current-user.ts';
import { people } from '../core/people.ts';
import { paths } from '../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../core/store.ts';

/** Milliseconds in which questions for the conversations become one. */
const GATHER = 50;

const FIRST_CASES: ListQuery = { statusType: 'Active', search: '' };

/** Loads what every page stands on: who I am now, the people of the firm, the first cases, my conversations. */
export function useEntry(): void {
  useResource(people, 'all');
  useResource(currentUser, 'me');
  useResource(caseList, FIRST_CASES);
  const dispatch = useAppDispatch();
  const epoch = useAppSelector((state) => state.socket.epoch);
  const number = useAppSelector((state) => state.user.current?.twilioConfig.twilioPhoneNumber);
  const doubts = useAppSelector((state) => state.messages.doubts);
  useEffect(() => {
    if (!number) return undefined;
    const load = async () => {
      // Whoever has no number need not load it.
      const { loadConversations } = await import('../features/messages/api.ts');
      await dispatch(loadConversations());
    };
    // Several strangers may write in the same moment.
    const timer = setTimeout(() => void load().catch(() => undefined), GATHER);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection and each doubt asks afresh
  }, [dispatch, number, epoch, doubts]);

  const hasMailbox = useAppSelector((state) => state.user.current?.googleRefreshToken != null);
  const news = useAppSelector((state) => state.mails.news);
  useEffect(() => {
    // There the list says it itself.
    if (!hasMailbox || location.pathname === paths.emails) return;
    const count = async () => {
      // Whoever has no mailbox need not load it.
      const { countUnread } = await import('../features/mails/api.ts');
      await dispatch(countUnread());
    };
    void count().catch(() => undefined);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection and each news asks afresh
  }, [dispatch, hasMailbox, epoch, news]);
}
