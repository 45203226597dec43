import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import type { Binder } from '../../../http/bind.ts';
import { inviteUser, listInvitations, requireMayInvite, withdrawInvitation } from './service.ts';

export function serveInvitations(binder: Binder) {
  binder.serve(invitationRoutes, {
    list: ({ context }) => listInvitations(context),
    invite: {
      guard: ({ context, json }) => requireMayInvite(context.actor, json),
      handle: ({ context, body }) => inviteUser(context, body),
    },
    withdraw: async ({ context, params }) => {
      await withdrawInvitation(context, params.id);
      return null;
    },
  });
}
