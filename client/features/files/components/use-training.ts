import { POLL_INTERVAL_MS } from '@matterdesk/contract/ai.ts';
import { useCallback, useEffect, useRef } from 'react';
import { CallError } from '../../../api.ts';
import { store, useAppDispatch, useAppSelector } from '../../../app/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { checkTraining, type FileAt, nameOf, train } from '../api.ts';
import { readCheck, readTrainReply } from '../rules.ts';
import { trainingKnown } from '../slice.ts';

/** Checks at once; of more files the socket tells, and their turn comes. */
const MOST_AT_ONCE = 20;
const CHECK_FAILED = 'Error checking model status.';

/** Follows each file in training to its end, also what another person or an earlier visit began. */
export function useTraining(caseId: string): (at: FileAt, url: string) => Promise<void> {
  const dispatch = useAppDispatch();
  const sending = useRef(new Set<string>());
  const { follow, followAll } = useFollowing(caseId, sending.current);
  const isReady = useAppSelector((state) => state.files.status === 'ready');
  const training = useAppSelector((state) => trainingUrls(state.files.library?.training));
  useEffect(() => {
    if (isReady) followAll();
  }, [isReady, training, followAll]);
  return useCallback(
    async (at, url) => {
      sending.current.add(url);
      dispatch(trainingKnown({ url, status: 'training' }));
      const isQueued = await send(at);
      sending.current.delete(url);
      if (isQueued) {
        // Another answer of the library may have come in between.
        dispatch(trainingKnown({ url, status: 'training' }));
        follow(url, at.folder);
      } else dispatch(trainingKnown({ url, status: 'not trained' }));
    },
    [dispatch, follow],
  );
}

async function send(at: FileAt): Promise<boolean> {
  try {
    const { isQueued, message } = readTrainReply(await train(at));
    if (isQueued) toast.success(message);
    else toast.error(message);
    return isQueued;
  } catch (error) {
    toast.error(refusalOf(error));
    return false;
  }
}

function refusalOf(error: unknown): string {
  if (!(error instanceof CallError) || error.status === 0) return 'Error training AI model';
  const isWordless = error.message === 'Something went wrong';
  return isWordless ? 'Unexpected response from server' : error.message;
}

function useFollowing(caseId: string, sending: ReadonlySet<string>) {
  const dispatch = useAppDispatch();
  const running = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const one of all.values()) one.abort();
      all.clear();
    };
  }, [caseId]);
  const follow = useCallback(
    (url: string, folder: string) => {
      if (running.current.has(url)) return;
      const stop = new AbortController();
      running.current.set(url, stop);
      const check = async () => {
        const known = await checkOnce({ caseId, folder, name: nameOf(url) }, stop.signal);
        if (!known) return;
        if (isInTraining(url)) dispatch(trainingKnown({ url, ...known }));
        if (isInTraining(url)) {
          const timer = setTimeout(() => void check(), POLL_INTERVAL_MS);
          stop.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
        } else running.current.delete(url);
      };
      void check();
    },
    [caseId, dispatch],
  );
  const followAll = useCallback(() => {
    const { library } = store.getState().files;
    for (const [folder, urls] of Object.entries(library?.files ?? {}))
      for (const url of urls) {
        if (running.current.size >= MOST_AT_ONCE) return;
        if (isInTraining(url) && !sending.has(url)) follow(url, folder);
      }
  }, [follow, sending]);
  return { follow, followAll };
}

/** Undefined when nobody waits any longer. */
async function checkOnce(at: FileAt, signal: AbortSignal) {
  try {
    const known = readCheck(await checkTraining(at, signal));
    if (known.status === 'error' && !signal.aborted) toast.error(known.error);
    return known;
  } catch {
    if (signal.aborted) return undefined;
    toast.error(CHECK_FAILED);
    return { status: 'error', error: CHECK_FAILED } as const;
  }
}

function isInTraining(url: string): boolean {
  return store.getState().files.library?.training[url] === 'training';
}

/** As one text, so that only a change of which they are draws anew. */
function trainingUrls(training: Record<string, string> | undefined): string {
  return Object.entries(training ?? {})
    .flatMap(([url, status]) => (status === 'training' ? [url] : []))
    .join('\n');
}
