// Creates accounts, and invites people to them. Checks that need no password hash run before one is computed.

import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Registration, Role } from '@matterdesk/contract/accounts.ts';
import {
  type Invitation,
  type NewInvitation,
  NewInvitationSchema,
} from '@matterdesk/contract/invitations.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { RegistrationTerms } from '@matterdesk/contract/registration.ts';
import { type Context, perContext, type ActorContext, write } from '../../../context.ts';
import { type Actor, allow, fullName } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/origin.ts';
import { fieldRefusal, Refusal, notFound } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { SystemMail } from '../../../integrations/smtp/mailer.ts';
import { namesOfUser, saveNames } from '../../conflicts/names/service.ts';
import { hashPassword, limitOfAddress, requireStrong } from '../passwords/service.ts';
import { atMost } from '../rules.attempts.ts';
import { addressTaken, type Admission, admit, CODE_CHARACTERS, mayChange } from '../rules.ts';
import { requireAttempt } from '../service.attempts.ts';
import { canSendSystemMail, queueSystemMail } from '../service.mail.ts';
import { about, emitUser } from '../service.ts';
import { forgetAttempt } from '../store.attempts.ts';
import * as accounts from '../store.ts';
import * as store from './store.ts';
import { findOpenByToken, isInvited, useInvitation } from './store.ts';

type AdmittedRegistration = Exclude<Admission, 'closed'> & {
  invitation?: { id: string; permissions: Partial<Permissions> };
};

const setupCodeFor = perContext(({ secretKey }) => setupCodeOf(secretKey));

/** Accepted registrations of a client in an hour. */
const MAX_REGISTRATIONS_PER_CLIENT = 20;
const REGISTRATION_WINDOW_MS = 3600_000;
/** Wrong setup codes of a client in a quarter of an hour. */
const MAX_SETUP_CODES_PER_CLIENT = 20;
const SETUP_CODE_WINDOW_MS = 15 * 60_000;

/** @param invitation the token of a link: the reply names its address */
export async function readRegistrationTerms(
  context: Context,
  invitation?: string,
): Promise<RegistrationTerms> {
  const mode = context.config.registration;
  const found = invitation ? await findOpenByToken(context.db, invitation) : undefined;
  return {
    mode,
    needsSetupCode: await isSetupCodeNeeded(context),
    isFirst: !(await accounts.hasUsers(context.db)),
    mail: canSendSystemMail(context),
    ...(found && { invited: found.email }),
  };
}

/** Lines to print at the start: the mode and, while no account exists, how to create the first. */
export async function describeRegistration(context: Context): Promise<string[]> {
  const mode = { open: 'open to everyone', approval: 'by approval', closed: 'closed' };
  const lines = [`Registration is ${mode[context.config.registration]}`];
  if (await accounts.hasUsers(context.db)) return lines;
  if (!(await isSetupCodeNeeded(context)))
    return [...lines, 'No account exists yet: the first one is an admin, and needs no code'];
  const first = 'No account exists yet: the first one is an admin and needs the setup code';
  return [...lines, first, `Setup code: ${setupCodeFor(context)}`];
}

/**
 * @throws Refusal registrationClosed, setupCodeWrong, tooManyAttempts, invalidInput, alreadyExists
 */
export async function registerUser(
  context: Context,
  input: Registration,
  client: Network,
): Promise<{ id: string }> {
  if (!input.invitation) await requireSetupCode(context, input, client);
  await admitRegistration(context, context.db, input);
  if (await accounts.findUserByEmail(context.db, input.email)) throw addressTaken();
  await requireStrong(input.password, input, 'password');
  const attempt = await countRegistration(context, client);
  try {
    const passwordHash = await hashPassword(input.password);
    return await context.writer.run(null, (unit) =>
      insertUser(context, unit, { input, passwordHash }),
    );
  } catch (error) {
    if (attempt !== undefined) await forgetAttempt(context.db, attempt);
    throw error;
  }
}

/** The same in every process and after each restart: `XXXX-XXXX`. */
export function setupCodeOf(secretKey: string): string {
  const secret = Buffer.from(secretKey, 'hex');
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'matterdesk setup code', 8));
  const letters = Array.from(bytes, (byte) => CODE_CHARACTERS[byte % CODE_CHARACTERS.length]).join(
    '',
  );
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

async function isSetupCodeNeeded(context: Context): Promise<boolean> {
  const { registration: mode, isLocal } = context.config;
  return mode !== 'open' && !isLocal && !(await accounts.hasUsers(context.db));
}

async function admitRegistration(
  context: Context,
  db: Executor,
  { email, role, invitation }: Registration,
): Promise<AdmittedRegistration> {
  if (invitation) return admitInvited(db, email, invitation);
  const admission = admit(context.config.registration, !(await accounts.hasUsers(db)), role);
  if (admission === 'closed') throw new Refusal('registrationClosed');
  if (await isInvited(db, email)) throw new Refusal('invited');
  return admission;
}

/** An invitation is bound to its address, and works in every mode. */
async function admitInvited(
  db: Executor,
  email: string,
  token: string,
): Promise<AdmittedRegistration> {
  const found = await findOpenByToken(db, token);
  if (!found || found.email_key !== fold(email)) throw new Refusal('invitationDead');
  const { role, permissions } = found;
  return { role, approved: true, invitation: { id: found.id, permissions } };
}

