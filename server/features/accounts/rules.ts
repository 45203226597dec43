import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';
import {
  permissionNames,
  type Permissions,
  permissionsBy,
} from '@matterdesk/contract/permissions.ts';
import type { RegistrationMode } from '@matterdesk/contract/registration.ts';
import { fieldRefusal, type Refusal } from '../../core/refusal.ts';
import type { SessionTerms } from '../../db/sessions.ts';

/** Absolute lifetime of a session, in milliseconds. */
export const SESSION_LIFE_MS = 30 * 24 * 3600_000;
/** Write interval of a session's last use, so that reads do not write. */
export const SESSION_TOUCH_MS = 60_000;

/** The characters of codes that people type: without those that are mistaken for others. */
export const CODE_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The lifetimes of a firm’s sessions. None ends early for a use that was not recorded. */
export function termsOf({ idleMinutes }: Pick<Firm, 'idleMinutes'>): SessionTerms {
  return {
    idle: idleMinutes * 60_000 + SESSION_TOUCH_MS,
    life: SESSION_LIFE_MS,
    touch: SESSION_TOUCH_MS,
  };
}

type Demand = Pick<Firm, 'secondFactor'>;

/** Whether the firm demands a second factor of a user. */
export function needsFactor({ role }: { role: Role }, { secondFactor }: Demand): boolean {
  return secondFactor === 'everyone' || (secondFactor === 'admins' && role === 'admin');
}

/** The longest time for which attempts count. */
export const MAX_WINDOW_MS = 3600_000;

type GrantedPermissions = { [Name in keyof Permissions]?: boolean | undefined };

/** Admins have every permission, users those that an admin granted. */
export function permissionsOf(role: Role, granted: GrantedPermissions): Permissions {
  return permissionsBy((name) => role === 'admin' || granted[name] === true);
}

/** Only an admin changes an admin; managers of users change all others. */
export function mayChange(actor: { role: Role }, { role }: { role: Role }): boolean {
  return actor.role === 'admin' || role !== 'admin';
}

type Rights = { role: Role; permissions: Permissions };

/** Becoming someone by a link, or ending their access, takes every right that they hold. */
export function mayTake(actor: Rights, { role, permissions }: Rights): boolean {
  if (actor.role === 'admin') return true;
  return (
    role !== 'admin' &&
    permissionNames.every((name) => !permissions[name] || actor.permissions[name])
  );
}

export type Admission = { role: Role; approved: boolean } | 'closed';

/** Initial state by registration mode; the first account is an active admin in every mode. */
export function admit(mode: RegistrationMode, isFirst: boolean, wished: Role): Admission {
  if (isFirst) return { role: 'admin', approved: true };
  if (mode === 'open') return { role: wished, approved: true };
  return mode === 'closed' ? 'closed' : { role: 'user', approved: false };
}

export function addressTaken(): Refusal {
  return fieldRefusal('alreadyExists', 'email', 'Email already exists');
}
