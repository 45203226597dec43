import { createHash } from 'node:crypto';
import type { OAuth2Client } from 'google-auth-library';
import type { GoogleConfig, GooglePushConfig } from '../../config.ts';
import { GoogleFailure, toGoogleFailure, withBackOff } from './failure.ts';

/** Reading, labels, drafts and sending, without permanent deletion. It includes the profile. */
export const SCOPE = 'https://www.googleapis.com/auth/gmail.modify';

export type Tokens = {
  refreshToken: string;
  accessToken: string;
  scopes: string[];
  /** The account's address, if the sign-in includes it. */
  email: string | undefined;
};

type ConsentRequest = {
  state: string;
  verifier: string;
  /** Suggested account. */
  loginHint: string;
};

/** Google sign-in with the firm's own project. */
export class GoogleSignIn {
  readonly #config: GoogleConfig;
  readonly #redirectUri: string;

  constructor(config: GoogleConfig, publicUrl: string) {
    this.#config = config;
    this.#redirectUri = `${publicUrl}/dashboard/emails`;
  }

  /** Authorization URL. Only `prompt=consent` returns a refresh token again. */
  authorizationUrl({ state, verifier, loginHint }: ConsentRequest): string {
    const url = new URL(this.#config.authUrl);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = {
      client_id: this.#config.clientId,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: SCOPE,
      access_type: 'offline',
      prompt: 'consent',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      login_hint: loginHint,
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  /** @throws GoogleFailure badCode when Google rejects it, or returns no refresh token */
  async exchange(code: string, verifier: string): Promise<Tokens> {
    const client = await this.open();
    try {
      const { tokens } = await client.getToken({ code, codeVerifier: verifier });
      const { refresh_token: refreshToken, access_token: accessToken } = tokens;
      if (!refreshToken || !accessToken) throw new GoogleFailure('badCode');
      // Omitted when it equals the requested scope (RFC 6749, 5.1).
      const scopes = (tokens.scope ?? SCOPE).split(/\s+/);
      return { refreshToken, accessToken, scopes, email: emailIn(tokens.id_token) };
    } catch (error) {
      const failure = toGoogleFailure(error);
      const isOfTheCode = failure.reason === 'revoked' || failure.reason === 'refused';
      throw isOfTheCode ? new GoogleFailure('badCode') : failure;
    }
  }

  /** Unknown tokens count as revoked. @throws GoogleFailure */
  async revoke(token: string): Promise<void> {
    const client = await this.open();
    try {
      const { again } = this.#config.waits;
      await withBackOff(() => client.revokeToken(token), { isHarmless: true, again });
    } catch (error) {
      const failure = toGoogleFailure(error);
      if (failure.reason !== 'refused' && failure.reason !== 'revoked') throw failure;
    }
  }

  /** A client that refreshes its access token. */
  async open(credentials: Partial<Tokens> = {}): Promise<OAuth2Client> {
    // Imported on demand: it costs memory and time at every start.
    const { OAuth2Client } = await import('google-auth-library');
    const { clientId, clientSecret, authUrl, tokenUrl, revokeUrl, waits, push } = this.#config;
    const client = new OAuth2Client({
      clientId,
      clientSecret,
      redirectUri: this.#redirectUri,
      forceRefreshOnFailure: true,
      // Callers retry themselves: the library would multiply their tries.
      transporterOptions: {
        timeout: waits.signIn,
        retryConfig: { retry: 0, noResponseRetries: 0 },
      },
      endpoints: {
        oauth2AuthBaseUrl: authUrl,
        oauth2TokenUrl: tokenUrl,
        oauth2RevokeUrl: revokeUrl,
        ...(push && { oauth2FederatedSignonPemCertsUrl: push.certsUrl }),
      },
    });
    const { refreshToken, accessToken } = credentials;
    client.setCredentials({
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(accessToken !== undefined && { access_token: accessToken }),
    });
    return client;
  }
}

/** A claim of a token that came directly from Google, so its signature adds nothing. */
function emailIn(idToken: string | null | undefined): string | undefined {
  const claims = Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString();
  return /"email"\s*:\s*"([^"\\]+)"/.exec(claims)?.[1];
}

type Parts = { config: GooglePushConfig; signIn: GoogleSignIn; audience: string };

/** Characters. Google's tokens are shorter. */
const MAX_TOKEN_LENGTH = 8192;

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
    if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
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
