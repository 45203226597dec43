import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { filesIn, sendParts } from '@matterdesk/server/testing/uploads.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible, toast } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { dialog, openCase, openMatters, row } from './support/matters.ts';

/** From the dashboard, by the navigation. */
async function goTo(page: Page, name: string) {
  await page.goto('/dashboard');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: false })
    .click();
}

test('filters are saved as a view, chosen again in another browser, and removed with an undo', async ({
  matterdesk,
  page,
  browser,
}) => {
  const { admin } = await openMatters(matterdesk, page, ['Okafor v. Lakeside']);
  await openCase(matterdesk, admin, { caseName: 'Zhao v. Perry', status: 'ADR' });
  await goTo(page, 'Matters');
  const views = page.getByRole('button', { name: 'Saved views' });
  const chosen = page.getByRole('menuitem', { name: 'In mediation', exact: true });
  await views.click();
  await expect(
    page.getByRole('menuitem', { name: 'Filter or search first, then save it here' }),
  ).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByLabel('Status').selectOption('ADR');
  await expect(row(page, 'Okafor v. Lakeside')).toBeHidden();
  await views.click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Save view' }).click();
  await expect(dialog(page).getByText('Name is required')).toBeVisible();
  await dialog(page).getByLabel('Name').fill('In mediation');
  await dialog(page).getByRole('button', { name: 'Save view' }).click();
  await expect(toast(page, 'View saved')).toBeVisible();

  const elsewhere = await browser
    .newContext({ baseURL: matterdesk.url })
    .then((context) => context.newPage());
  await matterdesk.signIn(elsewhere, admin);
  await goTo(elsewhere, 'Matters');
  await expect(row(elsewhere, 'Okafor v. Lakeside')).toBeVisible();
  await elsewhere.getByRole('button', { name: 'Saved views' }).click();
  await elsewhere.getByRole('menuitem', { name: 'In mediation', exact: true }).click();
  await expect(elsewhere.getByLabel('Status')).toHaveValue('ADR');
  await expect(row(elsewhere, 'Okafor v. Lakeside')).toBeHidden();
  await expect(row(elsewhere, 'Zhao v. Perry')).toBeVisible();

  await views.click();
  await expect(chosen).toHaveAttribute('aria-current', 'true');
  await page.getByRole('menuitem', { name: 'Remove “In mediation”' }).click();
  await expect(toast(page, '“In mediation” is removed')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await views.click();
  await expect(chosen).toBeVisible();
  // Each list has its own.
  await goTo(page, 'Contacts');
  await views.click();
  await expect(page.getByRole('menuitem')).toHaveCount(1);
});

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

test('a field that someone else changes meanwhile says so before it is saved', async ({
  matterdesk,
  page,
}) => {
  const { admin, cases } = await openMatters(matterdesk, page, ['Twice']);
  const [{ id } = { id: '' }] = cases;
  await openConnected(page, `/dashboard/caseDetails/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Judge').fill('Hon. A. Reyes');
  await matterdesk.call(caseRoutes.changeCase, {
    token: admin.token,
    params: { id },
    body: { judge: 'Hon. B. Stone', managingAttorney: 'Katherine Johnson' },
  });
  await expect(
    dialog(page).getByText('Someone else changed this to “Hon. B. Stone” meanwhile.'),
  ).toBeVisible();
  await expect(dialog(page).getByLabel('Judge')).toHaveValue('Hon. A. Reyes');
  await expect(dialog(page).getByLabel('Managing Attorney')).toHaveValue('Katherine Johnson');
  const asked = page.waitForRequest((request) => request.method() === 'PATCH');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  expect((await asked).postDataJSON()).toEqual({ judge: 'Hon. A. Reyes' });
  await expect(dialog(page)).toBeHidden();
});
