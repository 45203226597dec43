import { useCallback, useEffect, useRef } from 'react';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { growHistory, loadHistory, markRead, type Pair } from '../api.ts';
import { conversationClosed, conversationOpened } from '../slice.ts';

/**
 * Keeps the open conversation in the store: asks for it when it is opened, when the connection is new and
 * when somebody comes back to it, and tells the server what has been seen since. `pair` stays the same object.
 */
export function useConversation(pair: Pair) {
  const dispatch = useAppDispatch();
  const epoch = useAppSelector((state) => state.socket.epoch);
  const history = useAppSelector((state) => state.messages.histories[pair.to]);
  const load = useCallback(() => void dispatch(loadHistory(pair)), [dispatch, pair]);
  const grow = useCallback(() => void dispatch(growHistory(pair)), [dispatch, pair]);
  useEffect(() => {
    load();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection asks afresh
  }, [load, epoch]);
  useEffect(() => {
    dispatch(conversationOpened(pair.to));
    const look = () => {
      if (!document.hidden) load();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      dispatch(conversationClosed(pair.to));
    };
  }, [dispatch, pair, load]);

  const isReady = history?.status === 'ready';
  const newest = history?.messages.findLast(({ status }) => status === 'received')?.id;
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!isReady) return;
    // What came with the history itself the server counts as read.
    const isHeard = seen.current !== null && seen.current !== newest;
    seen.current = newest ?? '';
    if (isHeard && !document.hidden) markRead(pair).catch(() => undefined);
  }, [isReady, newest, pair]);
  return { history, load, grow };
}
