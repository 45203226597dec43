import { Accounts } from './google-accounts.ts';
import { googleError } from './google-error.ts';
import { answerGmail, type Gmail, type SentMail } from './google-gmail.ts';
import { Mailboxes } from './google-mailbox.ts';
import {
  answerOAuth,
  AUTH_PATH,
  CERTS_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
  type GoogleClient,
  type GoogleUser,
} from './google-oauth.ts';
import { ACCOUNT, Pushes, TOPIC } from './google-pushes.ts';
import { startStandIn, type Journaled, type StandIn } from './stand-in.ts';

export type GoogleOptions = {
  users: GoogleUser[];
  /** Mail that is there from the start; without labels it is unread in the inbox. */
  messages?: { email: string; raw: string | Buffer; labels?: string[] }[];
  /** The one address that a grant may return to; absent: any. */
  redirectUri?: string;
  clientId?: string;
  clientSecret?: string;
  tokenTtlSeconds?: number;
  /** Told of each mail that the product sends. */
  onSend?: (sent: SentMail) => void;
  port?: number;
};

/** What comes back to the product's page after the consent. */
export type Returned = {
  /** The whole address that Google sends the browser to. */
  url: string;
  code: string | null;
  state: string | null;
  error: string | null;
};

export type Google = StandIn & {
  /** The product's variables that point at this stand-in. */
  env: Record<string, string>;
  /** Those with which Google tells of new mail by itself; it calls whom `pushes.subscription` names. */
  pushEnv: Record<string, string>;
  pushes: Pushes;
  requests: Journaled[];
  /** As mail comes in from elsewhere. */
  deliver: (
    email: string,
    raw: string | Buffer,
    options?: { labels?: string[] },
  ) => Promise<{ id: string; threadId: string }>;
  /** Answers the consent page as this person; `scopes`: only these of what was asked for. */
  grant: (
    authUrl: string,
    email: string,
    options?: { scopes?: string[]; deny?: boolean },
  ) => Promise<Returned>;
  /** Every access token dies; refresh tokens live on. */
  expireTokens: () => void;
  /** As when everybody removes the program in their account's settings. */
  revokeAll: () => void;
  /** Histories that begin before now are no longer known. */
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
    await pushes.tell(email, await mailboxes.newest([email]));
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

/** Numbers of changes begin with the time; what is older was never known here. */
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

/** @throws Error with the page's words when Google would not even ask the person */
async function answerConsent(
  authUrl: string,
  email: string,
  { scopes, deny = false }: { scopes?: string[]; deny?: boolean } = {},
): Promise<Returned> {
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
