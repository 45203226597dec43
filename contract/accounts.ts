import * as z from 'zod/mini';
import { pagingQuery } from './paging.ts';
import { PermissionsSchema } from './permissions.ts';
import { defineRoute } from './route.ts';
import { choice, email, isHarmless, line, missingOr, optionalLine } from './text.ts';

export const roles = ['user', 'admin'] as const;
export type Role = (typeof roles)[number];
export const secondFactors = ['none', 'totp', 'passkey'] as const;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 200;

export const UserSchema = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.enum(roles),
  phoneNumber: z.string(),
  active: z.boolean(),
  /** Whether the account awaits approval. Browsers keep users from before it was always there. */
  waiting: z._default(z.boolean(), false),
  permissions: PermissionsSchema,
});
export type User = z.infer<typeof UserSchema>;

export const CurrentUserSchema = z.extend(UserSchema, {
  googleRefreshToken: z.nullable(z.string()),
  googleEmail: z.nullable(z.string()),
  /** `totp` also beside passkeys: the password then needs a code. */
  secondFactor: z.enum(secondFactors),
  /** True until the user sets up a second factor that the firm requires; only routes with `whileEnrolling` are open. */
  mustEnrol: z.boolean(),
  twilioConfig: z.object({
    twilioPhoneNumber: z.nullable(z.string()),
    messagingEnabled: z.boolean(),
  }),
});
export type CurrentUser = z.infer<typeof CurrentUserSchema>;

export const SignedInSchema = z.extend(CurrentUserSchema, { token: z.string() });
export type SignedIn = z.infer<typeof SignedInSchema>;

/** Never trimmed; `newPassword` checks the bounds of new passwords. */
export const password = z
  .string({ error: missingOr('Password is required', 'Password must be text') })
  .check(
    z.refine((text) => text.trim() !== '', { error: 'Password is required', abort: true }),
    z.maxLength(PASSWORD_MAX, {
      error: `Password must have at most ${PASSWORD_MAX} characters`,
      abort: true,
    }),
    z.refine(isHarmless, 'Password must not hold control characters'),
  );
export const newPassword = password.check(
  z.minLength(PASSWORD_MIN, `Password must have at least ${PASSWORD_MIN} characters`),
);

const names = {
  firstName: line('First Name', { max: 100 }),
  lastName: line('Last Name', { max: 100 }),
};
const phoneNumber = line('Phone Number', { max: 40 });

export const CredentialsSchema = z.strictObject({
  email: email('Email'),
  password,
  /** A code from the authenticator app, or a recovery code. */
  code: z.optional(optionalLine('Code', { max: 40 })),
});
export type Credentials = z.infer<typeof CredentialsSchema>;

export const RegistrationSchema = z.strictObject({
  ...names,
  email: email('Email'),
  password: newPassword,
  phoneNumber,
  role: z._default(choice('Role', roles), 'user'),
  /** The token of an invitation's link. */
  invitation: z.optional(optionalLine('Invitation')),
  /** Printed by the server at its start while no account exists. */
  setupCode: z.optional(optionalLine('Setup code')),
});
export type Registration = z.infer<typeof RegistrationSchema>;

const flag = (label: string) => z.optional(z.boolean(`${label} must be true or false`));

/** Permissions to grant or revoke; those left out do not change. */
export const GrantsSchema = z.strictObject(
  {
    createCases: flag('Create Cases'),
    editTasks: flag('Edit Tasks'),
    manageUsers: flag('Manage Users'),
    handleIntakes: flag('Handle Intakes'),
    clearConflicts: flag('Clear Conflicts'),
    manageWalls: flag('Manage Walls'),
    editCalendar: flag('Edit Calendar'),
    sortPapers: flag('Sort Papers'),
    editTemplates: flag('Edit Templates'),
    exportMatters: flag('Export Matters'),
  },
  {
    error: (issue) => (issue.code === 'invalid_type' ? 'Permissions must be an object' : undefined),
  },
);

export const UserPatchSchema = z.partial(
  z.strictObject({
    ...names,
    phoneNumber,
    active: z.boolean('Active must be true or false'),
    role: choice('Role', roles),
    permissions: GrantsSchema,
  }),
);
export type UserPatch = z.infer<typeof UserPatchSchema>;

export const accountRoutes = {
  register: defineRoute({
    method: 'POST',
    path: '/api/v1/users/register',
    summary: 'Creates an account, pending approval depending on the registration mode',
    access: 'anyone',
    body: RegistrationSchema,
    reply: z.object({ id: z.string() }),
    status: 201,
    message: 'Account created',
  }),
  login: defineRoute({
    method: 'POST',
    path: '/api/v1/users/login',
    summary: 'Opens a session, with a code where a second factor is on; the reply has its token',
    access: 'anyone',
    body: CredentialsSchema,
    reply: SignedInSchema,
    message: 'Signed in',
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/api/v1/users/logout',
    summary: 'Ends the session; its token is dead from then on',
    access: 'signedIn',
    whileEnrolling: true,
    reply: z.null(),
    message: 'Signed out',
  }),
  me: defineRoute({
    method: 'GET',
    path: '/api/v1/users/me',
    summary: 'The signed-in user',
    access: 'signedIn',
    whileEnrolling: true,
    reply: CurrentUserSchema,
    message: 'OK',
  }),
  listUsers: defineRoute({
    method: 'GET',
    path: '/api/v1/users',
    summary: 'Users by last name; the body is the list, x-next-cursor and x-total are headers',
    access: 'signedIn',
    query: z.object(pagingQuery),
    reply: z.array(UserSchema),
    message: 'OK',
  }),
  changeUser: defineRoute({
    method: 'PATCH',
    path: '/api/v1/users/{id}',
    summary:
      'Updates a user; only admins change admins, roles and permissions, and whether someone with more rights is active; all change their own names and number',
    access: {
      permission: 'manageUsers',
      unlessOnly: ['firstName', 'lastName', 'phoneNumber'],
      adminOnly: ['role', 'permissions'],
    },
    body: UserPatchSchema,
    reply: UserSchema,
    message: 'User updated',
  }),
  deactivateUser: defineRoute({
    method: 'DELETE',
    path: '/api/v1/users/{id}',
    summary: 'Deactivates a user: sessions end at once, past work keeps their name',
    access: { permission: 'manageUsers' },
    reply: z.null(),
    message: 'User deactivated',
  }),
};
