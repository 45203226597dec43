import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import type { Binder } from '../../../http/bind.ts';
import { requireMayEditEvent } from '../service.ts';
import { takeEventInvitation } from './service.taking.ts';
import { inviteGuests } from './service.ts';

export function serveEventInvitations(binder: Binder) {
  binder.serve(eventInvitationRoutes, {
    inviteGuests: {
      guard: ({ context, params }) => requireMayEditEvent(context, params.id),
      handle: ({ context, params, body, once }) =>
        inviteGuests(context, { ...body, ...params }, once),
    },
    takeInvitation: ({ context, params, body, once }) =>
      takeEventInvitation(context, { ...body, ...params }, once),
  });
}
