import type { SessionEnded } from '@matterdesk/contract/events.ts';
import { connectSession } from '../api.ts';
import {
  isCoverable,
  isCovered,
  isIdle,
  removeTouchMark,
  setCovered,
  TOUCH_KEY,
  touchMark,
} from '../core/idle.ts';
import { paths } from '../core/paths.ts';
import { isSignedIn, store } from '../core/store.ts';
import { clearTab } from '../core/tab-storage.ts';
import * as api from '../features/accounts/api.ts';
import { factorDemanded, tokenReplaced } from '../features/accounts/slice.ts';
import { toast } from '../ui/toast-store.ts';
import { clearStorage, keptSession, SESSION_KEY } from './persistence.ts';
import { everythingCleared } from './root-store.ts';

type Navigate = (path: string) => void;
let navigate: Navigate = () => undefined;

/** Connects the session to the calls and to the other tabs. */
export function startSession(go: Navigate): void {
  navigate = go;
  connectSession({
    token: () => store.getState().user.token ?? undefined,
    socketId: () => store.getState().socket.id ?? undefined,
    tokenRenewed: (token) => store.dispatch(tokenReplaced(token)),
    tokenInvalidated: (token) => loseSession(token),
    factorDemanded: demandFactor,
  });
  if (!isSignedIn()) {
    forgetEverything(null);
    // Covered tabs still need the mark of an idle session.
    if (!isIdle()) removeTouchMark();
  }
  addEventListener('storage', followOtherTabs);
}

/** Follows another tab that logged out, has a newer token of the same user, or was unlocked. */
function followOtherTabs({ key, oldValue, newValue }: StorageEvent) {
  if (key === TOUCH_KEY) return followTouch();
  if (key !== null && key !== SESSION_KEY) return;
  const { token, current } = store.getState().user;
  const kept = keptSession();
  const wasOurs = key === null || keptSession(oldValue)?.token === token;
  // An idle session's wipe leaves the mark.
  const isLogout = !touchMark();
  // This page may have stored the session again before it received the event.
  const isOver = !kept || (newValue === null && isLogout && kept.token === token);
  if (isOver && wasOurs) loseSession(token, isLogout ? 'logout' : undefined);
  else if (kept && kept.id === current?.id && kept.token !== token)
    store.dispatch(tokenReplaced(kept.token));
}

/** The user entered the password in another tab, or another user signed in there. */
function followTouch() {
  const kept = keptSession();
  if (!isCovered() || !kept || !touchMark() || isIdle()) return;
  if (kept.id === store.getState().user.current?.id) setCovered(false);
  else forget();
}

/** Signs out at once, without waiting for the server. */
export async function signOut(): Promise<void> {
  const loggedOut = api.logout();
  forget();
  await loggedOut.catch(() => undefined);
}

/**
 * Ends a session that the server ended, with one toast however many calls report it. A session that ended for want of use
 * only covers the page: what is typed in it stays, and the password opens another session.
 */
export function loseSession(token: string | null, reason?: SessionEnded['reason']): void {
  if (!isSignedIn() || store.getState().user.token !== token) return;
  const isUnused = (reason === undefined || reason === 'expired') && (isCovered() || isIdle());
  if (isUnused && isCoverable()) return setCovered(true);
  toast.error('Logging out - Invalid token');
  forget();
}

/** Leads to the only page that still works, also where the demand was known before something was refused. */
export function demandFactor(): void {
  if (!isSignedIn()) return;
  store.dispatch(factorDemanded());
  if (location.pathname !== paths.enrol) navigate(paths.enrol);
}

function forget() {
  const { token } = store.getState().user;
  // Before the storage: without the mark, other tabs know that the user signed out, and no idle page wiped it.
  removeTouchMark();
  store.dispatch(everythingCleared());
  forgetEverything(token);
  navigate('/');
}

function forgetEverything(token: string | null) {
  clearStorage(token);
  clearTab();
}
