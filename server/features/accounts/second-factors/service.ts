// Turns authenticator apps on and off, and removes what a user lost.
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { AuditEntry } from '../../../db/audit.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { needsFactor } from '../rules.ts';
import { about, emitOwner } from '../service.ts';
import { type Caller, attemptPassword } from '../signing-in/service.guard.ts';
import { lockUser } from '../store.ts';
import { deletePasskeysOf, deletePasskeysSince } from './store.passkeys.ts';
import * as rules from './rules.ts';
import { refuseCode, checkPendingCode, renewCodes, sealSecret, useCode } from './service.codes.ts';
import * as store from './store.ts';
import { type ActorContext, write } from '../../../context.ts';
import { requirePassword } from '../passwords/service.ts';
import { canSendLetters, queueLetter } from '../service.post.ts';
import { reportAct } from '../service.events.ts';
import { readFirm } from '../../firm/service.ts';

/** @throws Refusal wrongPassword, totpOn, tooManyAttempts */
export async function beginTotp(
  context: ActorContext,
  { currentPassword }: { currentPassword: string },
  caller: Caller,
) {
  await requirePassword(context, currentPassword, caller);
  const secret = rules.newSecret();
  const sealed = sealSecret(context, context.actor.id, secret);
  const isOff = await write(context, (unit) =>
    store.insertTotp(unit.trx, context.actor.id, sealed),
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
  const checked = await guardAttempt(context, caller, () =>
    checkPendingCode(context, context.actor.id, code),
  );
  return write(context, async (unit) => {
    if (!(await store.confirmTotp(unit.trx, context.actor.id, checked)))
      throw refuseCode('wrongCode');
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
  await requirePassword(context, currentPassword, caller);
  await guardAttempt(context, caller, () => useCode(context, context.actor.id, code));
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
    if (canSendLetters(context))
      await queueLetter(context, unit, { letter: rules.writeRemoval(row.email, context.actor) });
  });
}

/** Passkeys from the time of a password that someone else may have known. */
export async function forgetSecondFactors(unit: Unit, userId: string, since: Date): Promise<void> {
  if ((await deletePasskeysSince(unit.trx, userId, since)) > 0n)
    await reportFactorsChanged(unit, userId, { action: 'passkeysRemoved' });
}

/** Wrong codes count as failed guesses. */
function guardAttempt<T>(
  context: ActorContext,
  { network: client, browser }: Caller,
  check: () => Promise<T>,
) {
  return attemptPassword(context, { email: context.actor.email, client, browser }, check);
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
  // Recovery codes stand in for a factor, and end with the last one.
  if (has === 'none') await store.replaceCodes(unit.trx, userId, []);
  await unit.record({ ...about({ id: userId }), ...entry });
  await emitOwner(unit, userId);
  return has;
}
