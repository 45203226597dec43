import { expect, type Page } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { newPerson } from '@matterdesk/server/testing/factories.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { call, logIn, refusal, test, themes } from './support/fixtures.ts';
import { startMatterdesk } from './support/matterdesk.ts';

const invalid = 'Logging out - Invalid token';

async function openUsers(page: Page, search: string): Promise<void> {
  await page.goto(`/dashboard/users?search=${encodeURIComponent(search)}`);
  await expect(page.getByRole('row')).toHaveCount(2);
}

test('the users page finds users by any text, ignoring case', async ({ page, matterdesk }) => {
  const person = await matterdesk.register({
    firstName: 'Amélie',
    lastName: 'Østergård',
    email: 'amelie@search.example',
    phoneNumber: '1 999 123 4567',
  });
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('columnheader')).toHaveText([
    'First Name',
    'Last Name',
    'Email',
    'Role',
    'Phone Number',
  ]);
  const search = page.getByPlaceholder('Search here');
  for (const text of ['AMÉLIE', 'østergård', 'Amelie@SEARCH', '999 123']) {
    await search.fill(text);
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText([
      'Amélie',
      /^Østergård/,
      'amelie@search.example',
      'UserReads only',
      '1 999 123 4567',
    ]);
  }
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  await search.fill('no one at all');
  await expect(page.getByText('No users match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).last().click();
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL('/dashboard/users');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});

test('the users page shows a thousand users without a thousand rows', async ({
  page,
  matterdesk,
}) => {
  const signedIn = await matterdesk.register();
  await matterdesk.signIn(page, signedIn);
  const { password: _, token: _t, ...person } = signedIn;
  const people = Array.from({ length: 1000 }, (_, index) => ({
    ...person,
    id: `person-${index}`,
    lastName: `Person ${String(index).padStart(4, '0')}`,
  }));
  await page.route('**/api/v1/users', (route) =>
    route.fulfill({ json: { statusCode: 200, message: 'OK', body: people } }),
  );
  await page.goto('/dashboard/users');
  await expect(page.getByText('1,000 people')).toBeVisible();
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1001');
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await expect(page.getByRole('cell', { name: 'Person 0999' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Email' })).toBeInViewport();
});

test('the users page lets an admin edit a user, and everyone sees it', async ({
  page,
  browser,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const person = await matterdesk.register({ firstName: 'Jun' });
  await matterdesk.signIn(page, admin);
  const theirs = await browser.newPage({ baseURL: matterdesk.url });
  await matterdesk.signIn(theirs, person);
  await openUsers(theirs, person.email);
  await expect(theirs.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  await openUsers(page, person.email);
  await page.getByRole('button', { name: /^Edit Jun/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('First Name')).toBeFocused();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByLabel('First Name').fill('');
  await dialog.getByLabel('Phone Number').fill('1 518 555 0199');
  await dialog.getByRole('checkbox', { name: 'Users' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('First Name is required')).toBeVisible();
  await dialog.getByLabel('First Name').fill('June');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('User updated')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: /^Edit June/ })).toBeFocused();
  await expect(theirs.getByRole('cell', { name: '1 518 555 0199' })).toBeVisible();
  await theirs.getByRole('button', { name: /^Edit June/ }).click();
  await expect(theirs.getByRole('dialog').getByRole('radio', { name: 'Admin' })).toBeHidden();
  await theirs.close();
});

test('an admin gives a user the same rights as another', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const paralegal = await matterdesk.register({ firstName: 'Priya', lastName: 'Model' });
  const newcomer = await matterdesk.register({ firstName: 'Noor', lastName: 'Newcomer' });
  await matterdesk.call(accountRoutes.changeUser, {
    token: admin.token,
    params: { id: paralegal.id },
    body: { permissions: { editTasks: true, editCalendar: true } },
  });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByPlaceholder('Search here').fill(newcomer.email);
  await page.getByRole('button', { name: 'Edit Noor Newcomer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Same rights as').selectOption({ label: 'Priya Model: Tasks, Calendar' });
  await expect(dialog.getByRole('checkbox', { name: 'Tasks' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Walls' })).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'User Tasks, Calendar' })).toBeVisible();
});

test('the users page shows a change of the user’s own role right away', async ({
  page,
  browser,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const other = await matterdesk.register({ role: 'admin' });
  const theirs = await browser.newPage({ baseURL: matterdesk.url });
  await matterdesk.signIn(theirs, other);
  await openUsers(theirs, other.email);
  await expect(theirs.getByRole('button', { name: /^Edit/ })).toBeVisible();
  await matterdesk.signIn(page, admin);
  await openUsers(page, other.email);
  await page.getByRole('button', { name: /^Edit/ }).click();
  await expect(page.getByText('Admins have every permission.')).toBeVisible();
  await page.getByRole('dialog').getByRole('radio', { name: 'User' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(theirs.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  await expect(theirs.getByRole('navigation').getByText('User', { exact: true })).toBeVisible();
  await theirs.close();
});

test('the users page ends every session of a deactivated user', async ({
  page,
  browser,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const person = await matterdesk.register({ firstName: 'Rune' });
  const context = await browser.newContext({ baseURL: matterdesk.url });
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    if (tab === tabs[0]) await matterdesk.signIn(tab, person);
    await openUsers(tab, person.email);
  }
  await matterdesk.signIn(page, admin);
  await openUsers(page, person.email);
  await page.getByRole('button', { name: /^Deactivate Rune/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('signed out right away');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, '[role=alertdialog]');
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('User deactivated')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText('Deactivated');
  // The toast disappears after seconds, in both.
  await Promise.all(tabs.map((tab) => expect(tab.getByText(invalid)).toHaveCount(1)));
  for (const tab of tabs) {
    await expect(tab).toHaveURL('/');
    expect(await tab.evaluate(() => Object.keys(localStorage))).toEqual([]);
  }
  const left = await context.newPage();
  await left.goto('/');
  await logIn(left, person);
  await expect(left.getByText('Your account is deactivated')).toBeVisible();
  await page.getByRole('button', { name: /^Activate Rune/ }).click();
  await expect(page.getByText('User updated')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).not.toContainText('Deactivated');
  await context.close();
});

test('the users page lets an admin activate a pending user, and keeps the last admin', async ({
  page,
}) => {
  const product = await startMatterdesk({ env: { REGISTRATION: 'approval', LOG_LEVEL: 'warn' } });
  const [admin, waiting] = [newPerson(), newPerson({ firstName: 'Kofi' })];
  for (const body of [admin, waiting]) await call(product.url, accountRoutes.register, { body });
  await page.goto(`${product.url}/register`);
  await expect(page.getByText('An admin approves your account')).toBeVisible();
  await page.goto(product.url);
  await logIn(page, waiting);
  await expect(page.getByText('Your account is waiting for approval')).toBeVisible();
  await page.getByLabel('Email').fill(admin.email);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Users' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole('row').filter({ hasText: 'Kofi' });
  await expect(row.getByText('Waiting for approval')).toBeVisible();
  await expect(row.getByText(waiting.phoneNumber)).toBeVisible();
  await page.getByRole('button', { name: /^Approve Kofi/ }).click();
  await expect(page.getByRole('button', { name: /^Deactivate Kofi/ })).toBeVisible();
  await call(product.url, accountRoutes.login, {
    body: { email: waiting.email, password: waiting.password },
  });
  await expect(page.getByRole('button', { name: /^Deactivate Ada/ })).toHaveCount(0);
  const refusal = 'The last active admin cannot be demoted or deactivated';
  await page.getByRole('button', { name: /^Edit Ada/ }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'User' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(refusal);
  await product.stop();
});

test('the users page reports users that failed to load, and retries', async ({
  page,
  matterdesk,
}) => {
  await keepOffline(page);
  await matterdesk.signIn(page, await matterdesk.register());
  await page.route('**/api/v1/users', (route) => route.fulfill(refusal('unavailable', 'Away')));
  await page.goto('/dashboard/users');
  await expect(page.getByText('Couldn’t load the users')).toBeVisible();
  // The reason appears once, in place of the users; a toast would cover its buttons.
  await expect(page.getByText('Away')).toHaveCount(1);
  await expectAccessible(page);
  await page.unroute('**/api/v1/users');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});

for (const [colorScheme, where] of themes)
  test(`the users directory is accessible, ${colorScheme}${where}`, async ({
    page,
    matterdesk,
  }) => {
    await page.emulateMedia({ colorScheme });
    const former = await matterdesk.register();
    const admin = await matterdesk.register({ role: 'admin' });
    const { token } = admin;
    await matterdesk.call(accountRoutes.deactivateUser, { token, params: { id: former.id } });
    await matterdesk.signIn(page, admin);
    await page.goto('/dashboard/users');
    await expect(page.getByText('Deactivated').first()).toBeVisible();
    await expectAccessible(page);
    await page.goto('/dashboard/users?search=nobody');
    await expect(page.getByText('No users match')).toBeVisible();
    await expectAccessible(page);
  });
