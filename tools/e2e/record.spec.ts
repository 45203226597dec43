import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { test, themes } from './support/fixtures.ts';

test('filters by the address, opens an entry, and exports what it shows', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  // The list of matters is of the whole firm, which tests share.
  const caseName = `Abara v. Northline ${Date.now()}`;
  const opened = await matterdesk.call(caseRoutes.openCase, {
    token,
    body: newCase({ caseName, judge: 'Hon. R. Amato' }),
  });
  await matterdesk.call(caseRoutes.changeCase, {
    token,
    params: { id: opened.case.id },
    body: { judge: 'Hon. M. Osei' },
  });
  await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Record' }).click();
  await page.getByLabel('What').selectOption({ label: 'Matter' });
  await page.getByLabel('Action').selectOption({ label: 'Changed' });
  await page.getByLabel('Who').selectOption({ label: `${admin.firstName} ${admin.lastName}` });
  await expect(page.getByText('1 entry')).toBeVisible();
  await expect(page).toHaveURL(`/dashboard/record?entity=case&action=updated&actor=${admin.id}`);
  await page.reload();
  await expect(page.getByText('1 entry')).toBeVisible();
  const changed = new RegExp(`Matter changed.*${caseName.replaceAll('.', '\\.')} · Judge`);
  await page.getByRole('button', { name: changed }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'Hon. R. Amato' })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Hon. M. Osei' })).toBeVisible();
  await expect(page.getByText(/Within a minute|, matches/)).toBeVisible();
  await page.getByRole('button', { name: 'Only this matter' }).click();
  await page.getByLabel('Action').selectOption({ label: 'All actions' });
  await expect(page.getByText('2 entries')).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines.map((line) => line.split('","')[5])).toEqual(['action', 'updated', 'created']);
  await page.getByLabel('Action').selectOption({ label: 'Deleted' });
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL('/dashboard/record');
  await expect(page.getByLabel('Who')).toBeFocused();
  await page.getByRole('link', { name: 'Matters' }).click();
  await page.getByRole('table', { name: 'Matters' }).getByRole('link', { name: caseName }).click();
  await page.getByRole('link', { name: 'View More' }).click();
  const change = page.getByRole('article').filter({ hasText: `changed ${caseName}` });
  await expect(change.getByText('Hon. R. Amato', { exact: true })).toBeVisible();
  await expect(change.getByText('Hon. M. Osei', { exact: true })).toBeVisible();
});

for (const [look, tag] of themes)
  test(`the record names the first entry of a broken seal, in ${look}${tag}`, async ({
    page,
    matterdesk,
  }) => {
    await page.emulateMedia({ colorScheme: look });
    await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
    const body = { seal: 'a'.repeat(64), first: null, broken: { entryId: '48109' } };
    await page.route('**/api/v1/audit/seals', (route) =>
      route.fulfill({ json: { statusCode: 200, message: 'OK', body } }),
    );
    await page.goto('/dashboard/record');
    await expect(page.getByRole('alert')).toContainText(
      'does not fit its seals from entry 48,109 on',
    );
    await page
      .getByRole('button', { name: /Signed in/ })
      .first()
      .click();
    await expect(page.getByRole('term').filter({ hasText: 'Request' })).toBeVisible();
    await expectAccessible(page);
  });

test('a page for admins that another user opens says so, and leads to the dashboard', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  for (const [address, sentence] of [
    ['/dashboard/record', 'The record is for admins'],
    ['/dashboard/storage', 'Storage is for admins'],
    ['/dashboard/firm/move-in', 'Moving in is for admins'],
    ['/dashboard/help/google', 'Guides are for admins'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByText('Couldn’t load')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await expect(page).toHaveURL(/dashboard$/);
  }
  await expect(page.getByRole('link', { name: 'Record' })).toHaveCount(0);
});
