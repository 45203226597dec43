import { useCallback, useEffect, useState } from 'react';
import { useAppDispatch } from '../../../app/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { Upload } from '../../../app/upload.ts';
import { loadLibrary, uploadFile } from '../api.ts';

export type Sending = {
  id: number;
  folder: string;
  file: File;
  /** 0 to 1. */
  share: number;
  /** Why it did not come through. */
  failure: string | null;
};

const AT_ONCE = 3;

/** Sends files to the folders of a case, three at a time, each on its own: one that fails holds up none. */
export function useUploads(caseId: string) {
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const queue = useQueue(caseId, setSendings);
  const add = useCallback(
    (folder: string, files: readonly File[]) => {
      const added = files.map((file) => ({
        id: queue.nextId(),
        folder,
        file,
        share: 0,
        failure: null,
      }));
      setSendings((all) => [...all, ...added]);
      queue.push(added);
    },
    [queue],
  );
  const cancel = useCallback(
    (id: number) => {
      queue.drop(id);
      setSendings((all) => all.filter((one) => one.id !== id));
    },
    [queue],
  );
  const retry = useCallback(
    (sending: Sending) => {
      const again = { ...sending, share: 0, failure: null };
      setSendings((all) => all.map((one) => (one.id === sending.id ? again : one)));
      queue.push([again]);
    },
    [queue],
  );
  return { sendings, add, cancel, retry };
}

type Change = (change: (all: readonly Sending[]) => readonly Sending[]) => void;

function useQueue(caseId: string, change: Change) {
  const dispatch = useAppDispatch();
  const finished = useCallback(
    (count: number) => {
      toast.success(count === 1 ? 'File uploaded' : `${count} files uploaded`);
      void dispatch(loadLibrary(caseId));
    },
    [caseId, dispatch],
  );
  const [queue] = useState(() => createQueue(caseId, change));
  useEffect(() => {
    queue.onFinished(finished);
    return () => queue.stop();
  }, [queue, finished]);
  return queue;
}

function createQueue(caseId: string, change: Change) {
  let lastId = 0;
  let waiting: Sending[] = [];
  let sent = 0;
  let finished: (count: number) => void = () => undefined;
  const running = new Map<number, Upload<unknown>>();
  const settle = () => {
    while (running.size < AT_ONCE && waiting.length > 0) {
      const next = waiting.shift();
      if (next) void start(next);
    }
    if (running.size > 0 || sent === 0) return;
    finished(sent);
    sent = 0;
  };
  const start = async ({ id, folder, file }: Sending) => {
    const update = (now: Partial<Sending>) =>
      change((all) => all.map((one) => (one.id === id ? { ...one, ...now } : one)));
    const upload = uploadFile({ caseId, folder }, file, (share) => update({ share }));
    running.set(id, upload);
    try {
      await upload.done;
      sent += 1;
      change((all) => all.filter((one) => one.id !== id));
    } catch (error) {
      update({ failure: error instanceof Error ? error.message : String(error) });
    }
    running.delete(id);
    settle();
  };
  return {
    nextId: () => (lastId += 1),
    push: (more: readonly Sending[]) => {
      waiting.push(...more);
      settle();
    },
    drop: (id: number) => {
      waiting = waiting.filter((one) => one.id !== id);
      running.get(id)?.cancel();
    },
    onFinished: (then: (count: number) => void) => {
      finished = then;
    },
    stop: () => {
      waiting = [];
      for (const upload of running.values()) upload.cancel();
    },
  };
}
