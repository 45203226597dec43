import { accountRoutes, type Credentials } from '@matterdesk/contract/accounts.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { invitationRoutes, type NewInvitation } from '@matterdesk/contract/invitations.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { call } from '../../api.ts';

export function changePassword(body: { currentPassword: string; newPassword: string }) {
  return call(passwordRoutes.change, { body, failing: 'Couldn’t change the password' });
}

/** Silent, as is the next one: the cover shows what fails. */
export function unlock(password: string) {
  return call(passwordRoutes.unlock, {
    body: { password },
    toasts: 'none',
    failing: 'Couldn’t unlock',
  });
}

/** Another session, for a covered page whose own has ended. */
export function loginAgain(body: Credentials) {
  return call(accountRoutes.login, { body, toasts: 'none', failing: 'Couldn’t unlock' });
}

export function forgotPassword(email: string) {
  return call(passwordRoutes.forgot, {
    body: { email },
    toasts: 'errors',
    failing: 'Couldn’t ask for a link',
  });
}

export function resetPassword(body: { token: string; password: string }) {
  return call(passwordRoutes.reset, { body, failing: 'Couldn’t set the password' });
}

export function createResetLink(id: string) {
  return call(passwordRoutes.createLink, {
    params: { id },
    toasts: 'none',
    failing: 'Couldn’t make a link',
  });
}

export async function listSessions() {
  return (await call(deviceRoutes.list, { toasts: 'none' })).sessions;
}

export function endSession(id: string) {
  return call(deviceRoutes.end, { params: { id }, failing: 'Couldn’t end the session' });
}

export function endOtherSessions() {
  return call(deviceRoutes.endOthers, { failing: 'Couldn’t end the sessions' });
}

export async function listInvitations() {
  return (await call(invitationRoutes.list, { toasts: 'none' })).invitations;
}

export function invite(body: NewInvitation) {
  return call(invitationRoutes.invite, { body, failing: 'Couldn’t invite' });
}

export function withdrawInvitation(id: string) {
  return call(invitationRoutes.withdraw, {
    params: { id },
    failing: 'Couldn’t withdraw the invitation',
  });
}
