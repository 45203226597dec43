import type { Case, NewCase } from '@matterdesk/contract/cases.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { openCase } from '../api.ts';
import { caseReceived } from '../slice.ts';

/** Creates a case once, even when sent again; the store has it before the promise resolves. */
export function useOpenCase() {
  const dispatch = useAppDispatch();
  const withKey = useClickKey();
  /** @throws CallError after its toast */
  return async (body: NewCase): Promise<Case> => {
    const opened = await withKey(body, (key) => openCase(body, key));
    dispatch(caseReceived(opened.case));
    return opened.case;
  };
}
