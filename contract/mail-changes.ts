import * as z from 'zod/mini';
import { MailSummarySchema } from './mails.ts';
import { defineRoute } from './route.ts';

const ONE = 'Please name one of unread, archived and trashed';
const flag = z.boolean(ONE);

/** One change of a mail: as in Gmail, `archived: false` brings it back to the inbox. */
export const MailChangeSchema = z.union(
  [
    z.strictObject({ unread: flag }),
    z.strictObject({ archived: flag }),
    z.strictObject({ trashed: flag }),
  ],
  ONE,
);
export type MailChange = z.infer<typeof MailChangeSchema>;

export const mailChangeRoutes = {
  changeMail: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/change/{userEmail}/{mailId}',
    summary:
      'Marks a mail as unread, archives it or moves it to the trash, or the reverse; at Google too',
    access: 'signedIn',
    needs: 'google',
    body: MailChangeSchema,
    reply: z.object({ data: MailSummarySchema }),
    message: 'Email changed',
  }),
  readThread: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/thread/{userEmail}/{threadId}',
    summary: 'The mails of a thread, oldest first, without drafts and what is in the trash',
    access: 'signedIn',
    needs: 'google',
    reply: z.object({ data: z.array(MailSummarySchema) }),
    message: 'OK',
  }),
};
