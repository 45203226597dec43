import { useState } from 'react';
import { fileToCase } from '../api.ts';

/** Files a mail to a case; `file` says whether it is there. */
export function useFiling(mailId: string) {
  const [isBusy, setIsBusy] = useState(false);
  const file = async (caseId: string): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    try {
      await fileToCase(mailId, caseId);
      return true;
    } catch {
      // The call has said what went wrong.
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, file };
}
