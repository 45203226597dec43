import { expect, type Locator, type Page } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { newCase, newContact, newEvent } from '@matterdesk/server/testing/factories.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { delayConnection, holdConnection, openConnected } from './support/connection.ts';
import { inDays } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { holdRequests, test } from './support/fixtures.ts';

/** Opens the palette once the shell, which handles shortcuts, is rendered. @returns its field */
async function openPalette(page: Page, path = '/dashboard'): Promise<Locator> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  return page.getByRole('combobox', { name: 'Find anything' });
}

/** As for users who save data. */
async function loadNothingAhead(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
}

test('the shell links every page, in the specification’s order and spelling', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const headings = {
    Dashboard: /^Good /,
    Users: 'Users',
    Matters: 'Active Projects',
    Contacts: 'Contacts',
    Tasks: 'Tasks',
    Calender: 'Calendar',
    Emails: 'Emails',
    Messages: 'Messages',
    'To file': 'To file',
    Intakes: 'Intakes',
  };
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good /);
  // The user's own name leads to the account.
  const pages = navigation.locator('a:not([href="/dashboard/account"])');
  const labels = await pages.allInnerTexts();
  expect(labels.map((label) => label.split('\n')[0])).toEqual(Object.keys(headings));
  for (const [label, heading] of Object.entries(headings).toReversed()) {
    await navigation.getByRole('link', { name: label }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(navigation.locator('[aria-current=page]')).toHaveCount(1);
    await expect(page).toHaveTitle(new RegExp(`^(${label}|${String(heading)}) · Matterdesk$`));
  }
});

test('counts open work and follows changes', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await matterdesk.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const matters = page.getByRole('link', { name: 'Matters' });
  await expect(matters).toHaveAccessibleDescription(/^\d+ active$/);
  const before = Number.parseInt(await matters.innerText().then((text) => text.slice(7)), 10);
  await matterdesk.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  await expect(matters).toHaveAccessibleDescription(`${before + 1} active`);
});

test('the shell reports a lost connection, and shows what changed meanwhile', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Kofi', lastName: 'Before' });
  const line = await holdConnection(page);
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByPlaceholder('Search here').fill(admin.email);
  await expect(page.getByRole('cell', { name: 'Before' })).toBeVisible();
  const banner = page.getByText('Can’t reach Matterdesk.');
  await expect(banner).toBeHidden();
  await line.cut();
  await expect(banner).toBeVisible();
  const { id, token } = admin;
  await matterdesk.call(accountRoutes.changeUser, {
    token,
    params: { id },
    body: { lastName: 'Meanwhile' },
  });
  await line.restore();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('cell', { name: 'Meanwhile' })).toBeVisible();
});

test('what changes between the first fetch of a page and its connection is shown', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin', lastName: 'Before' });
  await matterdesk.signIn(page, await matterdesk.register());
  const connect = await delayConnection(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByPlaceholder('Search here').fill(admin.email);
  await expect(page.getByRole('cell', { name: 'Before' })).toBeVisible();
  const { id, token } = admin;
  await matterdesk.call(accountRoutes.changeUser, {
    token,
    params: { id },
    body: { lastName: 'Meanwhile' },
  });
  connect();
  await expect(page.getByRole('cell', { name: 'Meanwhile' })).toBeVisible();
});

test('a page fetches nothing twice when nothing happens before its connection', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  const read: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/')) read.push(pathname + search);
  });
  await openConnected(page, '/dashboard/calender');
  await page.waitForLoadState('networkidle');
  expect(read).toContainEqual(expect.stringContaining('/calendar/grid?'));
  expect(read.filter((address, at) => read.indexOf(address) !== at)).toEqual([]);
});

