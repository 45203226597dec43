// What browsers and passkeys say to each other. A challenge is sealed with its purpose and its end, so that asking for
// one stores nothing; only answered ones are stored, because each is answered once.

import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { NewPasskeyAnswer, PasskeyAnswer } from '@matterdesk/contract/second-factors.ts';
import { Refusal } from '../../../core/refusal.ts';
import { Seal } from '../../../db/seal.ts';
import { CHALLENGE_LIFE } from './rules.ts';
import { type PasskeyRow, useChallenge } from './store.passkeys.ts';
import { type Context, perContext } from '../../../context.ts';

const SIGN_IN = 'passkey sign-in';
const purposeOf = (sessionId: string) => `passkey of ${sessionId}`;

type Owner = { id: string; email: string; firstName: string; lastName: string; sessionId: string };

// Loaded with the first passkey, since most starts of the server need none of it.
const library = () => import('@simplewebauthn/server');

const placeOf = perContext(({ config }) => {
  const { hostname: rpID, origin } = new URL(config.publicUrl);
  return { rpID, origin };
});
const sealOf = perContext((context) => new Seal(context.secretKey));

/** @param existing the user's passkeys, which a device does not add again */
export async function askForNewPasskey(
  context: Context,
  { id, email, firstName, lastName, sessionId }: Owner,
  existing: PasskeyRow[],
) {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Matterdesk',
    rpID: placeOf(context).rpID,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: `${firstName} ${lastName}`,
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
export async function readNewPasskey(
  context: Context,
  answer: NewPasskeyAnswer,
  sessionId: string,
): Promise<WebAuthnCredential> {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      // The library checks the shape.
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takesChallenge(context, challenge, purposeOf(sessionId)),
      expectedOrigin: placeOf(context).origin,
      expectedRPID: placeOf(context).rpID,
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new Refusal('passkeyRefused');
  return registrationInfo.credential;
}

/** Without a user: the browser offers the passkeys that it has. */
export async function askForPasskey(context: Context) {
  const { generateAuthenticationOptions } = await library();
  const { rpID } = placeOf(context);
  const challenge = createChallenge(context, SIGN_IN);
  const asked = { rpID, challenge, userVerification: 'required' } as const;
  return { ...(await generateAuthenticationOptions(asked)) };
}

/** @returns how often the passkey was used, where its device counts @throws Refusal passkeyRefused */
export async function readPasskeySignIn(
  context: Context,
  answer: PasskeyAnswer,
  row: PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      // The library checks the shape.
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takesChallenge(context, challenge, SIGN_IN),
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
  return new Uint8Array(sealOf(context).close(String(Date.now() + CHALLENGE_LIFE), purpose));
}

async function takesChallenge(
  context: Context,
  challenge: string,
  purpose: string,
): Promise<boolean> {
  const until = sealOf(context).open(Buffer.from(challenge, 'base64url'), purpose);
  return Number(until) > Date.now() && useChallenge(context.db, challenge);
}

/** The library throws for whatever does not fit. */
async function orRefused<T>(verified: Promise<T>): Promise<T> {
  try {
    return await verified;
  } catch (cause) {
    throw new Refusal('passkeyRefused', undefined, { cause });
  }
}
