import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { NewPasskeyAnswer, PasskeyAnswer } from '@matterdesk/contract/passkeys.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { Seal } from '../../../db/seal.ts';
import { CHALLENGE_LIFE } from './rules.ts';
import type { PasskeyRow } from './store.passkeys.ts';
import { useChallenge } from './store.passkeys.ts';

const SIGN_IN = 'passkey sign-in';
const purposeOf = (sessionId: string) => `passkey of ${sessionId}`;

type Owner = { id: string; email: string; firstName: string; lastName: string; sessionId: string };

// Loaded with the first passkey, since most starts of the server need none of it.
const library = () => import('@simplewebauthn/server');

/**
 * What browsers and passkeys say to each other. A challenge is sealed with its purpose and its end, so that asking for
 * one stores nothing; only answered ones are stored, because each is answered once.
 */
export class WebAuthn {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #place: { rpID: string; origin: string };

  constructor(db: Database, secretKey: string, publicUrl: string) {
    const { hostname: rpID, origin } = new URL(publicUrl);
    this.#db = db;
    this.#seal = new Seal(secretKey);
    this.#place = { rpID, origin };
  }

  /** @param existing the user's passkeys, which a device does not add again */
  async askForNew({ id, email, firstName, lastName, sessionId }: Owner, existing: PasskeyRow[]) {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: 'Matterdesk',
      rpID: this.#place.rpID,
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: `${firstName} ${lastName}`,
      challenge: this.#challenge(purposeOf(sessionId)),
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
  async readNew(answer: NewPasskeyAnswer, sessionId: string): Promise<WebAuthnCredential> {
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await orRefused(
      verifyRegistrationResponse({
        // The library checks the shape.
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.#takes(challenge, purposeOf(sessionId)),
        expectedOrigin: this.#place.origin,
        expectedRPID: this.#place.rpID,
        requireUserVerification: true,
      }),
    );
    if (!verified) throw new Refusal('passkeyRefused');
    return registrationInfo.credential;
  }

  /** Without a user: the browser offers the passkeys that it has. */
  async askToSignIn() {
    const { generateAuthenticationOptions } = await library();
    const { rpID } = this.#place;
    const challenge = this.#challenge(SIGN_IN);
    const asked = { rpID, challenge, userVerification: 'required' } as const;
    return { ...(await generateAuthenticationOptions(asked)) };
  }

  /** @returns how often the passkey was used, where its device counts @throws Refusal passkeyRefused */
  async readSignIn(answer: PasskeyAnswer, row: PasskeyRow): Promise<number> {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await orRefused(
      verifyAuthenticationResponse({
        // The library checks the shape.
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => this.#takes(challenge, SIGN_IN),
        expectedOrigin: this.#place.origin,
        expectedRPID: this.#place.rpID,
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

  #challenge(purpose: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#seal.close(String(Date.now() + CHALLENGE_LIFE), purpose));
  }

  async #takes(challenge: string, purpose: string): Promise<boolean> {
    const until = this.#seal.open(Buffer.from(challenge, 'base64url'), purpose);
    return Number(until) > Date.now() && useChallenge(this.#db, challenge);
  }
}

/** The library throws for whatever does not fit. */
async function orRefused<T>(verified: Promise<T>): Promise<T> {
  try {
    return await verified;
  } catch (cause) {
    throw new Refusal('passkeyRefused', undefined, { cause });
  }
}
