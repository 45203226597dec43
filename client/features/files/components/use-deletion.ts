import { useEffect, useRef, useState } from 'react';
import { actedOnCase } from '../../../core/filed.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { focusElement, focusRow } from '../../../ui/focus-row.ts';
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
  const restored = useRef<string>(undefined);
  useEffect(() => {
    const url = restored.current;
    if (deleted || url === undefined) return;
    // The pressed button was removed with its bar.
    restored.current = undefined;
    void focusRow(url, 'files-title');
  }, [deleted]);
  const take = async ({ folder, url }: { folder: string; url: string }) => {
    // The call shows its own error.
    const isDone = await succeeds(dispatch(deleteFile({ caseId, folder, url })));
    if (isDone) setDeleted({ url, name: nameOf(url) });
  };
  const undo = async () => {
    if (!deleted || isBusy) return;
    setIsBusy(true);
    const url = await restoreFile(deleted.url).then(
      (restored) => restored.url,
      () => undefined,
    );
    setIsBusy(false);
    if (url === undefined) return;
    dispatch(actedOnCase(caseId));
    await dispatch(caseLibrary.refresh(caseId));
    restored.current = url;
    setDeleted(null);
  };
  const forget = () => {
    setDeleted(null);
    focusElement('files-title');
  };
  return { deleted, isBusy, take, undo, forget };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
