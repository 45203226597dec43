import * as z from 'zod/mini';

const text = z.string();

/** An invitation in a mail, and what taking it would do. */
export const MailInvitationSchema = z.object({
  title: text,
  /** Instants, or the first and the last day. */
  start: text,
  end: text,
  /** An address; empty without one. */
  organizer: text,
  /** `skip`: the calendar has it as it is, or it was canceled before it was taken. */
  action: z.enum(['add', 'update', 'cancel', 'skip']),
  /** The event that the calendar has already. */
  event: z.nullable(text),
});
export type MailInvitation = z.infer<typeof MailInvitationSchema>;
