import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

/** What Pub/Sub calls with. It says more, and may say more still one day. */
export const MailPushSchema = z.object({
  message: z.object({
    /** Base64 of a MailboxChange. */
    data: z.string('Data must be text').check(z.maxLength(4000, 'Data is too long')),
  }),
});

/** What Gmail says: in this mailbox there is something after that point of its history. */
export const MailboxChangeSchema = z.object({
  emailAddress: z.string().check(z.regex(/^[^\s@\p{Cc}]{1,255}@[^\s@\p{Cc}]{1,255}$/u)),
  historyId: z.pipe(
    z.union([z.string(), z.int()]),
    z.pipe(z.transform(String), z.string().check(z.regex(/^\d{1,40}$/))),
  ),
});
export type MailboxChange = z.infer<typeof MailboxChangeSchema>;

export const mailPushRoutes = {
  receivePush: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/google/push',
    summary: 'Google says that a mailbox has changed; signed by Google, answered 204',
    access: 'anyone',
    needs: 'google',
    signedBody: MailPushSchema,
    message: 'OK',
  }),
};
