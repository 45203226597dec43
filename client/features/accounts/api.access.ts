import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export const changePassword = mutation(passwordRoutes.change, 'Couldn’t change the password');

/** Silent, since the cover shows failures. */
export const unlock = mutation(passwordRoutes.unlock, 'Couldn’t unlock', { toasts: 'none' });

/** Opens another session for a covered page whose own has ended. Silent, like `unlock`. */
export const loginAgain = mutation(accountRoutes.login, 'Couldn’t unlock', { toasts: 'none' });

export const forgotPassword = mutation(passwordRoutes.forgot, 'Couldn’t ask for a link', {
  toasts: 'errors',
});

export const resetPassword = mutation(passwordRoutes.reset, 'Couldn’t set the password');

export const createResetLink = mutation(passwordRoutes.createLink, 'Couldn’t make a link', {
  toasts: 'none',
});

export async function listSessions() {
  return (await readQuietly(deviceRoutes.list)).sessions;
}

export const endSession = mutation(deviceRoutes.end, 'Couldn’t end the session');

export const endOtherSessions = mutation(deviceRoutes.endOthers, 'Couldn’t end the sessions');

export async function listInvitations() {
  return (await readQuietly(invitationRoutes.list)).invitations;
}

export const invite = mutation(invitationRoutes.invite, 'Couldn’t invite');

export const withdrawInvitation = mutation(
  invitationRoutes.withdraw,
  'Couldn’t withdraw the invitation',
);
