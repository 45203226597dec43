import * as z from 'zod/mini';
import { eventKinds, EventSchema } from './calendar.ts';
import { defineRoute } from './route.ts';
import { choice, email, id, optionalParagraphs } from './text.ts';

const GUESTS_MAX = 100;

export const InviteSchema = z.strictObject({
  /** Addresses of guests of the event. */
  guests: z
    .array(email('Guest email'), 'Guests must be a list of addresses')
    .check(
      z.minLength(1, 'Choose a guest'),
      z.maxLength(GUESTS_MAX, `Guests can have at most ${GUESTS_MAX} entries`),
    ),
  /** Text above the invitation in the mail. */
  text: z._default(optionalParagraphs('Message'), ''),
});
export type Invite = z.output<typeof InviteSchema>;

export const TakeInvitationSchema = z.strictObject({
  /** An event already on the calendar keeps its matter. */
  case: z._default(z.nullable(id('Please select any case')), null),
  kind: z._default(choice('Kind', eventKinds), 'meeting'),
  private: z._default(z.boolean('Private must be true or false'), false),
});
export type TakeInvitation = z.output<typeof TakeInvitationSchema>;

export const eventInvitationRoutes = {
  inviteGuests: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/events/{id}/invitations',
    summary:
      'Sends an event, its change or its cancellation to guests, from the caller’s Google account',
    access: 'signedIn',
    needs: 'google',
    body: InviteSchema,
    reply: EventSchema,
    message: 'Invitations sent',
    idempotent: true,
  }),
  takeInvitation: defineRoute({
    method: 'POST',
    path: '/api/v1/calendar/fromMail/{mailId}',
    summary: 'Takes the invitation in one of the caller’s mails, or what it changes',
    access: 'signedIn',
    needs: 'google',
    body: TakeInvitationSchema,
    reply: EventSchema,
    status: 201,
    message: 'Added to the calendar',
    idempotent: true,
  }),
};
