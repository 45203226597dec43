import { useCallback, useEffect, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { readBoard } from '../api.ts';
import { boardAsked, boardCame, boardFailed, boardLeft } from '../slice.ts';

const AGAIN_AFTER_MS = 5000;

/**
 * Keeps the board of a case in the store: asks for it when the case is chosen, when the connection is
 * new, and when what was heard leaves a doubt. `retry` asks again.
 */
export function useBoard(caseId: string | null) {
  const dispatch = useAppDispatch();
  const doubts = useAppSelector((state) => state.tasks.doubts);
  const epoch = useAppSelector((state) => state.socket.epoch);
  const isStale = useAppSelector((state) => state.tasks.isStale);
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((number) => number + 1), []);
  useEffect(() => {
    if (caseId === null) {
      dispatch(boardLeft());
      return undefined;
    }
    const controller = new AbortController();
    dispatch(boardAsked(caseId));
    readBoard(caseId, controller.signal).then(
      ({ tasks: board }) => dispatch(boardCame({ caseId, board })),
      (error: unknown) => {
        if (!(error instanceof CallError)) return;
        dispatch(boardFailed({ caseId, status: error.status === 404 ? 'unknown' : 'failed' }));
      },
    );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the last three are reasons to ask again
  }, [dispatch, caseId, epoch, doubts, attempt]);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setInterval(retry, AGAIN_AFTER_MS);
    return () => clearInterval(timer);
  }, [isStale, retry]);
  return { retry };
}
