import { useState } from 'react';
import { useAppDispatch } from '../../../core/store.ts';
import { caseLibrary, deleteFile, nameOf, restoreFile } from '../api.ts';

export type Deletion = {
  /** The file that went last. */
  gone: { url: string; name: string } | null;
  isBusy: boolean;
  take: (at: { folder: string; url: string }) => Promise<void>;
  undo: () => Promise<void>;
  forget: () => void;
};

/** Takes files away, and brings the last one back. */
export function useDeletion(caseId: string): Deletion {
  const dispatch = useAppDispatch();
  const [gone, setGone] = useState<Deletion['gone']>(null);
  const [isBusy, setIsBusy] = useState(false);
  const take = async ({ folder, url }: { folder: string; url: string }) => {
    // The call has said itself what went wrong.
    const isDone = await succeeds(dispatch(deleteFile({ caseId, folder, url })));
    if (isDone) setGone({ url, name: nameOf(url) });
  };
  const undo = async () => {
    if (!gone || isBusy) return;
    setIsBusy(true);
    const isDone = await succeeds(restoreFile(gone.url));
    setIsBusy(false);
    if (!isDone) return;
    setGone(null);
    await dispatch(caseLibrary.refresh(caseId));
  };
  return { gone, isBusy, take, undo, forget: () => setGone(null) };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
