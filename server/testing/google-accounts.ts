import { createHash, randomBytes } from 'node:crypto';

/** What somebody agreed to; everything issued for it dies with it. */
export type Grant = {
  email: string;
  scopes: string[];
  refreshToken: string;
  isRevoked: boolean;
};

type Code = { grant: Grant; redirectUri: string; challenge: Challenge; withRefresh: boolean };
export type Challenge = { value: string; method: string } | undefined;

type Token = { grant: Grant; scopes: string[]; expires: number };

export type NewCode = {
  email: string;
  scopes: string[];
  redirectUri: string;
  challenge: Challenge;
  /** Only with access_type=offline does Google issue a refresh token. */
  isOffline: boolean;
  /** prompt=consent: a refresh token although there was one before. */
  isAfresh: boolean;
};

/** Who let whom do what: codes, access tokens and refresh tokens as Google keeps them. */
export class Accounts {
  readonly #grants: Grant[] = [];
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Map<string, Token>();
  /** Milliseconds that an access token lives. */
  readonly #lifetime: number;

  constructor(tokenTtlSeconds: number) {
    this.#lifetime = tokenTtlSeconds * 1000;
  }

  /** A code that works once, for the asker that holds the challenge's verifier. */
  issueCode({ email, scopes, redirectUri, challenge, isOffline, isAfresh }: NewCode): string {
    const wasGranted = this.#grants.some((grant) => grant.email === email && !grant.isRevoked);
    const grant = { email, scopes, refreshToken: `1//${secret()}`, isRevoked: false };
    const code = `4/${secret()}`;
    const withRefresh = isOffline && (isAfresh || !wasGranted);
    this.#codes.set(code, { grant, redirectUri, challenge, withRefresh });
    return code;
  }

  /** Undefined: the code is unknown, used, or meant for another asker. */
  redeem(code: string, redirectUri: string, verifier: string) {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found || found.redirectUri !== redirectUri || !proves(found.challenge, verifier))
      return undefined;
    this.#grants.push(found.grant);
    const { refreshToken } = found.grant;
    return { ...this.#issue(found.grant), ...(found.withRefresh && { refreshToken }) };
  }

  /** Undefined: the refresh token is unknown or revoked. */
  refresh(refreshToken: string) {
    const grant = this.#grants.find((one) => one.refreshToken === refreshToken && !one.isRevoked);
    return grant && this.#issue(grant);
  }

  /** Undefined: the access token is unknown, expired or revoked. */
  holder(accessToken: string): Grant | undefined {
    const token = this.#tokens.get(accessToken);
    return token && token.expires > Date.now() && !token.grant.isRevoked ? token.grant : undefined;
  }

  /** Either kind of token ends its whole grant; false: nobody knows it. */
  revoke(token: string): boolean {
    const grant =
      this.#tokens.get(token)?.grant ?? this.#grants.find((one) => one.refreshToken === token);
    if (!grant || grant.isRevoked) return false;
    grant.isRevoked = true;
    return true;
  }

  revokeAll() {
    for (const grant of this.#grants) grant.isRevoked = true;
  }

  expireTokens() {
    this.#tokens.clear();
  }

  #issue(grant: Grant) {
    const accessToken = `ya29.${secret()}`;
    const expires = Date.now() + this.#lifetime;
    this.#tokens.set(accessToken, { grant, scopes: grant.scopes, expires });
    return { grant, accessToken, expiresIn: Math.round(this.#lifetime / 1000) };
  }
}

function proves(challenge: Challenge, verifier: string): boolean {
  if (!challenge) return true;
  if (challenge.method !== 'S256') return verifier === challenge.value;
  return createHash('sha256').update(verifier).digest('base64url') === challenge.value;
}

function secret() {
  return randomBytes(32).toString('base64url');
}
