import {
  Accounts,
  answerOAuth,
  AUTH_PATH,
  CERTS_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
  type GoogleClient,
  type GoogleUser,
} from './google-accounts.ts';
import {
  googleError,
  answerGmail,
  type Gmail,
  type SentMail,
  ACCOUNT,
  Pushes,
  TOPIC,
} from './google-gmail.ts';
import { Mailboxes } from './google-mailbox.ts';
import { startStandIn, type Journaled, type StandIn } from './stand-in.ts';

export type GoogleOptions = {
  users: GoogleUser[];
  /** Initial mail; without labels it is unread in the inbox. */
  messages?: { email: string; raw: string | Buffer; labels?: string[] }[];
  /** The only allowed redirect URL; absent: any. */
  redirectUri?: string;
  clientId?: string;
  clientSecret?: string;
  tokenTtlSeconds?: number;
  /** Called for each mail that the product sends. */
  onSend?: (sent: SentMail) => void;
  port?: number;
};

/** The redirect to the product's page after consent. */
export type ConsentReturn = {
  /** Complete redirect URL. */
  url: string;
  code: string | null;
  state: string | null;
  error: string | null;
};

export type Google = StandIn & {
  /** Variables that point the product at this stand-in. */
  env: Record<string, string>;
  /** Variables that enable pushes, which call `pushes.subscription`. */
  pushEnv: Record<string, string>;
  pushes: Pushes;
  requests: Journaled[];
  /** Delivers an inbound mail. */
  deliver: (
    email: string,
    raw: string | Buffer,
    options?: { labels?: string[] },
  ) => Promise<{ id: string; threadId: string }>;
  /** Grants consent as this account; `scopes` limits the permissions. */
  grant: (
    authUrl: string,
    email: string,
    options?: { scopes?: string[]; deny?: boolean },
  ) => Promise<ConsentReturn>;
  /** Expires every access token; refresh tokens stay valid. */
  expireTokens: () => void;
  /** Revokes every grant, as users can in their account settings. */
  revokeAll: () => void;
  /** Expires all history before now. */
  forgetHistory: () => Promise<void>;
};

const SECRETS = ['token', 'code', 'access_token', 'code_challenge', 'state', 'upload_id'];

/** Google's sign-in and Gmail, with mailboxes in memory. */
export async function startGoogle(options: GoogleOptions): Promise<Google> {
  const { users, messages = [], tokenTtlSeconds = 3600, port } = options;
  const client: GoogleClient = {
    clientId: options.clientId ?? 'stand-in.apps.googleusercontent.com',
    clientSecret: options.clientSecret ?? 'stand-in-secret',
    redirectUri: options.redirectUri,
  };
  const accounts = new Accounts(tokenTtlSeconds);
  const mailboxes = await Mailboxes.open(users);
  const pushes = new Pushes();
  const gmail: Gmail = {
    accounts,
    mailboxes,
    users,
    sessions: new Map(),
    pushes,
    onSend: options.onSend ?? (() => undefined),
    historyFloor: firstChange(),
  };
  const requests: Journaled[] = [];
  const standIn = await startStandIn({
    port,
    journal: ({ method, path, query }) =>
      requests.push({ method, path, query: withoutSecrets(query) }),
    answer: (asked, url) =>
      answerOAuth(asked, { accounts, users, client, url }) ?? answerGmail(gmail, asked, url),
    fail: (status, path) =>
      path === TOKEN_PATH ? { error: 'internal_failure' } : googleError(status),
  });
  const deliver: Google['deliver'] = async (email, raw, { labels = ['INBOX', 'UNREAD'] } = {}) => {
    const delivered = await mailboxes.deliver(email, Buffer.from(raw), labels);
    await pushes.publish(email, await mailboxes.newest([email]));
    return delivered;
  };
  for (const { email, raw, labels } of messages) await deliver(email, raw, labels && { labels });
  return {
    ...standIn,
    env: environment(standIn.url, client),
    pushEnv: { GOOGLE_PUBSUB_TOPIC: TOPIC, GOOGLE_PUBSUB_ACCOUNT: ACCOUNT },
    pushes,
    requests,
    deliver,
    grant: answerConsent,
    expireTokens: () => accounts.expireTokens(),
    revokeAll: () => accounts.revokeAll(),
    async forgetHistory() {
      gmail.historyFloor = 1n + (await mailboxes.newest(users.map(({ email }) => email)));
    },
    async close() {
      await standIn.close();
      await mailboxes.close();
    },
  };
}

/** History numbers start with the time, so that older ones are unknown. */
function firstChange() {
  return BigInt(Date.now()) * 100_000_000n;
}

function environment(url: string, { clientId, clientSecret }: GoogleClient) {
  return {
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_AUTH_URL: url + AUTH_PATH,
    GOOGLE_TOKEN_URL: url + TOKEN_PATH,
    GOOGLE_REVOKE_URL: url + REVOKE_PATH,
    GOOGLE_CERTS_URL: url + CERTS_PATH,
    GMAIL_ROOT_URL: `${url}/`,
  };
}

function withoutSecrets(query: URLSearchParams): Record<string, string> {
  const names = [...new Set(query.keys())];
  const shown = (name: string) => (SECRETS.includes(name) ? '…' : query.getAll(name).join(','));
  return Object.fromEntries(names.map((name) => [name, shown(name)]));
}

/** @throws Error with the page's message when Google would refuse to ask */
async function answerConsent(
  authUrl: string,
  email: string,
  { scopes, deny = false }: { scopes?: string[]; deny?: boolean } = {},
): Promise<ConsentReturn> {
  const page = await fetch(authUrl);
  if (!page.ok) throw new Error(await page.text());
  const form = new URLSearchParams(new URL(authUrl).search);
  form.set('email', email);
  form.set('decision', deny ? 'deny' : 'allow');
  const wanted = (form.get('scope') ?? '').split(/\s+/);
  for (const scope of wanted.filter((one) => scopes?.includes(one) ?? true))
    form.append('granted', scope);
  const answer = await fetch(new URL(`${AUTH_PATH}/consent`, authUrl), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const url = answer.headers.get('location');
  if (url === null) throw new Error(await answer.text());
  const { searchParams } = new URL(url);
  const read = (name: string) => searchParams.get(name);
  return { url, code: read('code'), state: read('state'), error: read('error') };
}
