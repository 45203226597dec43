import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { connect, newReader, openEmails, spareAccount, test } from './support/mailbox.ts';

test('a mailbox is connected at Google, and what comes back is exchanged once', async ({
  matterdesk,
  page,
}) => {
  await newReader({ matterdesk, page });
  let exchanges = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/google/auth/callback')) exchanges += 1;
  });
  await page.goto('/dashboard/emails');
  const button = page.getByRole('button', { name: 'Connect Google' });
  await expect(button).toBeVisible();
  await expectAccessible(page);
  await button.click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('No mail', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
  await page.reload();
  await expect(page.getByText('No mail', { exact: true })).toBeVisible();
  expect(exchanges).toBe(1);
});

test('who does not allow it at Google reads what to do, and can', async ({ matterdesk, page }) => {
  await newReader({ matterdesk, page });
  await page.goto('/dashboard/emails');
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText(/access was not granted there/)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('No mail', { exact: true })).toBeVisible();
});

test('a return that is not this session’s says so', async ({ matterdesk, page }) => {
  await newReader({ matterdesk, page });
  await page.goto('/dashboard/emails?code=4%2Finvented&state=invented');
  await expect(page.getByRole('status').filter({ hasText: /connect/i })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
});

test('another account than one’s own is said, with the way out beside it', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page });
  const other = spareAccount();
  await connect({ matterdesk, google }, person, other);
  await openEmails(page);
  const note = page.getByRole('region', { name: 'Another account' });
  await expect(note).toContainText(`This is the mailbox of ${other}, not of ${person.email}.`);
  await expectAccessible(page);
  await note.getByRole('button', { name: 'Disconnect' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
});

test('a grant that was revoked elsewhere leads back to connecting, with the reason', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page });
  await connect({ matterdesk, google }, person);
  await openEmails(page);
  await expect(page.getByText('No mail', { exact: true })).toBeVisible();
  google.revokeAll();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(
    page.getByText('Google no longer grants access; please connect again'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
});
