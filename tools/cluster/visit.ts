import { chromium } from 'playwright-core';
import { PASSWORD } from '@matterdesk/server/testing/factories.ts';
import { browserArguments, findBrowser } from '../e2e/support/browser.ts';

/** What the user has typed into a dialog and not yet saved. */
export const TYPED = 'Typed before the update';

/** Someone with a page open, in the middle of a form. */
export type Visit = {
  /** Requests that failed or were refused, and errors on the page. */
  failures: string[];
  isOfferedReload: () => Promise<boolean>;
  typed: () => Promise<string>;
  /** Leaves the form and accepts the offer. */
  reload: () => Promise<void>;
  /** The build that the page names. */
  build: () => Promise<string | null>;
  close: () => Promise<void>;
};

export async function openVisit(url: string, email: string): Promise<Visit> {
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, env, args: browserArguments });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // The page itself gives up requests when it is left or asks for something else.
    if (why !== 'net::ERR_ABORTED') failures.push(`${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (reply) => {
    if (reply.status() >= 400) failures.push(`${reply.status()} ${reply.url()}`);
  });
  await page.goto(url);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: 'Matters' }).first().click();
  await page.getByRole('button', { name: 'New Case' }).click();
  const field = page.getByLabel('Case Name');
  await field.fill(TYPED);
  return {
    failures,
    isOfferedReload: () => page.getByText('A new version is available.').isVisible(),
    typed: () => field.inputValue(),
    async reload() {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await loaded;
    },
    build: () => page.locator('meta[name=build]').getAttribute('content'),
    close: () => browser.close(),
  };
}
