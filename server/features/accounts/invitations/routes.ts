import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import type { Binder } from '../../../http/bind.ts';
import type { InvitationService } from './service.ts';

export function bindInvitations(binder: Binder, service: InvitationService) {
  binder.bind(invitationRoutes.list, ({ actor }) => service.list(actor));
  binder.bind(
    invitationRoutes.invite,
    ({ actor, body }) => service.invite(actor, body),
    ({ actor, json }) => service.requireMayInvite(actor, json),
  );
  binder.bind(invitationRoutes.withdraw, async ({ actor, params }) => {
    await service.withdraw(actor, params.id);
    return null;
  });
}
