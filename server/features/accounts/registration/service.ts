// Makes accounts. Everything that needs no hash is decided before one is computed.

import type { Registration } from '@matterdesk/contract/accounts.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { RegistrationTerms } from '@matterdesk/contract/registration.ts';
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { namesOfUser, saveNames } from '../../conflicts/names/service.ts';
import { findOpenByToken, isInvited, useInvitation } from '../invitations/store.ts';
import { addressTaken, admit, type Admission } from '../rules.ts';
import { about, emitUser } from '../service.ts';
import { hashPassword } from '../service.hashing.ts';
import { requireStrong } from '../service.strength.ts';
import { atMost, type Limit } from '../rules.attempts.ts';
import { forgetAttempt, takeRoom } from '../store.attempts.ts';
import * as accounts from '../store.ts';
import { canSendLetters } from '../service.post.ts';
import * as rules from './rules.ts';
import { type Context, perContext } from '../../../context.ts';
type Admitted = Exclude<Admission, 'closed'> & {
  invitation?: { id: string; permissions: Partial<Permissions> };
};

const setupCodeOf = perContext(({ secretKey }) => rules.setupCodeOf(secretKey));

/** @param invitation the token of a link: the reply names its address */
export async function readRegistrationTerms(
  context: Context,
  invitation?: string,
): Promise<RegistrationTerms> {
  const mode = context.config.registration;
  const found = invitation ? await findOpenByToken(context.db, invitation) : undefined;
  const needsSetupCode = await isSetupCodeNeeded(context);
  return {
    mode,
    needsSetupCode,
    mail: canSendLetters(context),
    ...(found && { invited: found.email }),
  };
}

/** What the start prints: the mode and, while no account exists, who may come first. */
export async function describeRegistration(context: Context): Promise<string[]> {
  const mode = { open: 'open to everyone', approval: 'by approval', closed: 'closed' };
  const lines = [`Registration is ${mode[context.config.registration]}`];
  if (await accounts.hasUsers(context.db)) return lines;
  if (!(await isSetupCodeNeeded(context)))
    return [...lines, 'No account exists yet: the first person to register needs no code'];
  const first = 'No account exists yet: the first one is an admin and needs the setup code';
  return [...lines, first, `Setup code: ${setupCodeOf(context)}`];
}

async function isSetupCodeNeeded(context: Context): Promise<boolean> {
  const { registration: mode, isLocal } = context.config;
  return mode !== 'open' && !isLocal && !(await accounts.hasUsers(context.db));
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
  const place = await takePlace(context, client);
  try {
    const passwordHash = await hashPassword(input.password);
    return await context.writer.run(null, (unit) =>
      insertUser(context, unit, { input, passwordHash }),
    );
  } catch (error) {
    if (place !== undefined) await forgetAttempt(context.db, place);
    throw error;
  }
}

async function admitRegistration(
  context: Context,
  db: Executor,
  { email, role, invitation }: Registration,
): Promise<Admitted> {
  if (invitation) return admitInvited(db, email, invitation);
  const admission = admit(context.config.registration, !(await accounts.hasUsers(db)), role);
  if (admission === 'closed') throw new Refusal('registrationClosed');
  if (await isInvited(db, email)) throw new Refusal('invited');
  return admission;
}

/** An invitation is bound to its address, and works in every mode. */
async function admitInvited(db: Executor, email: string, token: string): Promise<Admitted> {
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
  const id = await takeInvitation(context, {
    key: `setup:${client}`,
    windowMs: rules.SETUP_CODE_WINDOW,
    waitAfter: atMost(rules.SETUP_CODES_PER_CLIENT),
  });
  const isRight = rules.isSetupCode(setupCode, setupCodeOf(context));
  // A missing code is no guess.
  if (isRight || setupCode === '') await forgetAttempt(context.db, id);
  if (isRight) return;
  const { message } = errorCodes.setupCodeWrong;
  throw new Refusal('setupCodeWrong', message, { errors: [{ path: 'setupCode', message }] });
}

/** @returns the place among the accepted registrations, or undefined without a limit */
async function takePlace(context: Context, client: Network): Promise<string | undefined> {
  if (context.config.isLocal) return undefined;
  return takeInvitation(context, {
    key: `register:${client}`,
    windowMs: rules.REGISTRATION_WINDOW,
    waitAfter: atMost(rules.REGISTRATIONS_PER_CLIENT),
  });
}

async function takeInvitation(context: Context, limit: Limit): Promise<string> {
  const taken = await takeRoom(context.db, limit);
  if ('id' in taken) return taken.id;
  throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
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
