import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';

const password = 'correct horse battery';
const themes = [
  ['light', ''],
  ['dark', ' @phone'],
] as const;

async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.getByLabel('First Name').fill('Ama');
  await page.getByLabel('Last Name').fill('Owusu');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Phone Number').fill('1 212 555 0101');
}

test('the product lets a user register, sign in and reach the dashboard', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Sign in · Matterdesk');
  await expect(page.getByText('Welcome. Every matter, with its deadlines')).toBeVisible();
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page).toHaveURL('/register');
  await expect(page.getByRole('radio', { name: 'User' })).toBeChecked();
  await expect(page.getByLabel('Phone Number')).toHaveAttribute('type', 'tel');
  await fillRegistration(page, 'ama.first@firm.example');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Account created')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByLabel('Email')).toHaveValue('ama.first@firm.example');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good .+, Ama$/);
});

test('the product registers an admin and clears the form afterwards', async ({ page }) => {
  await page.goto('/register');
  await fillRegistration(page, 'boss@firm.example');
  await page.getByRole('radio', { name: 'Admin' }).check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page.getByLabel('First Name')).toHaveValue('');
  await expect(page.getByRole('radio', { name: 'User' })).toBeChecked();
});

test('the product redirects signed-in and signed-out users', async ({ page, matterdesk }) => {
  for (const path of ['/dashboard', '/dashboard/matters', '/dashboard/no-such-page']) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
  }
  await matterdesk.signIn(page, await matterdesk.register());
  for (const path of ['/', '/register']) {
    await page.goto(path);
    await expect(page).toHaveURL('/dashboard');
  }
  await page.goto('/dashboard/no-such-page');
  await expect(page.getByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
});

test('the product offers a way out of an unknown page', async ({ page }) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
  await expect(
    page.getByText('The page you are looking for might be in another dimension.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Go back' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByText('Ask an administrator of your firm')).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/register');
  await page.goto('/no/such/page');
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL('/');
});

for (const [colorScheme, where] of themes)
  test(`sign-in pages are accessible, ${colorScheme}${where}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expectAccessible(page);
    await page.goto('/register');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page.getByText('First Name is required')).toBeVisible();
    await expectAccessible(page);
    await page.goto('/nowhere');
    await expect(page.getByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
    await expectAccessible(page);
  });
