import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { mutation } from '../../core/mutation.ts';

/** Takes the invitation in a mail, or what it changes. */
export const takeInvitation = mutation(
  eventInvitationRoutes.takeInvitation,
  'Couldn’t take the invitation',
  { toasts: 'errors' },
);
