import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

export const SessionSchema = z.object({
  id: z.string(),
  /** The session of the request. */
  current: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  address: z.nullable(z.string()),
  /** The browser's name for itself. */
  agent: z.nullable(z.string()),
});
export type Session = z.infer<typeof SessionSchema>;

const path = '/api/v1/users/me/sessions';

export const deviceRoutes = {
  list: defineRoute({
    method: 'GET',
    path,
    summary: 'Where the user is signed in, the latest use first',
    access: 'signedIn',
    reply: z.object({ sessions: z.array(SessionSchema) }),
    message: 'OK',
  }),
  end: defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Ends one session of the user',
    access: 'signedIn',
    reply: z.null(),
    message: 'Session ended',
  }),
  endOthers: defineRoute({
    method: 'DELETE',
    path,
    summary: 'Ends all other sessions of the user',
    access: 'signedIn',
    reply: z.null(),
    message: 'Other sessions ended',
  }),
};
