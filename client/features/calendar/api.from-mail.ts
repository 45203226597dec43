import {
  eventInvitationRoutes,
  type TakeInvitation,
} from '@matterdesk/contract/calendar-invitations.ts';
import { call } from '../../api.ts';

/** Takes the invitation in a mail, or what it changes. @throws CallError, after its toast */
export async function takeInvitation(
  mailId: string,
  body: Partial<TakeInvitation>,
  idempotencyKey: string,
) {
  const input = { params: { mailId }, body, idempotencyKey };
  const failing = 'Couldn’t take the invitation';
  return call(eventInvitationRoutes.takeInvitation, { ...input, failing, toasts: 'errors' });
}
