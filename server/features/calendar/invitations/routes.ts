import { eventInvitationRoutes } from '@matterdesk/contract/calendar-invitations.ts';
import type { Binder } from '../../../http/bind.ts';
import type { InvitationService } from './service.ts';
import type { TakingService } from './service.taking.ts';

export function bindEventInvitations(
  binder: Binder,
  { inviting, taking }: { inviting: InvitationService; taking: TakingService },
) {
  binder.bind(eventInvitationRoutes.inviteGuests, ({ actor, params, body, once }) =>
    inviting.invite(actor, { ...body, ...params }, once),
  );
  binder.bind(eventInvitationRoutes.takeInvitation, ({ actor, params, body, once }) =>
    taking.take(actor, { ...body, ...params }, once),
  );
}
