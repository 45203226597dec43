import { useEffect } from 'react';
import { CallError } from '../api.ts';
import * as accounts from '../features/accounts/api.ts';
import { peopleCame, peopleFailed, peopleLoading } from '../features/accounts/slice.ts';
import { caseList } from '../features/cases/api.ts';
import type { ListQuery } from '../features/cases/slice.ts';
import { useResource } from '../core/use-resource.ts';
import { currentUserReplaced } from '../core/current-user.ts';
import { paths } from '../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../core/store.ts';

/** Milliseconds in which questions for the conversations become one. */
const GATHER = 50;

const FIRST_CASES: ListQuery = { statusType: 'Active', search: '' };

/** Loads what every page stands on: who I am now, the people of the firm, the first cases, my conversations. */
export function useEntry(): void {
  useResource(caseList, FIRST_CASES);
  const dispatch = useAppDispatch();
  const epoch = useAppSelector((state) => state.socket.epoch);
  // People who wait for approval are listed for whoever manages users only.
  const managesUsers = useAppSelector((state) => state.user.current?.permissions.manageUsers);

  useEffect(() => {
    const { signal, abort } = abortable();
    dispatch(peopleLoading());
    accounts.listPeople(signal).then(
      (people) => dispatch(peopleCame(people)),
      (error: unknown) => error instanceof CallError && dispatch(peopleFailed()),
    );
    return abort;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what they change is the answer
  }, [dispatch, epoch, managesUsers]);

  useEffect(() => {
    const { signal, abort } = abortable();
    accounts.readCurrentUser(signal).then(
      (me) => dispatch(currentUserReplaced(me)),
      () => undefined, // The call has said so.
    );
    return abort;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection asks afresh
  }, [dispatch, epoch]);

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

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
