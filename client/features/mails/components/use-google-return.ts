import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { finishConnecting } from '../api.ts';
import { connectionChanged } from '../slice.ts';

const REFUSED =
  'Google isn’t connected because you didn’t grant access. Connect Google again and allow it.';
const FAILED = 'Google couldn’t connect the mailbox. Connect Google again.';
const INCOMPLETE = 'Google’s reply was incomplete. Please connect Google again.';
const KEPT = 'google-return';

/**
 * Handles the return from Google, with `code` and `state`, or `error`, in the URL. A code is used only
 * once, even if the page is rendered twice, reloaded, or returned to.
 */
export function useGoogleReturn(isConnected: boolean): void {
  const dispatch = useAppDispatch();
  const [params, setParams] = useSearchParams();
  useEffect(() => {
    const [code, state, error] = ['code', 'state', 'error'].map((name) => params.get(name));
    if (code == null && error == null) return;
    const mark = code ?? `${error} ${state}`;
    setParams({}, { replace: true });
    if (keptInTab(KEPT) === mark) return;
    keepInTab(KEPT, mark);
    if (isConnected) return;
    if (error != null)
      dispatch(connectionChanged({ notice: error === 'access_denied' ? REFUSED : FAILED }));
    else if (code && state) void finishConnecting({ code, state });
    else dispatch(connectionChanged({ notice: INCOMPLETE }));
  }, [params, setParams, dispatch, isConnected]);
}
