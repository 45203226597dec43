import { eventInvitationRoutes } from '@matterdesk/contract/calendar-invitations.ts';
import type { Binder } from '../../../http/bind.ts';
import type { EventService } from '../service.ts';
import type { InvitationService } from './service.ts';
import type { TakingService } from './service.taking.ts';

type Services = {
  inviting: InvitationService;
  taking: TakingService;
  events: { events: EventService };
};

export function bindEventInvitations(
  binder: Binder,
  { inviting, taking, events: { events } }: Services,
) {
  binder.bind(
    eventInvitationRoutes.inviteGuests,
    ({ actor, params, body, once }) => inviting.invite(actor, { ...body, ...params }, once),
    ({ actor, params }) => events.requireMayEdit(actor, params.id),
  );
  binder.bind(eventInvitationRoutes.takeInvitation, ({ actor, params, body, once }) =>
    taking.take(actor, { ...body, ...params }, once),
  );
}
