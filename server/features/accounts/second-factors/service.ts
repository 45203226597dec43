// Authenticator apps and recovery codes: each code works once.

import { type ActorContext, type Context, perContext, write } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { fieldRefusal, notFound, Refusal } from '../../../core/refusal.ts';
import type { AuditEntry } from '../../../db/audit.ts';
import type { Transaction } from '../../../db/schema.ts';
import { SecretBox } from '../../../db/secrets.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { readFirm } from '../../firm/service.ts';
import { checkPassword, requirePassword } from '../passwords/service.ts';
import { needsFactor } from '../rules.ts';
import { attemptPassword, type Caller } from '../service.attempts.ts';
import { canSendSystemMail, queueSystemMail } from '../service.mail.ts';
import { reportAct, about, emitOwner } from '../service.ts';
import { lockUser, type UserRow } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { deletePasskeysOf, deletePasskeysSince } from './store.ts';

/** The factor by which a user proved their identity, beside the password. */
export type Proof = 'totp' | 'recoveryCode';

const secretBoxOf = perContext((context) => new SecretBox(context.secretKey));

/** @throws Refusal wrongPassword, totpOn, tooManyAttempts */
export async function beginTotp(
  context: ActorContext,
  { currentPassword }: { currentPassword: string },
  caller: Caller,
) {
  await requirePassword(context, currentPassword, caller);
  const secret = rules.newSecret();
  const encrypted = encryptSecret(context, context.actor.id, secret);
  const isOff = await write(context, (unit) =>
    store.insertTotp(unit.trx, context.actor.id, encrypted),
  );
  if (!isOff) throw new Refusal('totpOn');
  return { secret, url: rules.addressOf(secret, context.actor.email) };
}

/** @throws Refusal wrongCode, tooManyAttempts */
export async function confirmTotp(
  context: ActorContext,
  { code }: { code: string },
  caller: Caller,
) {
  const checked = await limitGuesses(context, caller, () =>
    checkPendingCode(context, context.actor.id, code),
  );
  return write(context, async (unit) => {
    if (!(await store.confirmTotp(unit.trx, context.actor.id, checked)))
      throw fieldRefusal('wrongCode', 'code');
    const recoveryCodes = await renewCodes(context, unit.trx, context.actor.id);
    await reportFactorsChanged(unit, context.actor.id, { action: 'totpAdded' });
    return { recoveryCodes };
  });
}

/** @throws Refusal wrongPassword, wrongCode, lastFactor, tooManyAttempts */
export async function endTotp(
  context: ActorContext,
  { currentPassword, code }: { currentPassword: string; code: string },
  caller: Caller,
): Promise<void> {
  // One attempt: a right password alone would let the codes be guessed without a limit.
  await limitGuesses(context, caller, async () => {
    await checkPassword(context, currentPassword);
    await useCode(context, context.actor.id, code);
  });
  await write(context, async (unit) => {
    await lockUser(unit.trx, context.actor.id);
    await store.deleteTotp(unit.trx, context.actor.id);
    const has = await reportFactorsChanged(unit, context.actor.id, { action: 'totpRemoved' });
    if (has === 'none') await requireOptionalFactor(context);
  });
}

/** For a user who lost the app and the recovery codes. @throws Refusal notPermitted, notFound */
export async function removeSecondFactor(context: ActorContext, id: string): Promise<void> {
  if (context.actor.role !== 'admin') throw new Refusal('notPermitted');
  await write(context, async (unit) => {
    const row = isId(id) ? await lockUser(unit.trx, id) : undefined;
    if (!row) throw notFound('User');
    if (row.second_factor === 'none') return;
    await store.deleteTotp(unit.trx, id);
    await deletePasskeysOf(unit.trx, id);
    await reportFactorsChanged(unit, id, { action: 'secondFactorRemoved' });
    await reportAct(context, unit, { person: row, by: context.actor, act: 'factorRemoved' });
    // The firm may demand one of this user.
    unit.afterCommit((realtime) => realtime.readmit(id));
    if (canSendSystemMail(context))
      await queueSystemMail(context, unit, {
        letter: rules.writeRemoval(row.email, context.actor),
      });
  });
}

