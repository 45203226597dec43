import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { line, choice, email } from './text.ts';
import { GrantsSchema, roles, newPassword, password } from './accounts.ts';
import { PermissionsSchema } from './permissions.ts';
import { PasskeyAnswerSchema } from './second-factors.ts';

const InvitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  permissions: PermissionsSchema,
  by: z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }),
  createdAt: z.string(),
  expiresAt: z.string(),
  usedAt: z.nullable(z.string()),
});
export type Invitation = z.infer<typeof InvitationSchema>;

export const NewInvitationSchema = z.strictObject({
  email: email('Email'),
  role: z._default(choice('Role', roles), 'user'),
  permissions: z.optional(GrantsSchema),
});
export type NewInvitation = z.infer<typeof NewInvitationSchema>;

const access = { permission: 'manageUsers' } as const;
const path = '/api/v1/users/invitations';

export const invitationRoutes = {
  list: defineRoute({
    method: 'GET',
    path,
    summary: 'Invitations, the newest first',
    access,
    reply: z.object({ invitations: z.array(InvitationSchema) }),
    message: 'OK',
  }),
  invite: defineRoute({
    method: 'POST',
    path,
    summary: 'Invites an address; only admins invite admins or grant permissions',
    access,
    body: NewInvitationSchema,
    reply: z.object({ invitation: InvitationSchema, url: z.string() }),
    status: 201,
    message: 'Invitation created',
  }),
  withdraw: defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Withdraws an invitation',
    access,
    reply: z.null(),
    message: 'Invitation withdrawn',
  }),
};

export const registrationModes = ['open', 'approval', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/** Whether registration is open, and to whom. */
const RegistrationTermsSchema = z.object({
  mode: z.enum(registrationModes),
  /** The first account brings the code that the server prints at its start. */
  needsSetupCode: z.boolean(),
  /** The system can send mail. */
  mail: z.boolean(),
  /** The address of the invitation in the query, while it is open. */
  invited: z.optional(z.string()),
});
export type RegistrationTerms = z.infer<typeof RegistrationTermsSchema>;

export const registrationRoutes = {
  readTerms: defineRoute({
    method: 'GET',
    path: '/api/v1/users/registration',
    summary: 'Who may register now, and whether the system can send mail',
    access: 'anyone',
    query: z.object({ invitation: z.optional(line('Invitation')) }),
    reply: RegistrationTermsSchema,
    message: 'OK',
  }),
};

export const PasswordChangeSchema = z.strictObject({ currentPassword: password, newPassword });
/** Either of them. */
const UnlockSchema = z
  .strictObject({ password: z.optional(password), answer: z.optional(PasskeyAnswerSchema) })
  .check(
    z.refine(({ password, answer }) => password !== undefined || answer !== undefined, {
      error: 'Password is required',
      path: ['password'],
    }),
  );
const ForgottenSchema = z.strictObject({ email: email('Email') });
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
