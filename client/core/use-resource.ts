import { useCallback, useEffect } from 'react';
import { keyOf, type Query, type Resource } from './resource.ts';
import { useAppDispatch, useAppSelector } from './store.ts';

/** Milliseconds in which most pages combine changes into one fetch: short for a reader, long for a busy case. */
export const BATCH_MS = 150;

interface UseResourceOptions {
  /** Milliseconds during which several changes are combined into one fetch. */
  batchMs?: number;
  /** Minimum milliseconds between fetches; with one, a hidden page does not fetch. */
  minIntervalMs?: number;
}

/**
 * Shows stored data at once and the server's answer when it arrives. A null query fetches nothing.
 * `data` is null before the first answer; with a `failure` beside it, there is none.
 */
export function useResource<Q extends Query, Answer, Data, Event, State extends object>(
  resource: Resource<Q, Answer, Data, Event, State>,
  query: NoInfer<Q> | null,
  { batchMs = 0, minIntervalMs = 0 }: UseResourceOptions = {},
) {
  const dispatch = useAppDispatch();
  const key = query === null ? null : keyOf(query);
  const entry = useAppSelector((state) => (key === null ? undefined : resource.read(state, key)));
  const isHeld = entry?.data != null;
  // The page stays rendered for a moment after signing out.
  const isSignedIn = useAppSelector(({ user }) => user.token !== null);
  const isWanted =
    isSignedIn && key !== null && (!entry || (entry.stale && entry.status === 'idle'));

  useEffect(
    () => (key === null ? undefined : dispatch(resource.watch(key))),
    [dispatch, resource, key],
  );

  useEffect(() => {
    if (!isWanted) return undefined;
    const load = () => {
      if (minIntervalMs > 0 && document.hidden)
        document.addEventListener('visibilitychange', load, { once: true });
      else void dispatch(resource.load(JSON.parse(key) as Q));
    };
    const due = isHeld
      ? Math.max(batchMs, resource.fetchedAt(key) + minIntervalMs - Date.now())
      : 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (due > 0) timer = setTimeout(load, due);
    else load();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', load);
    };
  }, [dispatch, resource, key, isWanted, isHeld, batchMs, minIntervalMs]);

  const refresh = useCallback(() => {
    if (key !== null) void dispatch(resource.refresh(JSON.parse(key) as Q));
  }, [dispatch, resource, key]);
  const grow = useCallback(() => {
    if (key !== null) void dispatch(resource.grow(JSON.parse(key) as Q));
  }, [dispatch, resource, key]);

  return {
    data: entry?.data ?? null,
    cursor: entry?.cursor ?? null,
    status: entry?.status ?? (isWanted ? 'loading' : 'idle'),
    failure: entry?.failure ?? null,
    refresh,
    grow,
  };
}
