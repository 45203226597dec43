import { expect } from '@playwright/test';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { filesIn, sendParts } from '@matterdesk/server/testing/uploads.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { openCase, row } from './support/matters.ts';

test('the list of matters counts the files of each, and its menu opens them', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  const full = await openCase(matterdesk, admin, { caseName: `Full v. Files ${Date.now()}` });
  const empty = await openCase(matterdesk, admin, { caseName: `Empty v. Files ${Date.now()}` });
  const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt', 'five.txt', 'six.txt', 'seven.txt'];
  const sent = names.map((name) => ({ name, bytes: Buffer.from(`the words of ${name}`) }));
  const place = { token, caseId: full.id, folder: 'Letters' };
  const reply = await sendParts(createClient(matterdesk.url), token, filesIn(place, ...sent));
  expect(reply.status).toBe(201);
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await expect(row(page, empty.caseName).getByText('No files')).toBeAttached();
  const count = row(page, full.caseName).getByRole('button', { name: '7 files of' });
  await expect(count).toHaveText('7');
  await count.click();
  const menu = page.getByRole('menu', { name: 'Newest files' });
  await expect(menu.getByRole('menuitem')).toHaveCount(6);
  await expectAccessible(page);
  const opened = page.waitForEvent('popup');
  await menu.getByRole('menuitem').first().click();
  await expect((await opened).getByText('the words of')).toBeVisible();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL('/dashboard/matters');
  await count.click();
  await menu.getByRole('menuitem', { name: 'All 7 files' }).click();
  await expect(page.getByRole('heading', { name: full.caseName })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Files', exact: true })).toBeInViewport();
});
