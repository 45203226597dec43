import { hash, verify } from '@node-rs/argon2';
import type { Role } from '@matterdesk/contract/accounts.ts';
import { permissionsBy, type Permissions } from '@matterdesk/contract/permissions.ts';
import type { RegistrationMode } from '../../config.ts';

/** Idle and absolute lifetime of a session, in milliseconds. */
export const SESSION_IDLE = 12 * 3600_000;
export const SESSION_LIFE = 30 * 24 * 3600_000;
/** Write interval of a session's last use, so that reads do not write. */
export const SESSION_TOUCH = 60_000;

export const ATTEMPT_WINDOW = 15 * 60_000;
export const FAILURES_PER_ADDRESS = 10;
export const FAILURES_PER_CLIENT = 100;
/** Pending registrations per client and window. */
export const REGISTRATIONS_PER_CLIENT = 20;

/** OWASP password storage cheat sheet: argon2id, 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

let dummy: Promise<string> | undefined;

/** Takes the same time for known and unknown addresses. */
export async function isPasswordOf(passwordHash: string | undefined, password: string) {
  dummy ??= hashPassword('an unused password');
  const matches = await verify(passwordHash ?? (await dummy), password);
  return passwordHash !== undefined && matches;
}

/** Admins have every permission, users those that an admin granted. */
export function permissionsOf(role: Role, granted: Partial<Permissions>): Permissions {
  return permissionsBy((name) => role === 'admin' || granted[name] === true);
}

/** Only an admin changes an admin; managers of users change all others. */
export function mayChange(actor: { role: Role }, { role }: { role: Role }): boolean {
  return actor.role === 'admin' || role !== 'admin';
}

export type Admission = { role: Role; approved: boolean } | 'closed';

/** Initial state by registration mode; the first account is active in every mode. */
export function admit(mode: RegistrationMode, isFirst: boolean, wished: Role): Admission {
  if (mode === 'open') return { role: wished, approved: true };
  if (isFirst) return { role: 'admin', approved: true };
  return mode === 'closed' ? 'closed' : { role: 'user', approved: false };
}
