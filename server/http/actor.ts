import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Permission, Permissions } from '@matterdesk/contract/permissions.ts';
import { Refusal } from './refusal.ts';

/** The person behind a request, as the session proved it. */
export type Actor = {
  id: string;
  email: string;
  role: Role;
  permissions: Permissions;
  sessionId: string;
  /** The socket that must not be told of its own change. */
  socketId: string | undefined;
  requestId: string;
};

/**
 * First line of every service that needs more than a session.
 * @throws Refusal notPermitted
 */
export function allow(actor: Actor, permission: Permission): void {
  if (!actor.permissions[permission]) throw new Refusal('notPermitted');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are opaque to callers; what cannot be one is as unknown as any other. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
