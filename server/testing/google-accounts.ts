import {
  createHash,
  randomBytes,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { StandInReply, StandInRequest } from './stand-in.ts';

/** A user's consent; everything issued for it ends with it. */
type Grant = {
  email: string;
  scopes: string[];
  refreshToken: string;
  isRevoked: boolean;
};

type Code = { grant: Grant; redirectUri: string; challenge: Challenge; withRefresh: boolean };
type Challenge = { value: string; method: string } | undefined;

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
function jsonKeys() {
  const key = createPublicKey(ownKeys().publicKey.export({ type: 'spki', format: 'pem' }));
  return { keys: [{ ...key.export({ format: 'jwk' }), kid: NAME, alg: 'RS256', use: 'sig' }] };
}

/** The same by id, as PEM. */
function pemKeys() {
  return { [NAME]: ownKeys().publicKey.export({ type: 'spki', format: 'pem' }) };
}

/** A token signed by Google, or forged by a third party. */
export function signJwt(claims: object, key: KeyObject = ownKeys().privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: NAME, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

export type GoogleUser = { email: string; name: string };

export type GoogleClient = {
  clientId: string;
  clientSecret: string;
  /** Absent: any URL is accepted. */
  redirectUri: string | undefined;
};

type World = { accounts: Accounts; users: GoogleUser[]; client: GoogleClient; url: string };
type Route = (asked: StandInRequest, world: World) => StandInReply;

export const AUTH_PATH = '/o/oauth2/v2/auth';
export const TOKEN_PATH = '/oauth2/token';
export const REVOKE_PATH = '/oauth2/revoke';
export const CERTS_PATH = '/oauth2/v1/certs';
const CONSENT_PATH = `${AUTH_PATH}/consent`;

/** Cache lifetime of Google's keys. */
const KEPT = { 'cache-control': 'public, max-age=3600' };

const routes: Record<string, Route> = {
  [`GET ${AUTH_PATH}`]: ask,
  [`POST ${CONSENT_PATH}`]: decide,
  [`POST ${TOKEN_PATH}`]: issue,
  [`POST ${REVOKE_PATH}`]: revoke,
  'GET /oauth2/v3/certs': () => ({ status: 200, body: jsonKeys() }),
  [`GET ${CERTS_PATH}`]: () => ({ status: 200, headers: KEPT, body: pemKeys() }),
  'GET /oauth2/v3/userinfo': describeUser,
  'GET /tokeninfo': describeToken,
};

/** Undefined for requests outside of OAuth. */
export function answerOAuth(asked: StandInRequest, world: World): StandInReply | undefined {
  return routes[`${asked.method} ${asked.path}`]?.(asked, world);
}

/** The bearer token, valid or not. */
export function bearer({ headers, query }: StandInRequest): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? query.get('access_token') ?? '';
}

function ask({ query }: StandInRequest, { client, users }: World): StandInReply {
  const request = Object.fromEntries(query);
  const wrong = mistake(request, client);
  if (wrong) return html(400, refusalPage(wrong));
  const scopes = (request['scope'] ?? '').split(/\s+/).filter(Boolean);
  return html(200, consentPage({ action: CONSENT_PATH, users, scopes, request }));
}

function mistake(request: Record<string, string>, { clientId, redirectUri }: GoogleClient) {
  if (request['client_id'] !== clientId) return 'invalid_client: the client was not found.';
  const wanted = request['redirect_uri'];
  if (!wanted || (redirectUri !== undefined && wanted !== redirectUri))
    return `redirect_uri_mismatch: ${wanted} is not registered for this client.`;
  if (request['response_type'] !== 'code') return 'unsupported_response_type';
  return request['scope'] ? undefined : 'invalid_request: Missing required parameter: scope';
}

function decide({ body }: StandInRequest, { accounts, client, users }: World): StandInReply {
  const form = new URLSearchParams(body.toString());
  const request = Object.fromEntries(form);
  const wrong = mistake(request, client);
  if (wrong) return html(400, refusalPage(wrong));
  const back = new URL(request['redirect_uri'] ?? '');
  const say = (name: string, value: string | undefined) =>
    value !== undefined && back.searchParams.set(name, value);
  say('state', request['state']);
  const email = users.find((user) => user.email === request['email'])?.email;
  if (request['decision'] !== 'allow' || !email) say('error', 'access_denied');
  else {
    const scopes = form.getAll('granted');
    say('code', accounts.issueCode({ ...terms(request), email, scopes }));
    say('scope', scopes.join(' '));
    say('authuser', '0');
    say('prompt', request['prompt'] ?? 'none');
  }
  return { status: 302, headers: { location: back.href } };
}

function terms(request: Record<string, string>) {
  const value = request['code_challenge'];
  const challenge: Challenge = value
    ? { value, method: request['code_challenge_method'] ?? 'plain' }
    : undefined;
  return {
    redirectUri: request['redirect_uri'] ?? '',
    challenge,
    isOffline: request['access_type'] === 'offline',
    asksConsent: (request['prompt'] ?? '').split(' ').includes('consent'),
  };
}

function issue({ body, headers }: StandInRequest, world: World): StandInReply {
  const form = Object.fromEntries(new URLSearchParams(body.toString()));
  const { accounts, client } = world;
  const [id, secret] = basic(headers.authorization) ?? [form['client_id'], form['client_secret']];
  if (id !== client.clientId || secret !== client.clientSecret)
    return problem(401, 'invalid_client', 'The provided client secret is invalid.');
  if (form['grant_type'] === 'refresh_token') {
    const issued = accounts.refresh(form['refresh_token'] ?? '');
    return issued
      ? tokens(issued, world)
      : problem(400, 'invalid_grant', 'Token has been expired or revoked.');
  }
  if (form['grant_type'] !== 'authorization_code')
    return problem(400, 'unsupported_grant_type', `Invalid grant_type: ${form['grant_type']}`);
  const verifier = form['code_verifier'] ?? '';
  const issued = accounts.redeem(form['code'] ?? '', form['redirect_uri'] ?? '', verifier);
  return issued ? tokens(issued, world) : problem(400, 'invalid_grant', 'Bad Request');
}

function basic(authorization: string | undefined): string[] | undefined {
  const encoded = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  return encoded === undefined
    ? undefined
    : Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent);
}

