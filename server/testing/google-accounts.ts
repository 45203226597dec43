import {
  createHash,
  randomBytes,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';

/** A user's consent; everything issued for it ends with it. */
export type Grant = {
  email: string;
  scopes: string[];
  refreshToken: string;
  isRevoked: boolean;
};

type Code = { grant: Grant; redirectUri: string; challenge: Challenge; withRefresh: boolean };
export type Challenge = { value: string; method: string } | undefined;

type Token = { grant: Grant; scopes: string[]; expires: number };

type NewCode = {
  email: string;
  scopes: string[];
  redirectUri: string;
  challenge: Challenge;
  /** Google issues refresh tokens with access_type=offline only. */
  isOffline: boolean;
  /** prompt=consent: issues another refresh token. */
  asksConsent: boolean;
};

/** Grants with their codes, access tokens and refresh tokens. */
export class Accounts {
  readonly #grants: Grant[] = [];
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Map<string, Token>();
  /** Lifetime of an access token in milliseconds. */
  readonly #lifetime: number;

  constructor(tokenTtlSeconds: number) {
    this.#lifetime = tokenTtlSeconds * 1000;
  }

  /** A single-use code for the client that holds the challenge's verifier. */
  issueCode({ email, scopes, redirectUri, challenge, isOffline, asksConsent }: NewCode): string {
    const wasGranted = this.#grants.some((grant) => grant.email === email && !grant.isRevoked);
    const grant = { email, scopes, refreshToken: `1//${secret()}`, isRevoked: false };
    const code = `4/${secret()}`;
    const withRefresh = isOffline && (asksConsent || !wasGranted);
    this.#codes.set(code, { grant, redirectUri, challenge, withRefresh });
    return code;
  }

  /** Undefined for codes that are unknown, used, or another client's. */
  redeem(code: string, redirectUri: string, verifier: string) {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found || found.redirectUri !== redirectUri || !proves(found.challenge, verifier))
      return undefined;
    this.#grants.push(found.grant);
    const { refreshToken } = found.grant;
    return { ...this.#issue(found.grant), ...(found.withRefresh && { refreshToken }) };
  }

  /** Undefined for unknown or revoked refresh tokens. */
  refresh(refreshToken: string) {
    const grant = this.#grants.find((one) => one.refreshToken === refreshToken && !one.isRevoked);
    return grant && this.#issue(grant);
  }

  /** Undefined for unknown, expired or revoked access tokens. */
  holder(accessToken: string): Grant | undefined {
    const token = this.#tokens.get(accessToken);
    return token && token.expires > Date.now() && !token.grant.isRevoked ? token.grant : undefined;
  }

  /** Either kind of token ends its whole grant; false for unknown tokens. */
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

const ROOT = 'https://www.googleapis.com/auth/gmail.';
const ALL = 'https://mail.google.com/';

/** Whether these permissions allow a mailbox operation; `path` begins after the account. */
export function mayDo(scopes: string[], method: string, path: string): boolean {
  const allowed = [ALL, ...enough(method, path).map((name) => ROOT + name)];
  return scopes.some((scope) => allowed.includes(scope));
}

function enough(method: string, path: string): string[] {
  if (path === 'profile') return ['modify', 'compose', 'readonly', 'metadata'];
  if (path === 'messages/send' || path === 'drafts/send')
    return path.startsWith('drafts') ? ['modify', 'compose'] : ['modify', 'compose', 'send'];
  if (path.startsWith('drafts'))
    return method === 'GET' ? ['modify', 'compose', 'readonly'] : ['modify', 'compose'];
  if (path.startsWith('labels'))
    return method === 'GET' ? ['modify', 'readonly', 'labels', 'metadata'] : ['modify', 'labels'];
  if (path === 'messages/import' || (path === 'messages' && method === 'POST'))
    return ['modify', 'insert'];
  if (path === 'watch' || path === 'stop') return ['modify', 'readonly', 'metadata'];
  // Permanent deletion requires full access.
  if (method === 'DELETE' || path === 'messages/batchDelete') return [];
  if (method !== 'GET') return ['modify'];
  return path.includes('/attachments/')
    ? ['modify', 'readonly']
    : ['modify', 'readonly', 'metadata'];
}

const NAME = 'stand-in';

let keys: ReturnType<typeof newKeys> | undefined;

/** A third party's key. */
export function newKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Generated on demand, which takes a while. */
function ownKeys() {
  keys ??= newKeys();
  return keys;
}

/** Google's public keys for verifying signatures. */
export function jsonKeys() {
  const key = createPublicKey(ownKeys().publicKey.export({ type: 'spki', format: 'pem' }));
  return { keys: [{ ...key.export({ format: 'jwk' }), kid: NAME, alg: 'RS256', use: 'sig' }] };
}

/** The same by id, as PEM. */
export function pemKeys() {
  return { [NAME]: ownKeys().publicKey.export({ type: 'spki', format: 'pem' }) };
}

/** A token signed by Google, or forged by a third party. */
export function signJwt(claims: object, key: KeyObject = ownKeys().privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: NAME, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
