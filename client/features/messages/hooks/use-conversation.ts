import { useEffect } from 'react';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { history, markRead } from '../api.ts';
import { conversationClosed, conversationOpened, type Pair } from '../slice.ts';

/**
 * The open conversation: fetched on opening and on return to the tab, and marked as read when a message
 * arrives. `pair` must stay the same object.
 */
export function useConversation(pair: Pair) {
  const dispatch = useAppDispatch();
  const { data, cursor, status, failure, refresh, grow } = useResource(history, pair);
  useEffect(() => {
    dispatch(conversationOpened(pair.to));
    const handleVisible = () => {
      if (!document.hidden) refresh();
    };
    document.addEventListener('visibilitychange', handleVisible);
    return () => {
      document.removeEventListener('visibilitychange', handleVisible);
      dispatch(conversationClosed(pair));
    };
  }, [dispatch, pair, refresh]);

  const seen = useAppSelector((state) => state.messages.seen);
  useEffect(() => {
    if (seen !== null) markRead(pair).catch(() => undefined);
  }, [seen, pair]);
  const earlier = status === 'idle' ? (failure ? 'failed' : 'idle') : 'loading';
  return {
    messages: data,
    hasFailed: data === null && failure !== null,
    hasEarlier: cursor !== null,
    earlier,
    refresh,
    grow,
  } as const;
}

/** The loaded part of a conversation; without `messages` while loading. */
export type History = ReturnType<typeof useConversation>;
