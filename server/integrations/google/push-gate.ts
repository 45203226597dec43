import type { OAuth2Client } from 'google-auth-library';
import type { GooglePushConfig } from '../../config.ts';
import { toGoogleFailure } from './failure.ts';
import type { GoogleSignIn } from './sign-in.ts';

type Parts = { config: GooglePushConfig; signIn: GoogleSignIn; audience: string };

/** Characters. What is longer is no token of Google's. */
const LONGEST = 8192;

/** Tells Pub/Sub's calls from everybody else's. */
export class PushGate {
  readonly #parts: Parts;
  /** Keeps Google's keys for as long as Google says that they hold. */
  #client: Promise<OAuth2Client> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * True for a token that Google signed for this very address, in the name of the firm's service account.
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
    // What is wrong with it quotes it, and ends here.
    const ticket = await client.verifyIdToken({ idToken: token, audience }).catch(() => undefined);
    const { email, email_verified: isVerified } = ticket?.getPayload() ?? {};
    return isVerified === true && email?.toLowerCase() === config.account.toLowerCase();
  }
}
