import { expect, type Page, type Route } from '@playwright/test';
import { test } from './support/connected.ts';
import { openMailbox, panel, row } from './support/mailbox.ts';

async function saveDraft(page: Page, subject: string) {
  await page.keyboard.press('c');
  await panel(page).getByLabel('Subject').fill(subject);
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Close email' }).click();
  await expect(panel(page)).toBeHidden();
}

/** For routes: requests wait until `release`. */
function holdRequests() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await promise;
    await route.continue();
  };
  return { hold, release };
}

test('a draft that is read late does not replace the mail that is written by then', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page });
  await saveDraft(page, 'To the court');
  await saveDraft(page, 'To the client');
  await page.getByRole('link', { name: /^Drafts/ }).click();
  const subject = panel(page).getByLabel('Subject');
  const reads = '**/mails/readMail/**';
  const first = holdRequests();
  await page.route(reads, first.hold, { times: 1 });
  await row(page, 'To the court').click();
  await row(page, 'To the client').click();
  await expect(subject).toHaveValue('To the client');
  const late = page.waitForResponse(reads);
  first.release();
  await (await late).finished();
  await subject.fill('To the client, again');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await expect(subject).toHaveValue('To the client, again');
  await panel(page).getByRole('button', { name: 'Close email' }).click();
  await expect(row(page, 'To the client, again')).toBeVisible();

  const second = holdRequests();
  await page.route(reads, second.hold, { times: 1 });
  await row(page, 'To the court').click();
  await page.keyboard.press('c');
  await expect(panel(page).getByLabel('To', { exact: true })).toBeFocused();
  const later = page.waitForResponse(reads);
  second.release();
  await (await later).finished();
  await subject.fill('To the clerk');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await expect(subject).toHaveValue('To the clerk');
  await panel(page).getByRole('button', { name: 'Close email' }).click();
  await expect(row(page, /To the cl(?:erk|ient, again)|To the court/)).toHaveCount(3);
});
