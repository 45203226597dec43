import { expect } from '@playwright/test';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test } from './support/fixtures.ts';

const NEW = 'harbor lamp seven otters';
const accountThemes = [
  ['light', ''],
  ['dark', ' @phone'],
] as const;

test('the account page changes the password and ends the sessions elsewhere', async ({
  page,
  browser,
  matterdesk,
}) => {
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  const other = await browser.newPage({ baseURL: matterdesk.url });
  await matterdesk.signIn(other, await matterdesk.login(person));
  await other.goto('/dashboard/account');
  await expect(other.getByText('This device')).toBeVisible();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: person.lastName }).click();
  await expect(page).toHaveURL('/dashboard/account');
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill('password1');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This password is too easy to guess').first()).toBeVisible();
  await page.getByLabel('New password').fill(NEW);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(other).toHaveURL('/');
  await logIn(other, { email: person.email, password: NEW });
  await expect(other).toHaveURL('/dashboard');
  await page.reload();
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await expect(other).toHaveURL('/');
  await expect(page.getByText('This device')).toBeVisible();
  await other.close();
});

test('the account page sets a password by a link, on a phone too @phone', async ({
  page,
  matterdesk,
}) => {
  const [admin, person] = [
    await matterdesk.register({ role: 'admin' }),
    await matterdesk.register(),
  ];
  const { url } = await matterdesk.call(passwordRoutes.createLink, {
    token: admin.token,
    params: { id: person.id },
  });
  await page.goto(new URL(url).pathname);
  await page.getByLabel('New password').fill(NEW);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL('/');
  await logIn(page, { email: person.email, password: NEW });
  await expect(page).toHaveURL('/dashboard');
});

test('the account page invites a colleague, who registers by the link', async ({
  page,
  browser,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard/users');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('kofi@invited.example');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await expect(page.getByText('kofi@invited.example')).toBeVisible();
  const theirs = await browser.newPage({ baseURL: matterdesk.url });
  const { pathname, search } = new URL(url);
  await theirs.goto(pathname + search);
  await expect(theirs.getByLabel('Email')).toHaveValue('kofi@invited.example');
  await theirs.getByLabel('First Name').fill('Kofi');
  await theirs.getByLabel('Last Name').fill('Mensah');
  await theirs.getByLabel('Password', { exact: true }).fill(NEW);
  await theirs.getByLabel('Phone Number').fill('1 212 555 0102');
  await theirs.getByRole('button', { name: 'Register' }).click();
  await expect(theirs).toHaveURL('/');
  await logIn(theirs, { email: 'kofi@invited.example', password: NEW });
  await expect(theirs).toHaveURL('/dashboard');
  await theirs.close();
});

for (const [colorScheme, where] of accountThemes)
  test(`account pages are accessible, ${colorScheme}${where}`, async ({ page, matterdesk }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/forgot-password');
    await expect(page.getByText('Ask an administrator of your firm')).toBeVisible();
    await expectAccessible(page);
    await page.goto('/reset-password/expired');
    await page.getByLabel('New password').fill(NEW);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByText('This link has expired').first()).toBeVisible();
    await expectAccessible(page);
    await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
    await page.goto('/dashboard/account');
    await expect(page.getByText('This device')).toBeVisible();
    await expectAccessible(page);
  });