async function requireSetupCode(
  context: Context,
  { setupCode = '' }: Registration,
  client: Network,
) {
  if (!(await isSetupCodeNeeded(context))) return;
  const id = await requireAttempt(context.db, {
    key: `setup:${client}`,
    windowMs: SETUP_CODE_WINDOW_MS,
    waitAfter: atMost(MAX_SETUP_CODES_PER_CLIENT),
  });
  const isRight = isSetupCode(setupCode, setupCodeFor(context));
  // A missing code doesn't count as a guess.
  if (isRight || setupCode === '') await forgetAttempt(context.db, id);
  if (isRight) return;
  throw fieldRefusal('setupCodeWrong', 'setupCode');
}

/** @returns the attempt, or undefined without a limit */
async function countRegistration(context: Context, client: Network): Promise<string | undefined> {
  if (context.config.isLocal) return undefined;
  return requireAttempt(context.db, {
    key: `register:${client}`,
    windowMs: REGISTRATION_WINDOW_MS,
    waitAfter: atMost(MAX_REGISTRATIONS_PER_CLIENT),
  });
}

async function insertUser(
  context: Context,
  unit: Unit,
  { input, passwordHash }: { input: Registration; passwordHash: string },
): Promise<{ id: string }> {
  await accounts.lockAdmins(unit.trx);
  const { role, approved, invitation } = await admitRegistration(context, unit.trx, input);
  if (invitation && !(await useInvitation(unit.trx, invitation.id)))
    throw new Refusal('invitationDead');
  const row = await accounts.insertUser(unit.trx, {
    first_name: input.firstName,
    last_name: input.lastName,
    email: input.email,
    phone_number: input.phoneNumber,
    role,
    active: approved,
    approved,
    password_hash: passwordHash,
    ...(invitation && { permissions: invitation.permissions }),
  });
  if (!row) throw addressTaken();
  const user = accounts.toUser(row);
  await saveNames(unit.trx, [namesOfUser(user)]);
  await unit.record({ ...about(user), action: 'created', after: user, actorId: user.id });
  emitUser(unit, 'user.created', row);
  return { id: row.id };
}

/** Ignores case, blanks and the dash. */
function isSetupCode(given: string, code: string): boolean {
  const [one, other] = [toBytes(given), toBytes(code)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function toBytes(code: string): Buffer {
  return Buffer.from(code.toUpperCase().replaceAll(/[\s-]/g, ''));
}

// Invites people by a link that makes an active account.

type Inviter = { firstName: string; lastName: string };

export async function listInvitations(
  context: ActorContext,
): Promise<{ invitations: Invitation[] }> {
  allow(context.actor, 'manageUsers');
  const rows = await store.listInvitations(context.db);
  return { invitations: rows.map(store.toInvitation) };
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export function requireMayInvite(actor: Actor, json: unknown): void {
  const { data } = NewInvitationSchema.safeParse(json);
  if (data && !mayInvite(actor, data)) throw new Refusal('notPermitted');
}

/** @throws Refusal notPermitted, alreadyExists, tooManyAttempts */
export async function inviteUser(context: ActorContext, invited: NewInvitation) {
  allow(context.actor, 'manageUsers');
  if (!mayInvite(context.actor, invited)) throw new Refusal('notPermitted');
  const { publicUrl } = context.config;
  if (await accounts.findUserByEmail(context.db, invited.email)) throw addressTaken();
  await requireAttempt(context.db, limitOfAddress(invited.email));
  return write(context, async (unit) => {
    const { id, token } = await store.insertInvitation(unit.trx, invited, context.actor.id);
    const row = await store.findInvitation(unit.trx, id);
    if (!row) throw notFound('Invitation');
    const invitation = store.toInvitation(row);
    const url = `${publicUrl}/register?invitation=${token}`;
    await unit.record({ ...aboutInvitation(id), action: 'created', after: invitation });
    if (canSendSystemMail(context))
      await queueSystemMail(context, unit, {
        letter: writeInvitation(invited.email, context.actor, url),
      });
    return { invitation, url };
  });
}

/** @throws Refusal notPermitted, notFound */
export async function withdrawInvitation(context: ActorContext, id: string): Promise<void> {
  allow(context.actor, 'manageUsers');
  await write(context, async (unit) => {
    const row = isId(id) ? await store.findInvitation(unit.trx, id) : undefined;
    if (!row) throw notFound('Invitation');
    if (!mayChange(context.actor, row)) throw new Refusal('notPermitted');
    await store.deleteInvitation(unit.trx, id);
    await unit.record({
      ...aboutInvitation(id),
      action: 'deleted',
      before: store.toInvitation(row),
    });
  });
}

function aboutInvitation(id: string) {
  return { entity: 'invitation', entityId: id } as const;
}

/** Only an admin invites admins or grants permissions. */
function mayInvite(actor: { role: Role }, { role, permissions }: Partial<NewInvitation>) {
  const isGranting = Object.values(permissions ?? {}).includes(true);
  return actor.role === 'admin' || (role !== 'admin' && !isGranting);
}

function writeInvitation(to: string, by: Inviter, url: string): SystemMail {
  return {
    to,
    subject: `${fullName(by)} invites you to Matterdesk`,
    text: `${fullName(by)} invites you to your firm's Matterdesk.

Create your account within three days:
${url}

If you do not expect this, ignore this mail.
`,
  };
}
