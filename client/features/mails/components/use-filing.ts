import { useState } from 'react';
import { filedToCase } from '../../../core/filed.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { fileToCase } from '../api.ts';

/** Files a mail to a case; `file` returns whether it succeeded. */
export function useFiling(mailId: string) {
  const dispatch = useAppDispatch();
  const [isBusy, setIsBusy] = useState(false);
  const file = async (caseId: string): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    try {
      await fileToCase(mailId, caseId);
      dispatch(filedToCase(caseId));
      return true;
    } catch {
      // The call shows its own error.
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, file };
}
