import type { Case, NewCase } from '@matterdesk/contract/cases.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import type { CaseSource } from '../../../core/case-source.ts';
import { openCase } from '../api.ts';
import { caseReceived } from '../slice.ts';
import { isBlank } from './use-case-forms.ts';

/** Creates a case once, even when sent again; the store has it before the promise resolves. */
export function useOpenCase(source?: CaseSource) {
  const dispatch = useAppDispatch();
  const withKey = useClickKey();
  /** @throws CallError after its toast */
  return async (body: NewCase): Promise<Case> => {
    const opened = await withKey(body, (key) =>
      source ? source.open(ofSource(body), key) : openCase(body, key),
    );
    dispatch(caseReceived(opened.case));
    return opened.case;
  };
}

/** Counsel may be unknown when a case comes from elsewhere. */
function ofSource(body: NewCase) {
  const { opposingCounselInfo: counsel } = body;
  return { ...body, opposingCounselInfo: isBlank(counsel) ? null : counsel };
}