/** Removes passkeys added while someone else may have known the password. */
export async function forgetSecondFactors(unit: Unit, userId: string, since: Date): Promise<void> {
  if ((await deletePasskeysSince(unit.trx, userId, since)) > 0n)
    await reportFactorsChanged(unit, userId, { action: 'passkeysRemoved' });
}

/** The last factor stays while the firm demands one. @throws Refusal lastFactor */
export async function requireOptionalFactor(context: ActorContext): Promise<void> {
  if (needsFactor(context.actor, await readFirm(context))) throw new Refusal('lastFactor');
}

/** After a change of the user's app or passkeys. @returns what the user has now */
export async function reportFactorsChanged(
  unit: Unit,
  userId: string,
  entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) {
  const has = await store.updateSecondFactor(unit.trx, userId);
  // Recovery codes replace a factor, so they end with the last one.
  if (has === 'none') await store.replaceCodes(unit.trx, userId, []);
  await unit.record({ ...about({ id: userId }), ...entry });
  await emitOwner(unit, userId);
  return has;
}

/**
 * Asks for the second factor of a sign-in.
 * @returns undefined for a user without a second factor
 * @throws Refusal codeRequired, passkeyRequired, wrongCode
 */
export async function requireCode(
  context: Context,
  row: UserRow,
  code: string | undefined,
): Promise<Proof | undefined> {
  if (row.second_factor === 'none') return undefined;
  if (code) return useCode(context, row.id, code);
  throw fieldRefusal(row.second_factor === 'totp' ? 'codeRequired' : 'passkeyRequired', 'code');
}

/** Replaces the recovery codes. */
export async function renewCodes(
  context: Context,
  trx: Transaction,
  userId: string,
): Promise<string[]> {
  const codes = rules.newRecoveryCodes();
  const hashes = codes.map((code) => rules.hashCode(context.secretKey, userId, code));
  await store.replaceCodes(trx, userId, hashes);
  return codes;
}

/** Wrong codes count as failed guesses. */
function limitGuesses<T>(
  context: ActorContext,
  { network: client, browser }: Caller,
  check: () => Promise<T>,
) {
  return attemptPassword(context, { email: context.actor.email, client, browser }, check);
}

/** @throws Refusal wrongCode, also for a code that was used before */
async function useCode(context: Context, userId: string, given: string): Promise<Proof> {
  const code = rules.plainCode(given);
  const step = openCode(context, userId, {
    encrypted: await store.findTotp(context.db, userId, 'on'),
    code,
  });
  if (step !== undefined && (await store.useStep(context.db, userId, step))) return 'totp';
  const hash = rules.hashCode(context.secretKey, userId, code);
  if (await store.useCode(context.db, userId, hash)) return 'recoveryCode';
  throw fieldRefusal('wrongCode', 'code');
}

function encryptSecret(context: Context, userId: string, secret: string): Buffer {
  return secretBoxOf(context).encrypt(secret, rules.totpPurpose(userId));
}

/** The secret that waits for its first code, with the step of a right one. @throws Refusal wrongCode */
async function checkPendingCode(
  context: Context,
  userId: string,
  code: string,
): Promise<{ secret: Buffer; step: number }> {
  const secret = await store.findTotp(context.db, userId, 'pending');
  const step = openCode(context, userId, { encrypted: secret, code: rules.plainCode(code) });
  if (!secret || step === undefined) throw fieldRefusal('wrongCode', 'code');
  return { secret, step };
}

/** The time step of a right code. A secret encrypted under a lost key has none. */
function openCode(
  context: Context,
  userId: string,
  { encrypted, code }: { encrypted: Buffer | undefined; code: string },
): number | undefined {
  const secret = encrypted && secretBoxOf(context).decrypt(encrypted, rules.totpPurpose(userId));
  return secret ? rules.stepOf(secret, code) : undefined;
}
