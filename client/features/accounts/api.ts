import type { Credentials, Registration, UserPatch } from '@matterdesk/contract/accounts.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import { call } from '../../api.ts';

export function register(body: Registration) {
  return call(accountRoutes.register, { body, failing: 'Couldn’t create the account' });
}

/** Who may register now. Silent: the page works without, and the server decides. */
export function readTerms(invitation?: string) {
  return call(registrationRoutes.readTerms, { query: { invitation }, toasts: 'none' });
}

/** Silent, since a sign-in that needs a code has not failed. */
export function login(body: Credentials) {
  return call(accountRoutes.login, { body, toasts: 'none', failing: 'Couldn’t sign in' });
}

export function logout() {
  return call(accountRoutes.logout, { toasts: 'none' });
}

export function changeUser(id: string, body: UserPatch) {
  return call(accountRoutes.changeUser, {
    params: { id },
    body,
    failing: 'Couldn’t save the user',
  });
}

export function deactivateUser(id: string) {
  return call(accountRoutes.deactivateUser, {
    params: { id },
    failing: 'Couldn’t deactivate the user',
  });
}
