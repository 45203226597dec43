import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { mailPushRoutes, mailAccountRoutes } from '@matterdesk/contract/mails.ts';
import {
  type Prepare,
  preparedBy,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from './app.ts';
import type { SignedInPerson } from './factories.ts';
import { startGoogle, type Google, type GoogleOptions } from './google.ts';

export const ADA = { email: 'ada@firm.example', name: 'Ada Lovelace' };
export const BEN = { email: 'ben@firm.example', name: 'Ben Okri' };

const PUBLIC_URL = 'http://desk.example';
const HOUR = 3600_000;

export type MailTest = {
  app: TestApp;
  google: Google;
  /** A second process of the same firm, which `close` leaves running. */
  startBeside: (options?: TestAppOptions) => Promise<TestApp>;
  close: () => Promise<void>;
};

type MailTestOptions = Pick<GoogleOptions, 'messages' | 'onSend'> & {
  /** Whether Google pushes new mail. */
  isPushed?: boolean;
};

/** The application with a stand-in for Google that has mailboxes of Ada and Ben. */
export async function startMailTest(
  { messages = [], isPushed = false, ...listening }: MailTestOptions = {},
  options: TestAppOptions = {},
): Promise<MailTest> {
  const redirectUri = `${PUBLIC_URL}/dashboard/emails`;
  const google = await startGoogle({ users: [ADA, BEN], redirectUri, messages, ...listening });
  const env = { ...google.env, ...(isPushed && google.pushEnv), PUBLIC_URL, ...options.env };
  // Retries are as usual, but with shorter waits; tests trigger the rounds for new mail.
  const all = { waits: { google: { again: 4, tick: HOUR } }, ...options, env };
  const app = await startTestApp(all);
  const { path } = mailPushRoutes.receivePush;
  if (isPushed)
    google.pushes.subscription = { endpoint: app.url + path, audience: PUBLIC_URL + path };
  return {
    app,
    google,
    startBeside: (own) => startTestApp({ ...all, database: app.database, ...own }),
    async close() {
      await app.close();
      await google.close();
    },
  };
}

type Mailboxes = Record<string, Prepare<MailTest>>;
type SuiteOptions = MailTestOptions & {
  /** Whether each test has its own application. */
  isFresh?: boolean;
};

/** `suite()` with a stand-in for Google. */
export function mailSuite<T extends Mailboxes>(
  prepare: T,
  { isFresh = false, ...options }: SuiteOptions = {},
) {
  const running = {} as MailTest;
  const { prepared, fill } = preparedBy<MailTest, T>(prepare);
  const [before, after] = isFresh ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    Object.assign(running, await startMailTest(options));
    await fill(running);
  });
  after(() => running.close());
  return { ...prepared, running };
}

/** Prepares a person who is connected to this account. */
export function connected(
  register: (app: TestApp) => Promise<SignedInPerson>,
  { email } = ADA,
): (test: MailTest) => Promise<SignedInPerson> {
  return async (test) => {
    const person = await register(test.app);
    await connect(test, person, email);
    return person;
  };
}

/** The product in this process or in its own, and the stand-in. */
type MailConnection = { app: Pick<TestApp, 'call'>; google: Google };

/** Makes every mailbox due for a check. */
export async function makeDue({ app }: Pick<MailTest, 'app'>): Promise<void> {
  await app.db
    .updateTable('google_grants')
    .set({ poll_at: new Date(0) })
    .execute();
}

type Answer = Parameters<Google['grant']>[2] & { account?: string };

/** Connects Google with the given account. */
export async function grant(
  { app, google }: MailConnection,
  { token }: Pick<SignedInPerson, 'token'>,
  { account = ADA.email, ...answer }: Answer = {},
) {
  const asked = await app.call(mailAccountRoutes.startConnecting, { token });
  const { code, state } = await google.grant(asked.body.data, account, answer);
  return { code: code ?? '', state: state ?? '' };
}

/** A user connected to this account. */
export async function connect(test: MailConnection, person: SignedInPerson, account = ADA.email) {
  const body = { ...(await grant(test, person, { account })), userEmail: person.email };
  const { token } = person;
  const reply = await test.app.call(mailAccountRoutes.finishConnecting, { token, body });
  if (reply.status !== 200) throw new Error(`not connected: ${reply.text}`);
  return reply.body.data;
}

type PlainMail = {
  from?: string;
  to?: string;
  subject?: string;
  text?: string;
  date?: Date;
  headers?: string[];
};

/** A plain inbound mail. */
export function plainMail({
  from = 'Jane Doe <jane.doe@client.example>',
  to = ADA.email,
  subject = 'The lease',
  text = 'Please call me.',
  date = new Date('2026-11-02T10:00:00Z'),
  headers = [],
}: PlainMail = {}): string {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${Math.random().toString(36).slice(2)}@client.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
