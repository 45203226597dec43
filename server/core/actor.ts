// What all layers of the server share: actor, refusals, ids, scope.

import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Permission, Permissions } from '@matterdesk/contract/permissions.ts';
import { Refusal } from './refusal.ts';

/** The signed-in user behind a request. */
export type Actor = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  permissions: Permissions;
  sessionId: string;
  /** The socket that made the change, which does not receive its event. */
  socketId: string | undefined;
  requestId: string;
};

/** The user of a session; a request adds the other two members. */
export type SessionOwner = Omit<Actor, 'socketId' | 'requestId'>;

/**
 * Called first by every service that requires a permission.
 * @throws Refusal notPermitted
 */
export function allow(actor: Actor, permission: Permission): void {
  if (!actor.permissions[permission]) throw new Refusal('notPermitted');
}
