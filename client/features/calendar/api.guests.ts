import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { mutation } from '../../core/mutation.ts';

/** Sends an event, its change or its cancellation to guests. */
export const inviteGuests = mutation(
  eventInvitationRoutes.inviteGuests,
  'Couldn’t reach the guests',
  { toasts: 'errors' },
);
