import { useCallback, useEffect, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { readCase } from '../api.ts';
import { caseRead, caseWatched } from '../slice.ts';

type Trouble = { id: string; status: 'failed' | 'unknown'; failure: string };

/** The case whose page is open: what the store holds at once, and the server's word as soon as it is there. */
export function useCase(id: string) {
  const dispatch = useAppDispatch();
  const one = useAppSelector((state) => state.cases.entities[id]);
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    dispatch(caseWatched(id));
    return () => void dispatch(caseWatched(null));
  }, [dispatch, id]);

  useEffect(() => {
    const waiting = new AbortController();
    readCase(id, waiting.signal).then(
      (reply) => {
        setTrouble(null);
        dispatch(caseRead(reply.case));
      },
      (error: unknown) => {
        if (!(error instanceof CallError)) return;
        const status = error.status === 404 ? 'unknown' : 'failed';
        setTrouble({ id, status, failure: error.message });
      },
    );
    return () => waiting.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection and attempt asks afresh
  }, [dispatch, id, epoch, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { one, trouble: trouble?.id === id ? trouble : null, retry };
}
