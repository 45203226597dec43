import { expect } from '@playwright/test';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { test } from './support/connected.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible, expectKept } from './support/expect.ts';
import { holdRequests, refusal, test as withoutGoogle } from './support/fixtures.ts';
import {
  connect,
  deliver,
  newReader,
  openEmails,
  openMailbox,
  row,
  spareAccount,
} from './support/mailbox.ts';

test('a mailbox is connected at Google, and its code is exchanged once', async ({
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

test('a user who denied access reads what to do, and can retry', async ({ matterdesk, page }) => {
  await newReader({ matterdesk, page });
  await page.goto('/dashboard/emails');
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText(/you didn’t grant access/)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('No mail', { exact: true })).toBeVisible();
});

test('a redirect that belongs to another session is reported', async ({ matterdesk, page }) => {
  await newReader({ matterdesk, page });
  await page.goto('/dashboard/emails?code=4%2Finvented&state=invented');
  await expect(page.getByRole('status').filter({ hasText: /connect/i })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
});

test('another account than the user’s own is named, with a way out', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page });
  const other = spareAccount();
  await connect({ matterdesk, google }, person, other);
  await openEmails(page);
  const note = page.getByRole('region', { name: 'Another account' });
  await expect(note).toContainText(`This mailbox belongs to ${other}, not to ${person.email}.`);
  await expectAccessible(page);
  await note.getByRole('button', { name: 'Disconnect' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
});

for (const who of ['the page', 'another'])
  test(`a grant that was revoked elsewhere leads back to connecting, with the reason, where ${who} asks first`, async ({
    matterdesk,
    google,
    page,
  }) => {
    const person = await newReader({ matterdesk, page });
    await connect({ matterdesk, google }, person);
    await keepOffline(page);
    await openEmails(page);
    await expect(page.getByText('No mail', { exact: true })).toBeVisible();
    // A request that is under way would be refused with the reason, and its reply lost with the page.
    await page.waitForLoadState('networkidle');
    google.revokeAll();
    // As a round does that reads all mailboxes each minute.
    const { token, email: userEmail } = person;
    const asked = () => matterdesk.call(mailRoutes.listMails, { token, params: { userEmail } });
    if (who === 'another') await expect(asked).rejects.toThrow(/answered 409/);
    await page.reload();
    await expect(
      page.getByText('Google no longer grants access; please connect again'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  });

test('a long mailbox loads as far as the user scrolls', async ({ matterdesk, google, page }) => {
  const mails = Array.from({ length: 35 }, (_, at) => ({ subject: `Letter ${at + 1}` }));
  await openMailbox({ matterdesk, google, page }, mails);
  await expect(row(page, 'Letter 35')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Inbox 35' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expectAccessible(page);
  await row(page, 'Letter 35').hover();
  const last = page
    .getByRole('listitem')
    .filter({ has: page.getByText('Letter 1', { exact: true }) });
  await expect(async () => {
    await page.mouse.wheel(0, 2000);
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(last).toHaveAttribute('aria-posinset', '35');
});

test('unread mails are counted everywhere until they are opened', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page });
  await connect({ matterdesk, google }, person);
  for (const subject of ['First', 'Second']) await deliver(google, person.email, { subject });
  await page.goto('/dashboard');
  const place = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Emails' });
  await expect(place).toHaveText('Emails2');
  await expect(place).toHaveAccessibleDescription('2 unread');
  await place.click();
  await expect(page.getByRole('link', { name: 'Inbox 2 unread' })).toBeVisible();
  await row(page, 'First').click();
  await expect(place).toHaveText('Emails1');
  await expect(page.getByRole('link', { name: 'Inbox 1 unread' })).toBeVisible();
});

test('a search is in the URL, and reports no matches', async ({ matterdesk, google, page }) => {
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'The lease of Elm Street' },
    { subject: 'Discovery' },
  ]);
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search mail' });
  await expect(search).toBeFocused();
  await search.fill('lease');
  await expect(row(page, 'Discovery')).toBeHidden();
  await expect(row(page, 'The lease')).toBeVisible();
  await expect(page).toHaveURL(/\?search=lease$/);
  await page.reload();
  await expect(search).toHaveValue('lease');
  await expect(row(page, 'The lease')).toBeVisible();
  await search.fill('nowhere');
  await expect(page.getByText('No mail matches')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByText('Clear search', { exact: true }).click();
  await expect(row(page, 'Discovery')).toBeVisible();
});

test('a section that failed to load is reported and can be retried', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page });
  await connect({ matterdesk, google }, person);
  await keepOffline(page);
  await page.route('**/mails/getAllMails/**', (route) =>
    route.fulfill(refusal('upstreamFailed', 'Google did not answer')),
  );
  await openEmails(page);
  await expect(page.getByText('Couldn’t load the mail')).toBeVisible();
  await expect(page.getByText('Google did not answer')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/mails/getAllMails/**');
  await deliver(google, person.email, { subject: 'Late' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, 'Late')).toBeVisible();
});

test('mail kept in the browser appears at once and is refreshed', async ({
  matterdesk,
  google,
  page,
}) => {
  // Events would be kept as well.
  await keepOffline(page);
  const person = await openMailbox({ matterdesk, google, page }, [{ subject: 'Monday' }]);
  await expect(row(page, 'Monday')).toBeVisible();
  await expectKept(page, 'mails', /Monday/);
  await deliver(google, person.email, { subject: 'Tuesday' });
  const release = await holdRequests(page, '**/mails/getAllMails/**');
  await page.reload();
  await expect(row(page, 'Monday')).toBeVisible();
  await expect(row(page, 'Tuesday')).toBeHidden();
  release();
  await expect(row(page, 'Tuesday')).toBeVisible();
});

test('new mail appears by itself without moving what the user reads', async ({
  matterdesk,
  google,
  page,
}) => {
  // Google is polled every half minute.
  test.setTimeout(120_000);
  const mails = Array.from({ length: 24 }, (_, at) => ({ subject: `Letter ${at + 1}` }));
  const person = await openMailbox({ matterdesk, google, page }, mails);
  await expect(page.getByRole('link', { name: 'Inbox 24' })).toBeVisible();
  const middle = page.getByText('Letter 9', { exact: true });
  await row(page, 'Letter 24').hover();
  await page.mouse.wheel(0, 1000);
  await expect(middle).toBeInViewport();
  const before = await middle.boundingBox();
  await deliver(google, person.email, { subject: 'News' });
  await expect(page.getByRole('link', { name: 'Inbox 25' })).toBeVisible({ timeout: 60_000 });
  expect((await middle.boundingBox())?.y).toBe(before?.y);
  await page.mouse.wheel(0, -5000);
  await expect(row(page, 'News')).toContainText('Unread');
});

withoutGoogle(
  'without a Google project the page says whom to ask, and what an administrator sets',
  async ({ matterdesk, page }) => {
    await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
    await page.goto('/dashboard/emails');
    await page.getByRole('link', { name: 'How to set up email' }).click();
    await expect(
      page
        .getByRole('main')
        .getByText(/GOOGLE_CLIENT_ID/)
        .first(),
    ).toBeVisible();
    await matterdesk.signIn(page, await matterdesk.register());
    await page.goto('/dashboard/emails');
    await expect(page.getByRole('main').getByText(/Ask your administrator\.$/)).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
  },
);
