import { useCallback, useEffect, useState } from 'react';
import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { call, type CallInput } from '../api.ts';

/** Calls a route without a toast, since the page shows the failure. */
export function readQuietly<R extends Route>(
  route: R,
  input?: CallInput<R>,
): Promise<RouteReply<R>> {
  return call(route, { ...input, toasts: 'none' });
}

/**
 * Reads data that a single page shows, when the page opens.
 * @param read stays the same function between renders
 */
export function useRead<T>(read: () => Promise<T>) {
  const [data, setData] = useState<T>();
  const [isFailed, setIsFailed] = useState(false);
  const load = useCallback(() => {
    let isOver = false;
    read().then(
      (found) => {
        if (isOver) return;
        setData(found);
        setIsFailed(false);
      },
      () => !isOver && setIsFailed(true),
    );
    return () => {
      isOver = true;
    };
  }, [read]);
  useEffect(load, [load]);
  return { data, isFailed, refresh: () => void load() };
}