test('a page that cannot be loaded says why, and comes once the server is back', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await loadNothingAhead(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('Couldn’t load this page')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/*');
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
});

test('the shell loads the other pages ahead', async ({ page, matterdesk }) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const isLoaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /UsersPage/.test(name)),
    );
  await expect.poll(isLoaded, { timeout: 60_000 }).toBe(true);
});

test('the shell finds pages, cases and people with the keyboard alone', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin', lastName: 'Quilliam' });
  const body = newCase({ caseName: 'Zimmerfrau v. Palette & Sons' });
  await matterdesk.call(caseRoutes.openCase, { token: admin.token, body });
  await matterdesk.signIn(page, admin);
  const field = await openPalette(page);
  await expect(field).toBeFocused();
  await page.keyboard.type('calendar');
  await expect(page.getByRole('option')).toHaveText(['Calender']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/calender');
  await expect(page.getByRole('heading', { name: 'Calendar' })).toBeFocused();
  await page.keyboard.press('Meta+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('zimmerfrau');
  const matters = page.getByRole('group', { name: 'Matters' });
  await expect(matters.getByRole('option', { name: body.caseName })).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/caseDetails\/[\w-]+$/);
  await expect(page.getByRole('heading', { name: body.caseName })).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('quilliam');
  await page.getByRole('group', { name: 'People' }).getByRole('option').first().click();
  await expect(page.getByRole('cell', { name: admin.email })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('no such thing');
  await expect(page.getByText('No results for “no such thing”')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
});

test('the palette leaves the focus with the page when nothing had it', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  const field = await openPalette(page);
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  // The Tab key starts at the top of the page.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
});

test('the palette opens what its text finds, also when Enter comes before the answer', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  for (const caseName of ['Yarrowby v. Lund', 'Yarrowsmith v. Lund'])
    await matterdesk.call(caseRoutes.openCase, { token: admin.token, body: newCase({ caseName }) });
  await matterdesk.signIn(page, admin);
  const field = await openPalette(page);
  const matters = page.getByRole('group', { name: 'Matters' }).getByRole('option');
  await field.fill('yarrow');
  await expect(matters).toHaveCount(2);
  const [other = ''] = (await matters.allTextContents()).slice(1);
  const wanted = other.includes('Yarrowby') ? 'Yarrowby' : 'Yarrowsmith';
  const release = await holdRequests(page, '**/api/v1/cases?*');
  const asked = page.waitForRequest((request) => request.url().includes(wanted.toLowerCase()));
  await field.fill(wanted.toLowerCase());
  await page.keyboard.press('Enter');
  await asked;
  await expect(field).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: `${wanted} v. Lund` })).toBeFocused();
});

test('the palette opens no match of an earlier text, also of those that arrive last', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  for (const name of ['Tarquinius Alvarez', 'Tarquinelle Alvarez'])
    await matterdesk.call(contactRoutes.addContact, {
      token: admin.token,
      body: newContact({ name }),
    });
  await matterdesk.signIn(page, admin);
  const field = await openPalette(page);
  const contacts = page.getByRole('group', { name: 'Contacts' }).getByRole('option');
  await field.fill('tarquin');
  await expect(contacts).toHaveCount(2);
  const [other = ''] = (await contacts.allTextContents()).slice(1);
  const wanted = other.includes('Tarquinius') ? 'Tarquinius' : 'Tarquinelle';
  const release = await holdRequests(page, '**/api/v1/contacts?*');
  // The tasks are asked for once the matters have been drawn.
  const drawn = page.waitForRequest(
    (request) => /tasks\?/.test(request.url()) && request.url().includes(wanted.toLowerCase()),
  );
  await field.fill(wanted.toLowerCase());
  await page.keyboard.press('Enter');
  await drawn;
  await expect(field).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: `${wanted} Alvarez` })).toBeVisible();
});

