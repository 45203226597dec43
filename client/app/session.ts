import { connectSession } from '../api.ts';
import * as api from '../features/accounts/api.ts';
import { signedIn, tokenReplaced } from '../features/accounts/slice.ts';
import type { Credentials } from '@matterdesk/contract/accounts.ts';
import { toast } from '../ui/toast-store.ts';
import { clearStorage, writeMissingKeys } from './persistence.ts';
import { everythingCleared, isSignedIn, store } from './store.ts';

type Navigate = (path: string) => void;
let navigate: Navigate = () => undefined;

/** Lends the session to the calls, and learns how to leave a page. */
export function startSession(go: Navigate): void {
  navigate = go;
  connectSession({
    token: () => store.getState().user.token ?? undefined,
    socketId: () => store.getState().socket.id ?? undefined,
    tokenCame: (token) => store.dispatch(tokenReplaced(token)),
    tokenDied: (token) => loseSession(token),
  });
}

/** @throws CallError, after its toast */
export async function signIn(credentials: Credentials): Promise<void> {
  store.dispatch(signedIn(await api.login(credentials)));
  writeMissingKeys(store.getState());
}

/** Leaves at once; the server is told on the way out. */
export async function signOut(): Promise<void> {
  const told = api.logout();
  forget();
  await told.catch(() => undefined);
}

/** The server ended the session: one toast, however many calls or sockets report it. */
export function loseSession(token: string | null): void {
  if (!isSignedIn() || store.getState().user.token !== token) return;
  toast.error('Logging out - Invalid token');
  forget();
}

function forget() {
  const { token } = store.getState().user;
  store.dispatch(everythingCleared());
  clearStorage(token);
  navigate('/');
}
