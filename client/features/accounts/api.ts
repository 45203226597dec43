import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export const register = mutation(accountRoutes.register, 'Couldn’t create the account');

/** Terms of registration. The page works without, and the server decides. */
export function readTerms(invitation?: string) {
  return readQuietly(registrationRoutes.readTerms, { query: { invitation } });
}

/** Silent, since a sign-in that needs a code has not failed. */
export const login = mutation(accountRoutes.login, 'Couldn’t sign in', { toasts: 'none' });

export const logout = mutation(accountRoutes.logout, 'Couldn’t sign out', { toasts: 'none' });

export const changeUser = mutation(accountRoutes.changeUser, 'Couldn’t save the user');

export const deactivateUser = mutation(
  accountRoutes.deactivateUser,
  'Couldn’t deactivate the user',
);
