import { useCallback, useEffect, useMemo, useState } from 'react';
import { POLL_INTERVAL_MS } from '@matterdesk/contract/ai.ts';
import { CallError } from '../../../api.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { actedOnCase } from '../../../core/filed.ts';
import { type Dispatch, store, useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { toast } from '../../../ui/toast-store.ts';
import { caseLibrary, checkTraining, train as sendOne, trainAll as sendAll } from '../api.ts';
import type { FileAt } from '../rules.preview.ts';
import { readCheck, readTrainReply, untrainedUrls } from '../rules.ts';
import { libraryOf, trainingKnown, trainingsKnown } from '../slice.ts';

/** Maximum simultaneous checks; other files are updated by the socket until their turn. */
const MAX_CHECKS_AT_ONCE = 20;
const CHECK_FAILED = 'Error checking model status.';

/** Trains a file, or all untrained ones of a folder or, without one, of the case. */
export type TrainingActions = {
  train: (at: FileAt, url: string) => Promise<void>;
  trainAll: (folder?: string) => Promise<void>;
};

/** Polls each file in training until it ends, including training started by others or earlier. */
export function useTraining(caseId: string): TrainingActions {
  const dispatch = useAppDispatch();
  const [pollers] = useState(() => createPollers(caseId, dispatch));
  const statuses = useAppSelector(({ files }) => libraryOf(files, caseId)?.training);
  const training = useMemo(() => trainingUrls(statuses), [statuses]);
  useEffect(() => pollers.follow(training), [pollers, training]);
  useEffect(() => () => pollers.stop(), [pollers]);
  const train = useCallback(
    async (at: FileAt, url: string) => {
      pollers.hold(url);
      dispatch(trainingKnown({ caseId, training: { url, status: 'training' } }));
      const isQueued = await send(at);
      pollers.release(url);
      // The library may have been fetched again since.
      const status = isQueued ? 'training' : 'not trained';
      dispatch(trainingKnown({ caseId, training: { url, status } }));
      if (!isQueued) return;
      dispatch(actedOnCase(caseId));
      pollers.follow(url);
    },
    [dispatch, caseId, pollers],
  );
  const trainAll = useCallback(
    async (folder?: string) => {
      const urls = untrainedUrls(libraryOf(store.getState().files, caseId), folder);
      const know = (some: readonly string[], status: 'training' | 'not trained') =>
        dispatch(trainingsKnown({ caseId, all: some.map((url) => ({ url, status })) }));
      for (const url of urls) pollers.hold(url);
      know(urls, 'training');
      const body = { caseId, ...(folder !== undefined && { folder }) };
      const isQueued = await succeeds(sendAll({ body }));
      for (const url of urls) pollers.release(url);
      dispatch(actedOnCase(caseId));
      const waiting = urls.filter((url) => isInTraining(caseId, url));
      if (isQueued) pollers.follow(waiting.join('\n'));
      // Some batches may be queued nevertheless.
      else {
        know(waiting, 'not trained');
        await dispatch(caseLibrary.refresh(caseId));
      }
    },
    [dispatch, caseId, pollers],
  );
  return useMemo(() => ({ train, trainAll }), [train, trainAll]);
}

async function send(at: FileAt): Promise<boolean> {
  try {
    const { isQueued, message } = readTrainReply(await sendOne(at));
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
  const isExplained = error.code !== undefined && error.code !== 'unexpected';
  return isExplained ? error.message : 'Unexpected response from server';
}

function createPollers(caseId: string, dispatch: Dispatch) {
  const running = new Map<string, AbortController>();
  const held = new Set<string>();
  const followFile = (url: string, folder: string) => {
    const stop = new AbortController();
    running.set(url, stop);
    const check = async () => {
      const known = await checkOnce({ caseId, folder, name: nameOfUrl(url) }, stop.signal);
      if (!known) return;
      if (isInTraining(caseId, url))
        dispatch(trainingKnown({ caseId, training: { url, ...known } }));
      if (isInTraining(caseId, url)) {
        const timer = setTimeout(() => void check(), POLL_INTERVAL_MS);
        stop.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      } else running.delete(url);
    };
    void check();
  };
  return {
    /** Accepts URLs separated by line breaks. */
    follow: (urls: string) => {
      for (const url of urls.split('\n')) {
        if (url === '' || running.size >= MAX_CHECKS_AT_ONCE) return;
        const folder = folderOf(caseId, url);
        if (folder !== undefined && !running.has(url) && !held.has(url)) followFile(url, folder);
      }
    },
    /** Postpones polling until the training request is answered. */
    hold: (url: string) => held.add(url),
    release: (url: string) => held.delete(url),
    stop: () => {
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
  };
}

function folderOf(caseId: string, url: string): string | undefined {
  const folders = Object.entries(libraryOf(store.getState().files, caseId)?.files ?? {});
  return folders.find(([, urls]) => urls.includes(url))?.[0];
}

/** Undefined once aborted. */
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

function isInTraining(caseId: string, url: string): boolean {
  return libraryOf(store.getState().files, caseId)?.training[url] === 'training';
}

/** As one string, so that only a change of the set causes a render. */
function trainingUrls(training: Record<string, string> | undefined): string {
  return Object.entries(training ?? {})
    .flatMap(([url, status]) => (status === 'training' ? [url] : []))
    .join('\n');
}
