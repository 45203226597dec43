import { CallError } from '../api.ts';
import { markTouch, setCovered, touchMark } from '../core/idle.ts';
import { store } from '../core/store.ts';
import { signOut } from './session.ts';

/**
 * Goes on with a covered page. A session that has ended meanwhile is followed by another of the same user.
 * @param code of the second factor, which only another session needs
 * @throws CallError
 */
export async function unlock({ password, code }: { password: string; code?: string }) {
  const { current } = store.getState().user;
  if (!current) return;
  const api = await loadAccess();
  try {
    await api.unlock(password);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'invalidToken') throw error;
    await api.loginAgain({ email: current.email, password, ...(code && { code }) });
  }
  uncover();
}

/** The same by a passkey. @throws CallError, or the browser's error when the user does not want to */
export async function unlockByPasskey() {
  const passkeys = await import('../features/accounts/api.passkeys.ts');
  const opened = await passkeys.unlockByPasskey();
  // Another user's passkey opens nothing of this one.
  if (opened && opened.id !== store.getState().user.current?.id) return signOut();
  uncover();
}

/** Apart from the shell, since most pages are never covered. @throws CallError */
export function loadAccess() {
  return import('../features/accounts/api.access.ts').catch(() => {
    throw new CallError('Can’t reach Matterdesk. Check your connection.', 0);
  });
}

function uncover() {
  setCovered(false);
  // Last, since it uncovers the other tabs, which take the session from the storage.
  const mark = touchMark();
  if (mark) markTouch({ ...mark, at: Date.now() });
}
