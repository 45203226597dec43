import { useEffect } from 'react';
import { useAppDispatch } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { board } from '../api.ts';
import { boardChosen } from '../slice.ts';

const RETRY_AFTER_MS = 5000;

/** The board of the chosen case. One that could not be fetched again stays, and is retried until it can. */
export function useBoard(caseId: string | null) {
  const dispatch = useAppDispatch();
  const { data, failure, refresh } = useResource(board, caseId);
  useEffect(() => void dispatch(boardChosen(caseId)), [dispatch, caseId]);
  const isUnknown = failure?.status === 404;
  const isStale = data !== null && failure !== null && !isUnknown;
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setInterval(refresh, RETRY_AFTER_MS);
    return () => clearInterval(timer);
  }, [isStale, refresh]);
  const isFailed = data === null && failure !== null;
  return {
    failure: isUnknown ? ('unknown' as const) : isFailed ? ('failed' as const) : null,
    isLoading: caseId !== null && data === null,
    isStale,
    refresh,
  };
}
