// Adds, lists and removes passkeys.

import type { NewPasskey, PasskeyAnswer } from '@matterdesk/contract/second-factors.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { type Caller, attemptByPasskey } from '../signing-in/service.guard.ts';
import { findUser, lockUser, type UserRow } from '../store.ts';
import * as store from './store.passkeys.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { requirePassword } from '../passwords/service.ts';
import {
  askForNewPasskey,
  askForPasskey,
  readNewPasskey,
  readPasskeySignIn,
} from './service.webauthn.ts';
import { renewCodes } from './service.codes.ts';
import { reportFactorsChanged, requireOptionalFactor } from './service.ts';

/** @throws Refusal wrongPassword, tooManyAttempts */
export async function beginPasskey(
  context: ActorContext,
  { currentPassword }: { currentPassword: string },
  caller: Caller,
) {
  const { db } = context;
  await requirePassword(context, currentPassword, caller);
  return askForNewPasskey(context, context.actor, await store.listPasskeys(db, context.actor.id));
}

/** @throws Refusal passkeyRefused */
export async function addPasskey(context: ActorContext, { answer, name }: NewPasskey) {
  const {
    id,
    publicKey,
    counter,
    transports = [],
  } = await readNewPasskey(context, answer, context.actor.sessionId);
  return write(context, async (unit) => {
    await lockUser(unit.trx, context.actor.id);
    const isFirst = (await store.listPasskeys(unit.trx, context.actor.id)).length === 0;
    const row = await store.insertPasskey(unit.trx, {
      user_id: context.actor.id,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports,
      name,
    });
    if (!row) throw new Refusal('passkeyRefused');
    const recoveryCodes = isFirst
      ? await renewCodes(context, unit.trx, context.actor.id)
      : undefined;
    await reportFactorsChanged(unit, context.actor.id, { action: 'passkeyAdded', after: { name } });
    return { passkey: store.toPasskey(row), recoveryCodes };
  });
}

export async function listPasskeys(context: ActorContext) {
  const rows = await store.listPasskeys(context.db, context.actor.id);
  return { passkeys: rows.map(store.toPasskey) };
}

/** @throws Refusal wrongPassword, notFound, lastFactor, tooManyAttempts */
export async function removePasskey(
  context: ActorContext,
  { id, currentPassword }: { id: string; currentPassword: string },
  caller: Caller,
): Promise<void> {
  await requirePassword(context, currentPassword, caller);
  await write(context, async (unit) => {
    await lockUser(unit.trx, context.actor.id);
    const name = isId(id) ? await store.deletePasskey(unit.trx, context.actor.id, id) : undefined;
    if (name === undefined) throw notFound('Passkey');
    const entry = { action: 'passkeyRemoved', before: { name } };
    const has = await reportFactorsChanged(unit, context.actor.id, entry);
    if (has === 'none') await requireOptionalFactor(context);
  });
}

/** The passkey that a browser answers with, and its user. */
export async function findPasskeyOwner(context: Context, { id }: PasskeyAnswer) {
  const { db } = context;
  const passkey = await store.findPasskey(db, id);
  const row = passkey && (await findUser(db, passkey.user_id));
  return row && { passkey, row };
}

/** For a page that covered itself. @throws Refusal passkeyRefused, also for others' passkeys, and tooManyAttempts */
export async function unlockByPasskey(
  context: ActorContext,
  answer: PasskeyAnswer,
  { network }: Caller,
): Promise<void> {
  const found = await findPasskeyOwner(context, answer);
  const own = found?.row.id === context.actor.id ? found : undefined;
  await attemptByPasskey(context, network, () => checkPasskey(context, answer, own));
}

export function beginPasskeySignIn(context: Context) {
  return askForPasskey(context);
}

/** @throws Refusal passkeyRefused */
export async function checkPasskey(
  context: Context,
  answer: PasskeyAnswer,
  found: { passkey: store.PasskeyRow; row: UserRow } | undefined,
): Promise<UserRow> {
  if (!found) throw new Refusal('passkeyRefused');
  const { db } = context;
  const counter = await readPasskeySignIn(context, answer, found.passkey);
  await store.markUsed(db, found.passkey.id, counter);
  return found.row;
}
