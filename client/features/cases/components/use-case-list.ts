import { useCallback, useEffect, useRef } from 'react';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { growList, loadList } from '../api.ts';
import { listKey, type ListQuery } from '../slice.ts';

/** Rows that are read before somebody comes to them. */
const AHEAD = 60;

/** A list, read when it is wanted and afresh after each connection. `reach` reads on as far as a row. */
export function useCaseList({ statusType, search }: ListQuery) {
  const dispatch = useAppDispatch();
  const key = listKey({ statusType, search });
  const list = useAppSelector((state) => state.cases.lists[key]);
  const epoch = useAppSelector((state) => state.socket.epoch);
  const waiting = useRef<AbortController>(undefined);
  const isWanted = !list || (list.asks === 0 && list.epoch !== epoch);

  useEffect(() => {
    waiting.current = new AbortController();
    return () => waiting.current?.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is waited for is the list of this name
  }, [key]);

  const asking = useCallback(
    // The tabs themselves are wanted everywhere; a search only as long as it stands in the box.
    () => (search === '' ? {} : { signal: waiting.current?.signal }),
    [search],
  );
  const retry = useCallback(
    () => void dispatch(loadList({ statusType, search }, asking())),
    [dispatch, statusType, search, asking],
  );
  useEffect(() => {
    if (isWanted) retry();
  }, [isWanted, retry]);

  const rows = list?.ids.length ?? 0;
  const canGrow = list?.asks === 0 && list.nextCursor !== null && list.failure === null;
  const reach = useCallback(
    (index: number) => {
      if (canGrow && index + AHEAD >= rows)
        void dispatch(growList({ statusType, search }, asking()));
    },
    [dispatch, statusType, search, asking, canGrow, rows],
  );
  return { list, retry, reach };
}
