import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { dialog } from './support/matters.ts';

// It is another day there than in UTC, in which instants are sent.
test.use({
  timezoneId: new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati',
});

test('a matter is opened before it is filed, and filled later', async ({ matterdesk, page }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const name = `Adeyemi v. Harbor ${Date.now()}`;
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Matters' }).click();
  await page.getByRole('button', { name: 'New Case' }).first().click();

  await dialog(page).getByText('Not filed yet').click();
  await expect(dialog(page).getByRole('switch', { name: 'Not filed yet' })).toBeChecked();
  await expect(dialog(page).getByText('Case No optional')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Next' }).click();
  await expect(dialog(page).locator('[aria-invalid=true]')).toHaveCount(2);
  await dialog(page).getByLabel('Case Name').fill(name);
  await dialog(page).getByLabel('Type', { exact: true }).selectOption('PI');
  await dialog(page).getByRole('button', { name: 'Next' }).click();

  await expect(dialog(page).getByText('Step 2 of 2')).toBeVisible();
  const client = dialog(page).getByRole('group', { name: 'Client Info' });
  await client.getByLabel('Name').fill('Tunde Adeyemi');
  await client.getByLabel('Email optional').fill('no address');
  await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
  await expect(dialog(page).getByText('Invalid email format')).toBeVisible();
  await client.getByLabel('Email optional').fill('');
  await dialog(page).getByRole('button', { name: 'Add New Case' }).click();

  const missing = page.getByRole('region', { name: 'Missing information' });
  await expect(missing).toContainText('Case No, Judge, DOI, SOL');
  await expect(missing).toContainText('Opposing Counsel');
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByText('Not filed').first()).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/null|undefined/);
  await expectAccessible(page);

  await missing.getByRole('button', { name: 'Fill in' }).click();
  await expect(dialog(page).getByLabel('Case No optional')).toBeFocused();
  await dialog(page).getByLabel('Case No optional').fill(`MD-${Date.now()}`);
  await dialog(page).getByLabel('SOL optional').fill('2031-02-03');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(missing).toContainText('Missing: Judge, DOI, Client Phone Number');
  // Its limitation is further away.
  const dates = page.getByRole('region', { name: 'Next dates' });
  await expect(dates.getByText('No date in the next 12 months')).toBeVisible();

  await navigation.getByRole('link', { name: 'Matters' }).click();
  await page.getByRole('combobox', { name: 'Filed' }).selectOption('Missing information');
  await expect(page.getByRole('link', { name })).toBeVisible();
});

test('a statute date that is missing is entered, or declined with a reason', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const open = async (caseName: string) => {
    const client = { name: 'Tunde Adeyemi' };
    const body = { notFiled: true, caseName, type: 'PI', clientInfo: client } as never;
    await matterdesk.call(caseRoutes.openCase, { token: admin.token, body });
    return caseName;
  };
  const dated = await open(`Dated ${Date.now()}`);
  const declined = await open(`Declined ${Date.now()}`);
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const openDeadlines = async () => {
    await navigation.getByRole('link', { name: 'Calender' }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Deadlines' }).click();
  };
  await openDeadlines();
  const missing = page.getByRole('region', { name: 'Statute date missing' });
  await expect(missing.getByRole('link', { name: declined, exact: true })).toBeVisible();
  const today = await page.evaluate(() =>
    new Date().toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' }),
  );
  const row = missing.getByRole('listitem').filter({ hasText: declined });
  await expect(row).toContainText(`since ${today}`);
  await expectAccessible(page);

  await missing.getByRole('button', { name: `No statute applies to ${declined}` }).click();
  await dialog(page).getByRole('button', { name: 'Save reason' }).click();
  await expect(dialog(page).getByText('Please enter a reason')).toBeVisible();
  await dialog(page).getByLabel('Reason').fill('Defense only');
  await dialog(page).getByRole('button', { name: 'Save reason' }).click();
  await expect(missing.getByRole('link', { name: declined, exact: true })).toHaveCount(0);

  await missing.getByRole('link', { name: `Enter date of ${dated}` }).click();
  await expect(dialog(page).getByLabel('SOL optional')).toBeFocused();
  await dialog(page).getByLabel('SOL optional').fill('2031-02-03');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await openDeadlines();
  await expect(page.getByRole('heading', { name: /^Upcoming/ })).toBeVisible();
  await expect(missing.getByRole('link', { name: dated, exact: true })).toHaveCount(0);
});
