import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { sendFile } from '@matterdesk/server/testing/uploads.ts';
import { expectAccessible } from './support/expect.ts';
import { test, type Firm } from './support/fixtures.ts';
import { openTab } from './support/matters.ts';

const lease = (sum: string) => `The tenant pays a monthly rent of ${sum} dollars.`;

test('a file gets a new version, an answer keeps its page, and an earlier version is restored', async ({
  matterdesk,
  page,
}) => {
  await openLease(matterdesk, page);
  await page.getByRole('button', { name: 'Train AI' }).click();
  const chatButton = page.getByRole('button', { name: 'Chat', exact: true });
  await expect(chatButton).toBeVisible({ timeout: 20_000 });
  await chatButton.click();
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await chat.getByRole('textbox').fill('What is the monthly rent?');
  await chat.getByRole('button', { name: 'Send' }).click();
  await expect(chat.locator('mark')).toContainText('1,200 dollars');
  await expect(chat.getByText('not the newest')).toBeHidden();

  await chooseVersion(page, 'Lease, amended.txt', lease('1,350'));
  await expect(notification(page, 'New version of Lease.txt uploaded')).toBeVisible();
  await expect(page.getByTitle('Version 2')).toHaveText('v2');
  await expect(chat.getByText('From version 1, not the newest')).toBeVisible();
  await expect(chatButton).toBeVisible({ timeout: 20_000 });
  await chat.getByRole('button', { name: 'Page 1', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'Lease.txt' });
  await expect(preview.getByText('Version 1. The newest is version 2.')).toBeVisible();
  await expect(preview.locator('mark')).toContainText('1,200 dollars');
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Show the newest' }).click();
  await expect(preview.getByText(lease('1,350'))).toBeVisible();
  await expect(preview.getByText('The newest is')).toBeHidden();
  await preview.getByRole('button', { name: 'Close preview' }).click();
  await chat.getByRole('button', { name: 'Close chat' }).click();

  await openMenu(page, 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Version 2\s*Newest/, /Version 1/]);
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(notification(page, 'Version 1 restored as version 3')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Open version 2' }).click();
  await expect(preview.getByText(lease('1,350'))).toBeVisible();
  await expect(preview.getByText('Version 2. The newest is version 3.')).toBeVisible();
  await preview.getByRole('button', { name: 'Close preview' }).click();
  await page.getByRole('link', { name: 'Lease.txt', exact: true }).click();
  await expect(preview.getByText(lease('1,200'))).toBeVisible();
});

test('a new version that is refused says why, beside its file', async ({ matterdesk, page }) => {
  await openLease(matterdesk, page);
  await chooseVersion(page, 'Lease.txt', lease('1,200'));
  await expect(page.getByText('The newest version has this content already')).toBeVisible();
  await page.getByRole('button', { name: 'Forget Lease.txt' }).click();
  await chooseVersion(page, 'Lease.csv', 'a,b');
  await expect(page.getByText('A new version of Lease.txt must be a .txt file')).toBeVisible();
  await page.getByRole('button', { name: 'Forget Lease.csv' }).click();
  await expect(page.getByTitle(/^Version/)).toBeHidden();
});

/** A matter with one file, opened from the dashboard. */
async function openLease(firm: Firm, page: Page) {
  const admin = await firm.register({ role: 'admin' });
  const { token } = admin;
  const { case: opened } = await firm.call(caseRoutes.openCase, { token, body: newCase() });
  const file = { name: 'Lease.txt', bytes: Buffer.from(lease('1,200')) };
  const place = { token, caseId: opened.id, folder: 'Documents' };
  expect(await sendFile(createClient(firm.url), place, file)).toMatchObject({ status: 201 });
  await firm.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: opened.caseName }).first().click();
  await openTab(page, 'Files');
  await expect(page.getByRole('link', { name: 'Lease.txt', exact: true })).toBeVisible();
}

async function openMenu(page: Page, item: string) {
  await page.getByRole('button', { name: 'More for Lease.txt' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseVersion(page: Page, name: string, text: string) {
  const chooser = page.waitForEvent('filechooser');
  await openMenu(page, 'Upload new version');
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await (await chooser).setFiles([file]);
}

function notification(page: Page, text: string) {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text);
}
