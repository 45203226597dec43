import * as z from 'zod/mini';
import { newPassword, password } from './accounts.ts';
import { defineRoute } from './route.ts';
import { PasskeyAnswerSchema } from './second-factors.ts';
import { email, line } from './text.ts';

export const PasswordChangeSchema = z.strictObject({ currentPassword: password, newPassword });
/** The password, or a passkey's answer. */
export const UnlockSchema = z
  .strictObject({ password: z.optional(password), answer: z.optional(PasskeyAnswerSchema) })
  .check(
    z.refine(({ password, answer }) => password !== undefined || answer !== undefined, {
      error: 'Password is required',
      path: ['password'],
    }),
  );
export const ForgottenSchema = z.strictObject({ email: email('Email') });
export const PasswordResetSchema = z.strictObject({
  token: line('Token'),
  password: newPassword,
});

export const passwordRoutes = {
  change: defineRoute({
    method: 'POST',
    path: '/api/v1/users/me/password',
    summary: 'Sets a new password; every other session of the user ends',
    access: 'signedIn',
    body: PasswordChangeSchema,
    reply: z.null(),
    message: 'Password changed',
  }),
  unlock: defineRoute({
    method: 'POST',
    path: '/api/v1/users/me/unlock',
    summary: 'Checks the password or a passkey again, for a page that covered itself',
    access: 'signedIn',
    body: UnlockSchema,
    reply: z.null(),
    message: 'Unlocked',
  }),
  forgot: defineRoute({
    method: 'POST',
    path: '/api/v1/users/forgotPassword',
    summary: 'Mails a link that sets a new password; the reply is the same without an account',
    access: 'anyone',
    body: ForgottenSchema,
    reply: z.null(),
    message: 'If this address has an account, a link is on its way',
  }),
  createLink: defineRoute({
    method: 'POST',
    path: '/api/v1/users/{id}/resetLink',
    summary:
      'A link that sets a new password, for 24 hours; only admins make one for someone with more rights',
    access: { permission: 'manageUsers' },
    reply: z.object({ url: z.string(), expiresAt: z.string() }),
    status: 201,
    message: 'Link created',
  }),
  reset: defineRoute({
    method: 'POST',
    path: '/api/v1/users/resetPassword',
    summary: 'Sets a new password by a link; all sessions of the user end',
    access: 'anyone',
    body: PasswordResetSchema,
    reply: z.null(),
    message: 'Password changed',
  }),
};
