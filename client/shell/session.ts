import { connectSession } from '../api.ts';
import * as api from '../features/accounts/api.ts';
import { factorDemanded, tokenReplaced } from '../features/accounts/slice.ts';
import { paths } from '../core/paths.ts';
import { toast } from '../ui/toast-store.ts';
import { clearStorage, keptSession, SESSION_KEY } from './persistence.ts';
import { isSignedIn, store } from '../core/store.ts';
import { everythingCleared } from './root-store.ts';
import { forgetTab } from '../core/tab-storage.ts';

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
  if (!isSignedIn()) forgetEverything(null);
  addEventListener('storage', followOtherTabs);
}

/** Follows another tab that logged out, or has a newer token of the same user. */
function followOtherTabs({ key, oldValue }: StorageEvent) {
  if (key !== null && key !== SESSION_KEY) return;
  const { token, current } = store.getState().user;
  const kept = keptSession();
  const wasOurs = key === null || keptSession(oldValue)?.token === token;
  if (!kept && wasOurs) loseSession(token);
  else if (kept && kept.id === current?.id && kept.token !== token)
    store.dispatch(tokenReplaced(kept.token));
}

/** Signs out at once, without waiting for the server. */
export async function signOut(): Promise<void> {
  const loggedOut = api.logout();
  forget();
  await loggedOut.catch(() => undefined);
}

/** Ends a session that the server ended, with one toast however many calls report it. */
export function loseSession(token: string | null): void {
  if (!isSignedIn() || store.getState().user.token !== token) return;
  toast.error('Logging out - Invalid token');
  forget();
}

/** Leads to the only page that still works. */
export function demandFactor(): void {
  if (!isSignedIn() || store.getState().user.current?.mustEnrol === true) return;
  store.dispatch(factorDemanded());
  navigate(paths.enrol);
}

function forget() {
  const { token } = store.getState().user;
  store.dispatch(everythingCleared());
  forgetEverything(token);
  navigate('/');
}

function forgetEverything(token: string | null) {
  clearStorage(token);
  forgetTab();
}
