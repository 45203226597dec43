import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

/** The Pub/Sub push body; unknown fields are ignored because Google may add more. */
export const MailPushSchema = z.object({
  message: z.object({
    /** Base64 of a MailboxChange. */
    data: z.string('Data must be text').check(z.maxLength(4000, 'Data is too long')),
  }),
});

/** Gmail's notice that a mailbox changed after a point in its history. */
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
    summary: 'Google’s signed notice of a mailbox change; answered with 204',
    access: 'anyone',
    needs: 'google',
    signedBody: MailPushSchema,
    message: 'OK',
  }),
};
