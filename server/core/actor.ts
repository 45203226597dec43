// What all layers of the server share: actor, refusals, ids, scope.

import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Permission, Permissions } from '@matterdesk/contract/permissions.ts';
import { Refusal } from './refusal.ts';

/** The person behind a request, as the session proved it. */
export type Actor = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  permissions: Permissions;
  sessionId: string;
  /** The socket that must not be told of its own change. */
  socketId: string | undefined;
  requestId: string;
};

/** Who a session belongs to; a request adds its own two members. */
export type SessionOwner = Omit<Actor, 'socketId' | 'requestId'>;

/**
 * First line of every service that needs more than a session.
 * @throws Refusal notPermitted
 */
export function allow(actor: Actor, permission: Permission): void {
  if (!actor.permissions[permission]) throw new Refusal('notPermitted');
}
