import { eventInvitationRoutes } from '@matterdesk/contract/calendar-invitations.ts';
import type { Binder } from '../../../http/bind.ts';
import type { InvitationService } from './service.ts';

export function bindEventInvitations(binder: Binder, invitations: InvitationService) {
  binder.bind(eventInvitationRoutes.inviteGuests, async ({ actor, params, body, once }) => ({
    event: await invitations.invite(actor, params.id, body, once),
  }));
}
