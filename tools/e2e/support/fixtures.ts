import { test as base, expect, type Page, type Route as BrowserRoute } from '@playwright/test';
import { accountRoutes, type Registration, type SignedIn } from '@matterdesk/contract/accounts.ts';
import { errorCodes, type ErrorCode, type FieldError } from '@matterdesk/contract/errors.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { type CallOptions, createClient } from '@matterdesk/server/testing/client.ts';
import { newPerson } from '@matterdesk/server/testing/factories.ts';
import { startMatterdesk, type Matterdesk } from './matterdesk.ts';

/** A user with an account, signed in through the API. */
export type Person = SignedIn & { password: string };

/** A worker's product, and what specs do without the screen. */
export type Firm = Matterdesk & {
  /** Calls any route; throws unless it succeeds. */
  call: <R extends Route>(route: R, sent?: CallOptions<R>) => Promise<RouteReply<R>>;
  /** A new signed-in account with a unique address. */
  register: (own?: Partial<Registration>) => Promise<Person>;
  /** Another session of the same user. */
  login: (person: Pick<Person, 'email' | 'password'>) => Promise<SignedIn>;
  /** Puts the browser into the state after a sign-in; the test navigates itself. */
  signIn: (page: Page, person: SignedIn) => Promise<void>;
};

type TestFixtures = { soundPage: void };
type WorkerFixtures = {
  /** Variables of a spec's product. */
  environment: Record<string, string>;
  /** Host name for the browser: passkeys need a name. */
  hostname: string;
  matterdesk: Firm;
};

/** Color schemes, with the tag of the window to see each in. */
export const themes = [
  ['light', ''],
  ['dark', ' @phone'],
] as const;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  environment: [{}, { scope: 'worker' }],
  hostname: ['127.0.0.1', { scope: 'worker' }],
  matterdesk: [
    async ({ environment, hostname }, use) => {
      const env = { LOG_LEVEL: 'warn', ...environment };
      const product = await startMatterdesk({ hostname, env });
      const firm = openFirm(product);
      await found(firm);
      await use(firm);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ matterdesk }, use) => use(matterdesk.url),
  // Window sizes share one product.
  viewport: async ({ browserName: _any }, use, { tags }) =>
    use(tags.includes('@phone') ? { width: 390, height: 844 } : { width: 1440, height: 900 }),
  hasTouch: async ({ browserName: _any }, use, { tags }) => use(tags.includes('@phone')),
  // Asserted for every spec: no exceptions, and no violations of the content policy.
  soundPage: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) faults.push(message.text());
      });
      await use();
      expect(faults).toEqual([]);
      // Other users' browsers of this test would receive and draw events of the next one.
      const others = page.context().browser()?.contexts() ?? [];
      for (const other of others) if (other !== page.context()) await other.close();
    },
    { auto: true },
  ],
});

/** Registers the first account, which is an admin in every case, and answers what a new firm is asked. */
async function found({ register, call }: Firm): Promise<void> {
  const { token } = await register();
  await call(firmRoutes.changeFirm, { token, body: { setUp: true } });
}

function openFirm(product: Matterdesk): Firm {
  const login: Firm['login'] = ({ email, password }) =>
    call(product.url, accountRoutes.login, { body: { email, password } });
  return {
    ...product,
    login,
    call: (route, sent) => call(product.url, route, sent),
    async register(own) {
      const person = newPerson(own);
      await call(product.url, accountRoutes.register, { body: person });
      return { ...(await login(person)), password: person.password };
    },
    async signIn(page, { token, ...current }) {
      const kept = { name: 'redux-user', value: JSON.stringify({ current, token }) };
      const { hostname } = new URL(product.url);
      const cookie = { name: 'matterdesk_session', value: token, domain: hostname };
      await page.context().setStorageState({
        cookies: [{ ...cookie, ...cookieOptions }],
        origins: [{ origin: product.url, localStorage: [kept] }],
      });
    },
  };
}

const cookieOptions = {
  path: '/api/v1',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Strict',
} as const;

/** Signs in through the form. */
export async function logIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Calls the product like a script. Throws the reply's text unless it succeeds. */
export async function call<R extends Route>(
  url: string,
  route: R,
  sent?: CallOptions<R>,
): Promise<RouteReply<R>> {
  const { status, text, body } = await createClient(url).call(route, sent);
  if (status !== (route.status ?? 200))
    throw new Error(`${route.method} ${route.path} answered ${status}: ${text}`);
  return body;
}

/** A server refusal for `route.fulfill`. */
export function refusal(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const { status } = errorCodes[code];
  return { status, json: { statusCode: status, code, message, body: null, errors } };
}

/** Holds requests from now on, until the returned function releases them. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  options?: { times: number },
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = async (route: BrowserRoute) => {
    await promise;
    await route.continue();
  };
  await page.route(url, hold, options);
  return resolve;
}
