import type { OAuth2Client } from 'google-auth-library';
import type { GooglePushConfig } from '../../config.ts';
import { toGoogleFailure } from './failure.ts';
import type { GoogleSignIn } from './sign-in.ts';

type Parts = { config: GooglePushConfig; signIn: GoogleSignIn; audience: string };

/** Characters. Google's tokens are shorter. */
const LONGEST = 8192;

/** Authenticates calls of Pub/Sub. */
export class PushGate {
  readonly #parts: Parts;
  /** Caches Google's keys for as long as Google allows. */
  #client: Promise<OAuth2Client> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * True for a token that Google signed for this URL and the firm's service account.
   * @throws GoogleFailure when Google's keys cannot be read
   */
  async isFromGoogle(token: string): Promise<boolean> {
    const { config, signIn, audience } = this.#parts;
    if (token.length > LONGEST || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
    this.#client ??= signIn.open();
    const client = await this.#client;
    await client.getFederatedSignonCertsAsync().catch((error: unknown) => {
      throw toGoogleFailure(error);
    });
    // The error quotes the token and must end here.
    const ticket = await client.verifyIdToken({ idToken: token, audience }).catch(() => undefined);
    const { email, email_verified: isVerified } = ticket?.getPayload() ?? {};
    return isVerified === true && email?.toLowerCase() === config.account.toLowerCase();
  }
}
