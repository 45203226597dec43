import { useState } from 'react';
import type { CasePatch } from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { changeCase } from '../api.ts';
import { caseReceived } from '../slice.ts';

/** Changes a case; the store is updated before the promise resolves. */
export function useChangeCase(id: string) {
  const dispatch = useAppDispatch();
  const [isBusy, setIsBusy] = useState(false);
  /** @returns the server's refusal, after its toast */
  const change = async (patch: CasePatch): Promise<CallError | undefined> => {
    setIsBusy(true);
    try {
      const changed = await changeCase({ params: { id }, body: patch });
      dispatch(caseReceived(changed.case));
      return undefined;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return error;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, change };
}
