import { eventInvitationRoutes } from '@matterdesk/contract/calendar-invitations.ts';
import { call } from '../../api.ts';

/** Sends an event, its change or its cancellation to guests. @throws CallError, after its toast */
export function inviteGuests(
  id: string,
  body: { guests: string[]; text: string },
  idempotencyKey: string,
) {
  const input = { params: { id }, body, idempotencyKey, failing: 'Couldn’t reach the guests' };
  return call(eventInvitationRoutes.inviteGuests, { ...input, toasts: 'errors' });
}