test('the palette keeps the row that the arrows chose while others arrive', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  for (const caseName of ['Corvane Mills', 'Corvane Works'])
    await matterdesk.call(caseRoutes.openCase, { token, body: newCase({ caseName }) });
  const here = await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  const file = { caseId: here.case.id, folder: 'Evidence', name: 'Corvane deposed.txt' };
  await upload({ url: matterdesk.url, token }, file, Buffer.from('Yes.'));
  await matterdesk.signIn(page, admin);
  const release = await holdRequests(page, /\/files\/.*corvane/);
  const field = await openPalette(page, `/dashboard/caseDetails/${here.case.id}`);
  await field.fill('corvane');
  const matters = page.getByRole('group', { name: 'Matters' }).getByRole('option');
  await expect(matters).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(matters.nth(1)).toHaveAttribute('aria-selected', 'true');
  const chosen = (await matters.nth(1).innerText()).includes('Mills') ? 'Mills' : 'Works';
  release();
  await expect(page.getByRole('group', { name: 'Files of this case' })).toContainText(file.name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Corvane ${chosen}` })).toBeFocused();
});

test('the shell keeps the keys typed while the palette loads, marks what matched, and starts things', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const body = newCase({ caseName: 'Wexelblatt v. Ostrander', judge: 'Perpetua Quill' });
  const { token } = admin;
  const opened = await matterdesk.call(caseRoutes.openCase, { token, body });
  const soon = inDays(3);
  const event = newEvent({ title: 'Thackeray testifies', allDay: true, start: soon, end: soon });
  await matterdesk.call(calendarRoutes.addEvent, { token, body: event });
  const file = { caseId: opened.case.id, folder: 'Evidence', name: 'Thackeray deposed.txt' };
  await upload({ url: matterdesk.url, token }, file, Buffer.from('Yes.'));
  await matterdesk.signIn(page, admin);
  const release = await holdRequests(page, /Palette-.*\.js/);
  const field = await openPalette(page);
  await page.keyboard.type('perpetua wexel');
  release();
  await expect(field).toHaveValue('perpetua wexel');
  await expect(field).toBeFocused();
  const found = page.getByRole('group', { name: 'Matters' }).getByRole('option').first();
  await expect(found).toContainText('Judge: Perpetua Quill');
  await expect(found.locator('mark')).toHaveText(['Wexel', 'Perpetua']);
  await found.click();
  await expect(page.getByRole('heading', { name: body.caseName })).toBeFocused();
  await page.keyboard.press('Control+k');
  await field.fill('thackeray');
  await expect(page.getByRole('group', { name: 'Files of this case' })).toContainText(file.name);
  await page.getByRole('group', { name: 'Calendar' }).getByText(event.title).click();
  const card = page.getByRole('dialog', { name: event.title });
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`view=day&date=${soon}$`));
  await page.keyboard.press('Control+k');
  const first = page.getByRole('group', { name: 'Viewed lately' }).getByRole('option').first();
  await expect(first).toContainText(body.caseName);
  await expectAccessible(page, '[role=dialog]');
  await field.fill('dark theme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveClass(/dark/);
  await expect(field).toBeHidden();
  await page.keyboard.press('Control+k');
  await field.fill('new case');
  await page.getByRole('option', { name: 'New case' }).click();
  await expect(page.getByRole('dialog', { name: 'Add New Case' })).toBeVisible();
  await expect(page).toHaveURL('/dashboard/matters');
});

test('the shell survives a page chunk that fails to load, and retries it', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await loadNothingAhead(page);
  await page.goto('/dashboard');
  await page.route(/IntakesPage-.*\.js/, (route) => route.abort());
  await page.getByRole('link', { name: 'Intakes' }).click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute(/IntakesPage-.*\.js/);
  await retry.click();
  await expect(page).toHaveURL('/dashboard/intakes');
  await expect(page.getByRole('heading', { name: 'Intakes', level: 1 })).toBeVisible();
});

test('the shell lets the keyboard skip the navigation', async ({ page, matterdesk }) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/dashboard');
});

test('the shell shows five places on a phone, and the rest behind More @phone', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link')).toHaveText([
    'Dashboard',
    'Matters',
    'Tasks',
    'Emails',
    'Messages',
  ]);
  await bar.getByRole('button', { name: 'More' }).click();
  const more = page.getByRole('dialog', { name: 'More' });
  await expectAccessible(page, '[role=dialog]');
  await more.getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveURL('/dashboard/users');
  await expect(more).toBeHidden();
  await bar.getByRole('button', { name: 'More' }).click();
  await more.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
});

test('the shell lists its keys on a question mark, but not while a question is typed', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters' }).click();
  await expect(page.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.getByRole('heading', { name: 'Board', exact: true })).toBeVisible();
  await expect(keys).toContainText('Undo the last act on this page');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await page.getByRole('searchbox').fill('');
  await page.keyboard.press('?');
  await expect(page.getByRole('searchbox')).toHaveValue('?');
  await expect(keys).toBeHidden();
});

test('the shell draws stronger lines for those who ask for more contrast', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const colorOf = (name: string) =>
    navigation.evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), name);
  const before = await colorOf('border-right-color');
  await page.emulateMedia({ contrast: 'more' });
  expect(await colorOf('border-right-color')).not.toBe(before);
  await expectAccessible(page);
});

test('the shell shows icons with tooltips at 1024 pixels', async ({ page, matterdesk }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(async () => (await navigation.boundingBox())?.width).toBe(56);
  await navigation.getByRole('link', { name: 'Matters' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Matters' })).toBeVisible();
});
