import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
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

/** A person as sentences name them. */
export function fullName({ firstName, lastName }: Omit<Person, 'id'>): string {
  return `${firstName} ${lastName}`;
}

/** The user of a session; a request adds the other two members of an actor. */
export type SessionOwner = Omit<Actor, 'socketId' | 'requestId'> & EnrollmentState;

/** Whether the user must set up a second factor before anything else. */
export type EnrollmentState = { mustEnrol: boolean };

/**
 * Called first by every service that requires a permission.
 * @throws Refusal notPermitted
 */
export function allow(actor: Actor, permission: Permission): void {
  if (!actor.permissions[permission]) throw new Refusal('notPermitted');
}
