import { expect, test, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';

test.describe.configure({ mode: 'serial' });

let sandbox: Sandbox | undefined;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  sandbox = await openSandbox({ pace: 12 });
});

test.afterAll(async () => {
  await sandbox?.close();
});

async function signIn(page: Page, firstName: string) {
  const url = sandbox?.url ?? '';
  const email = new RegExp(`${firstName}\\S+`).exec(sandbox?.output() ?? '')?.[0] ?? '';
  await page.goto(url);
  await expect(page.getByText('Sandbox: nothing leaves this machine')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('matterdesk-demo');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
  await expect(page.getByText('Sandbox: nothing leaves this machine')).toBeVisible();
}

test('connects a mailbox, and mail comes in by itself', async ({ page }) => {
  await signIn(page, 'ama');
  await page.getByRole('link', { name: 'Emails' }).click();
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await expect(page.getByText('This page stands in for Google')).toBeVisible();
  await page.getByLabel('Ama Owusu').check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('NOTICE OF HEARING').first()).toBeVisible();
});

test('closes without a trace', async () => {
  expect(await sandbox?.close()).toEqual({
    code: 0,
    last: 'The sandbox is closed.',
    left: [],
  });
  await expect(fetch(sandbox?.url ?? '')).rejects.toThrow('fetch failed');
  sandbox = undefined;
});
