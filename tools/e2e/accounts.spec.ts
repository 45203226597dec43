import { type Page, expect } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test, themes } from './support/fixtures.ts';

const password = 'correct horse battery';

async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.getByLabel('First Name').fill('Ama');
  await page.getByLabel('Last Name').fill('Owusu');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Phone Number').fill('1 212 555 0101');
}

const keys = ['cases', 'files', 'mails', 'messages', 'socket', 'tasks', 'user'];
const invalid = 'Logging out - Invalid token';

/** Before the page loads: a poll in a background tab could miss a sentence that shows for four seconds. */
async function recordInvalid(page: Page): Promise<void> {
  await page.addInitScript((text) => {
    new MutationObserver(() => {
      if (document.body?.innerText.includes(text)) console.info(text);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  }, invalid);
}

/** On a recorded page, and before what causes it. */
function isSaid(page: Page): Promise<unknown> {
  return page.waitForEvent('console', {
    predicate: (message) => message.text() === invalid,
    timeout: 0,
  });
}

/** As the page itself does when a list arrives in the moment of a logout; before the page loads, so that it comes first. */
async function storeAgain(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      if (key === 'redux-user' && oldValue !== null && newValue === null)
        localStorage.setItem(key, oldValue);
    }),
  );
}

function keptKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).toSorted());
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

test('the browser keeps the seven stores during a session, and nothing afterwards', async ({
  page,
  matterdesk,
}) => {
  const release = Promise.withResolvers<void>();
  await page.goto('/');
  await logIn(page, await matterdesk.register());
  await page.waitForURL('/dashboard');
  const kept = keys.map((key) => `redux-${key}`);
  // Beside the stores, when a tab was touched last.
  await expect.poll(() => keptKeys(page)).toEqual(['matterdesk-touched', ...kept]);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good /);
  expect(await page.evaluate(() => document.documentElement.className)).toBe('dark');
  // A reply that is pending at logout.
  await page.route('**/api/v1/users', async (route) => {
    const response = await route.fetch();
    await release.promise;
    await route.fulfill({ response }).catch(() => undefined);
  });
  const asked = page.waitForRequest('**/api/v1/users');
  await page.reload();
  await asked;
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  release.resolve();
  await page.waitForLoadState('networkidle');
  expect(await keptKeys(page)).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toContain('theme=dark');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test('the shell starts from corrupt storage as from an empty one', async ({ page, matterdesk }) => {
  await matterdesk.signIn(page, await matterdesk.register());
  // A page without the application, which would overwrite the storage.
  await page.goto('/readyz');
  for (const name of ['cases', 'tasks', 'socket', 'files'])
    await page.evaluate((key) => localStorage.setItem(`redux-${key}`, '{"ids":[7'), name);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good /);
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.goto('/readyz');
  await page.evaluate(() => localStorage.setItem('redux-user', '{"token":'));
  await page.goto('/dashboard/users');
  await expect(page).toHaveURL('/');
  expect(await keptKeys(page)).toEqual([]);
});

test('a session ends in every tab, and says so in the other tabs only', async ({
  page,
  context,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const other = await context.newPage();
  await recordInvalid(other);
  await other.goto('/dashboard/users');
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const said = isSaid(other);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await said;
  await expect(other).toHaveURL('/');
  await expect(page.getByText(invalid)).toHaveCount(0);
  expect(await keptKeys(other)).toEqual([]);
});

for (const [title, prepare] of [
  ['without a connection too', () => undefined],
  ['that stores it again before it knows', storeAgain],
] as const)
  test(`a session ends in a tab ${title}`, async ({ page, context, matterdesk }) => {
    await matterdesk.signIn(page, await matterdesk.register());
    await page.goto('/dashboard');
    const other = await context.newPage();
    await keepOffline(other);
    await recordInvalid(other);
    await prepare(other);
    await other.goto('/dashboard/users');
    await expect(other.getByRole('row').nth(1)).toBeVisible();
    const said = isSaid(other);
    await page.getByRole('button', { name: 'Logout' }).click();
    await said;
    await expect(other).toHaveURL('/');
    expect(await keptKeys(other)).toEqual([]);
  });

test('the shell reports an invalid token once, however many calls fail', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await keepOffline(page);
  await page.goto('/dashboard/users');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const token = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('redux-user') ?? '{}') as { token: string }).token,
  );
  // A late call of this page would end its session before the two that are waited for.
  await page.goto('about:blank');
  await matterdesk.call(accountRoutes.logout, { token });
  // Two replies arrive together: the first one would end the other calls before they are answered.
  const refused: number[] = [];
  const two = Promise.withResolvers<void>();
  await page.route('**/api/v1/**', async (route) => {
    const response = await route.fetch();
    refused.push(response.status());
    if (refused.length === 2) two.resolve();
    await two.promise;
    await route.fulfill({ response });
  });
  await recordInvalid(page);
  const said = isSaid(page);
  await page.goto('/dashboard/users', { waitUntil: 'commit' });
  await said;
  await expect(page).toHaveURL('/');
  expect(refused.slice(0, 2)).toEqual([400, 400]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // It may have disappeared already, but no second one followed.
  expect(await page.getByText(invalid).count()).toBeLessThan(2);
  expect(await keptKeys(page)).toEqual([]);
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

const NEW = 'harbor lamp seven otters';

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

for (const [colorScheme, where] of themes)
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
