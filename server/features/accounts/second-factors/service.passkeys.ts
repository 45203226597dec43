// Passkeys. A challenge is encrypted with its purpose and its end, so that asking for one stores nothing; only answered ones are
// stored, because each is answered once.

import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type {
  NewPasskey,
  NewPasskeyAnswer,
  PasskeyAnswer,
} from '@matterdesk/contract/second-factors.ts';
import { type ActorContext, type Context, perContext, write } from '../../../context.ts';
import { fullName } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { SecretBox } from '../../../db/secrets.ts';
import { requirePassword } from '../passwords/service.ts';
import { attemptByPasskey, type Caller } from '../service.attempts.ts';
import { findUser, lockUser, type UserRow } from '../store.ts';
import { CHALLENGE_LIFE_MS } from './rules.ts';
import { renewCodes, reportFactorsChanged, requireOptionalFactor } from './service.ts';
import * as store from './store.ts';

const SIGN_IN = 'passkey sign-in';
const purposeOf = (sessionId: string) => `passkey of ${sessionId}`;

type Owner = { id: string; email: string; firstName: string; lastName: string; sessionId: string };

// Loaded with the first passkey, since most starts of the server need none of it.
const library = () => import('@simplewebauthn/server');

const placeOf = perContext(({ config }) => {
  const { hostname: rpID, origin } = new URL(config.publicUrl);
  return { rpID, origin };
});
const secretBoxOf = perContext((context) => new SecretBox(context.secretKey));

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

/**
 * Unlocks a page that covered itself.
 * @throws Refusal passkeyRefused, also for others' passkeys, and tooManyAttempts
 */
export async function unlockByPasskey(
  context: ActorContext,
  answer: PasskeyAnswer,
  { network }: Caller,
): Promise<void> {
  const found = await findPasskeyOwner(context, answer);
  const own = found?.row.id === context.actor.id ? found : undefined;
  await attemptByPasskey(context, network, () => checkPasskey(context, answer, own));
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

/** Without a user: the browser offers the passkeys that it has. */
export async function beginPasskeySignIn(context: Context) {
  const { generateAuthenticationOptions } = await library();
  const { rpID } = placeOf(context);
  const challenge = createChallenge(context, SIGN_IN);
  const asked = { rpID, challenge, userVerification: 'required' } as const;
  return { ...(await generateAuthenticationOptions(asked)) };
}

/** @param existing the user's passkeys, which a device does not add again */
async function askForNewPasskey(context: Context, owner: Owner, existing: store.PasskeyRow[]) {
  const { id, email, sessionId } = owner;
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Matterdesk',
    rpID: placeOf(context).rpID,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: fullName(owner),
    challenge: createChallenge(context, purposeOf(sessionId)),
    attestationType: 'none',
    excludeCredentials: existing.map((row) => ({
      id: row.credential_id,
      transports: row.transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** @throws Refusal passkeyRefused */
async function readNewPasskey(
  context: Context,
  answer: NewPasskeyAnswer,
  sessionId: string,
): Promise<WebAuthnCredential> {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      // The library checks the shape.
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => useOpenChallenge(context, challenge, purposeOf(sessionId)),
      expectedOrigin: placeOf(context).origin,
      expectedRPID: placeOf(context).rpID,
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new Refusal('passkeyRefused');
  return registrationInfo.credential;
}

/** @returns how often the passkey was used, where its device counts @throws Refusal passkeyRefused */
async function readPasskeySignIn(
  context: Context,
  answer: PasskeyAnswer,
  row: store.PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      // The library checks the shape.
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => useOpenChallenge(context, challenge, SIGN_IN),
      expectedOrigin: placeOf(context).origin,
      expectedRPID: placeOf(context).rpID,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new Refusal('passkeyRefused');
  return authenticationInfo.newCounter;
}

function createChallenge(context: Context, purpose: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    secretBoxOf(context).encrypt(String(Date.now() + CHALLENGE_LIFE_MS), purpose),
  );
}

async function useOpenChallenge(
  context: Context,
  challenge: string,
  purpose: string,
): Promise<boolean> {
  const until = secretBoxOf(context).decrypt(Buffer.from(challenge, 'base64url'), purpose);
  return Number(until) > Date.now() && store.useChallenge(context.db, challenge);
}

/** The library throws for every mismatch. */
async function orRefused<T>(verified: Promise<T>): Promise<T> {
  try {
    return await verified;
  } catch (cause) {
    throw new Refusal('passkeyRefused', undefined, { cause });
  }
}
