import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/expect.ts';
import { test as base } from './support/fixtures.ts';
import { startMatterdesk, type Matterdesk } from './support/matterdesk.ts';

const PASSWORD = 'correct horse battery';

/** A product without any account, for one test. */
const test = base.extend<{ fresh: Matterdesk }>({
  fresh: async ({ browserName: _any }, use) => {
    const product = await startMatterdesk({ env: { LOG_LEVEL: 'warn' } });
    await use(product);
    await product.stop();
  },
});

/** Registers the first account as a plain user, and signs in with it. */
async function enter(page: Page, { url }: Matterdesk): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page.getByText('so it is the firm’s admin, whichever you choose')).toBeVisible();
  await page.getByLabel('First Name').fill('Ama');
  await page.getByLabel('Last Name').fill('Owusu');
  await page.getByLabel('Email').fill('ama@firm.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Phone Number').fill('1 212 555 0101');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('ama@firm.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
}

const setUp = (page: Page) => page.getByRole('region', { name: 'Set up the firm' });

test('the first user of an installation becomes its admin and sets up the firm, once', async ({
  page,
  fresh,
}) => {
  await enter(page, fresh);
  await expect(setUp(page).getByRole('combobox', { name: 'Time zone' })).toHaveText(
    'America/New York',
  );
  await expectAccessible(page);
  await setUp(page).getByRole('button', { name: 'Save' }).click();
  await expect(setUp(page).getByText('Name is required')).toBeVisible();
  await setUp(page).getByLabel('Firm name').fill('Owusu Law');
  await setUp(page).getByLabel('Morning').fill('06:45');
  await setUp(page).getByLabel('Office address').fill('1 Court Plaza\nAlbany NY');
  await setUp(page).getByRole('button', { name: 'Save' }).click();
  await expect(setUp(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Ama$/);
  await expect(setUp(page)).toBeHidden();
  await page.getByRole('link', { name: 'Firm', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Owusu Law');
  await expect(page.getByLabel('Address')).toHaveValue('1 Court Plaza\nAlbany NY');
  await expect(page.getByLabel('Morning')).toHaveValue('06:45');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveText('America/New York');
});

test.describe('far from the server', () => {
  test.use({ timezoneId: 'America/Los_Angeles' });

  test('the first user who puts the setup off keeps the time zone of the browser', async ({
    page,
    fresh,
  }) => {
    await enter(page, fresh);
    await setUp(page).getByRole('button', { name: 'Not now' }).click();
    await expect(setUp(page)).toBeHidden();
    await page.getByRole('link', { name: 'Firm', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveText(
      'America/Los Angeles',
    );
  });
});

test('the first user is shown how to connect email and texting, and where tasks begin', async ({
  page,
  fresh,
}) => {
  await enter(page, fresh);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Emails' }).click();
  await expect(page.getByText('Email isn’t set up yet')).toBeVisible();
  await expect(page.getByText('GOOGLE_CLIENT_ID')).toBeHidden();
  await page.getByRole('link', { name: 'How to set up email' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Email through/);
  await expect(page.getByText('https://desk.firm.example/dashboard/emails')).toBeVisible();
  await expectAccessible(page);
  await nav.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('link', { name: 'How to set up texting' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Text messages through/);
  await nav.getByRole('link', { name: /^Tasks/ }).click();
  await page.getByRole('link', { name: 'New Case' }).click();
  await expect(page.getByRole('dialog', { name: 'Add New Case' })).toBeVisible();
});
