import * as z from 'zod/mini';
import { GrantsSchema, roles } from './accounts.ts';
import { PermissionsSchema } from './permissions.ts';
import { defineRoute } from './route.ts';
import { choice, email } from './text.ts';

export const InvitationSchema = z.object({
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