type Issued = { grant: Grant; accessToken: string; expiresIn: number; refreshToken?: string };

function tokens(
  { grant, accessToken, expiresIn, refreshToken }: Issued,
  world: World,
): StandInReply {
  return {
    status: 200,
    body: {
      access_token: accessToken,
      expires_in: expiresIn,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      ...(grant.scopes.includes('openid') && { id_token: identity(grant, expiresIn, world) }),
    },
  };
}

function revoke({ query, body }: StandInRequest, { accounts }: World): StandInReply {
  const token = query.get('token') ?? new URLSearchParams(body.toString()).get('token') ?? '';
  return accounts.revoke(token)
    ? { status: 200, body: {} }
    : problem(400, 'invalid_token', 'Token expired or revoked');
}

function describeUser(asked: StandInRequest, { accounts, users }: World): StandInReply {
  const grant = accounts.holder(bearer(asked));
  const user = users.find(({ email }) => email === grant?.email);
  return user
    ? { status: 200, body: { sub: subject(user.email), email_verified: true, ...user } }
    : problem(401, 'invalid_request', 'Invalid Credentials');
}

function describeToken(asked: StandInRequest, { accounts, client }: World): StandInReply {
  const grant = accounts.holder(bearer(asked));
  if (!grant) return problem(400, 'invalid_token', 'Invalid Value');
  const { email, scopes } = grant;
  return { status: 200, body: { aud: client.clientId, scope: scopes.join(' '), email } };
}

function identity({ email }: Grant, expiresIn: number, { users, client }: World): string {
  const now = Math.floor(Date.now() / 1000);
  const name = users.find((user) => user.email === email)?.name;
  const claims = {
    iss: 'https://accounts.google.com',
    aud: client.clientId,
    sub: subject(email),
    iat: now,
    exp: now + expiresIn,
    email,
    email_verified: true,
    name,
  };
  return signJwt(claims);
}

/** Digits like Google's account numbers. */
function subject(email: string) {
  return BigInt(`0x${Buffer.from(email).toString('hex').slice(0, 16)}`)
    .toString()
    .padStart(21, '1');
}

function problem(status: number, error: string, description: string): StandInReply {
  return { status, body: { error, error_description: description } };
}

function html(status: number, page: string): StandInReply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page };
}

/** A consent request. */
type Consent = {
  action: string;
  users: { email: string; name: string }[];
  scopes: string[];
  /** Returned with the answer. */
  request: Record<string, string>;
};

const WORDS: Record<string, string> = {
  openid: 'Know who you are',
  'https://www.googleapis.com/auth/userinfo.email': 'See your e-mail address',
  'https://www.googleapis.com/auth/gmail.modify': 'Read, compose and send e-mail',
  'https://www.googleapis.com/auth/gmail.readonly': 'Read your e-mail',
  'https://www.googleapis.com/auth/gmail.compose': 'Manage drafts and send e-mail',
  'https://www.googleapis.com/auth/gmail.send': 'Send e-mail on your behalf',
};

/** The page with accounts, optional permissions, Allow and Deny. */
function consentPage({ action, users, scopes, request }: Consent): string {
  const chosen = request['login_hint'] ?? users[0]?.email;
  const accounts = users.map(({ email, name }) =>
    choice(
      'radio',
      { name: 'email', value: email, isChecked: email === chosen },
      `${name} (${email})`,
    ),
  );
  const permissions = scopes.map((scope) =>
    choice('checkbox', { name: 'granted', value: scope, isChecked: true }, WORDS[scope] ?? scope),
  );
  const hidden = Object.entries(request).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return page(
    'Sign in with Google (stand-in)',
    `<p>This page stands in for Google. Nothing leaves this machine.</p>
    <form method="post" action="${escape(action)}">
      ${hidden.join('')}
      <fieldset><legend>Choose an account</legend>${accounts.join('')}</fieldset>
      <fieldset><legend>The program asks to</legend>${permissions.join('')}</fieldset>
      <p><button name="decision" value="deny">Deny</button>
      <button name="decision" value="allow" class="main">Allow</button></p>
    </form>`,
  );
}

/** The page for an invalid request. */
function refusalPage(reason: string): string {
  return page('Access blocked: authorization error', `<p>${escape(reason)}</p>`);
}

function choice(
  type: 'radio' | 'checkbox',
  { name, value, isChecked }: { name: string; value: string; isChecked: boolean },
  label: string,
) {
  const checked = isChecked ? ' checked' : '';
  return `<label><input type="${type}" name="${name}" value="${escape(value)}"${checked}> ${escape(label)}</label>`;
}

function page(title: string, body: string) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${escape(title)}</title><style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #202124 }
    fieldset { border: 1px solid #dadce0; border-radius: .5rem; margin: 1rem 0; padding: 1rem }
    label { display: block; padding: .25rem 0; overflow-wrap: anywhere }
    button { font: inherit; padding: .5rem 1.5rem; border: 1px solid #dadce0; border-radius: .25rem; background: #fff }
    .main { background: #1a73e8; color: #fff; border-color: #1a73e8 }
    </style><h1>${escape(title)}</h1>${body}</html>`;
}

function escape(text: string) {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
