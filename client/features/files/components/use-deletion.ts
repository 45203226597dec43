import { useState } from 'react';
import { useAppDispatch } from '../../../core/store.ts';
import { caseLibrary, deleteFile, nameOf, restoreFile } from '../api.ts';

export type Deletion = {
  /** The last deleted file. */
  deleted: { url: string; name: string } | null;
  isBusy: boolean;
  take: (at: { folder: string; url: string }) => Promise<void>;
  undo: () => Promise<void>;
  forget: () => void;
};

/** Deletes files, and restores the last one. */
export function useDeletion(caseId: string): Deletion {
  const dispatch = useAppDispatch();
  const [deleted, setDeleted] = useState<Deletion['deleted']>(null);
  const [isBusy, setIsBusy] = useState(false);
  const take = async ({ folder, url }: { folder: string; url: string }) => {
    // The call shows its own error.
    const isDone = await succeeds(dispatch(deleteFile({ caseId, folder, url })));
    if (isDone) setDeleted({ url, name: nameOf(url) });
  };
  const undo = async () => {
    if (!deleted || isBusy) return;
    setIsBusy(true);
    const isDone = await succeeds(restoreFile(deleted.url));
    setIsBusy(false);
    if (!isDone) return;
    setDeleted(null);
    await dispatch(caseLibrary.refresh(caseId));
  };
  return { deleted, isBusy, take, undo, forget: () => setDeleted(null) };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
