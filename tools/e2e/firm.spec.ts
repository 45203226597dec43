import { expect, type Page } from '@playwright/test';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { ZONE } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test, type Firm, type Person } from './support/fixtures.ts';

const MINUTE = 60_000;

/** An admin's page of a firm that locks after this many minutes, with a clock that the test moves. */
async function openFirm(page: Page, matterdesk: Firm, idleMinutes: number): Promise<Person> {
  const admin = await matterdesk.register({ role: 'admin' });
  await matterdesk.call(firmRoutes.changeFirm, { token: admin.token, body: { idleMinutes } });
  await matterdesk.signIn(page, admin);
  await page.clock.install();
  // A part of the page that loads while the clock jumps would count as lost.
  const connected = page.waitForEvent('websocket');
  await page.goto('/dashboard/firm');
  await connected;
  await expect(page.getByLabel('Minutes until a page locks')).toHaveValue(String(idleMinutes));
  return admin;
}

const cover = (page: Page) => page.getByRole('dialog', { name: 'Locked' });

async function unlock(page: Page, password: string) {
  await cover(page).getByLabel('Password', { exact: true }).fill(password);
  await cover(page).getByRole('button', { name: 'Unlock' }).click();
}

test('the firm’s page changes the settings of the firm, and asks before changes are lost', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Firm', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Owusu Law');
  await page.getByLabel('Phone').fill('+1 518 555 0140');
  await page.getByLabel('Letterhead').fill('Attorneys at Law\nFax +1 518 555 0141');
  await page.getByLabel('Morning').fill('06:45');
  await page.getByLabel('Minutes until a page locks').fill('3');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByPlaceholder('Search').fill('chicago');
  await page.getByRole('option', { name: 'America/Chicago' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Idle Minutes must be a whole number')).toBeVisible();
  await page.getByLabel('Minutes until a page locks').fill('90');
  await expect(page.getByText('1 hour 30 minutes')).toBeVisible();
  await page.getByRole('link', { name: 'Matters' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Owusu Law');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveText('America/Chicago');
  await expect(page.getByLabel('Phone')).toHaveValue('+1 518 555 0140');
  await expect(page.getByLabel('Letterhead')).toHaveValue('Attorneys at Law\nFax +1 518 555 0141');
  await expect(page.getByLabel('Minutes until a page locks')).toHaveValue('90');
  // Tests that share the firm count days by its zone.
  const body = { timeZone: ZONE };
  await matterdesk.call(firmRoutes.changeFirm, { token: admin.token, body });
  const user = await matterdesk.register();
  await matterdesk.signIn(page, user);
  await page.goto('/dashboard/firm');
  await expect(page.getByLabel('Morning')).toHaveValue('06:45');
  await expect(page.getByLabel('Morning')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
});

test('the shell covers an untouched page, and goes on with what was typed after the password', async ({
  page,
  matterdesk,
}) => {
  const admin = await openFirm(page, matterdesk, 5);
  await page.getByLabel('Name', { exact: true }).fill('Half-typed name');
  await page.clock.fastForward(4 * MINUTE);
  await page.keyboard.press('Shift');
  await page.clock.fastForward(4 * MINUTE);
  await expect(page.getByRole('heading', { name: 'Firm' })).toBeVisible();
  await page.clock.fastForward(MINUTE + 1000);
  await expect(cover(page)).toBeVisible();
  await expect(page).toHaveTitle('Locked · Matterdesk');
  // Neither seen nor reached: by the pointer, keys, or a screen reader.
  await expect(page.getByLabel('Name', { exact: true })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(cover(page)).toBeVisible();
  await expect(page.getByRole('dialog', { includeHidden: true })).toHaveCount(1);
  await expectAccessible(page);
  await unlock(page, 'wrong');
  await expect(cover(page).getByText('The password is not right')).toBeVisible();
  await unlock(page, admin.password);
  await expect(cover(page)).toBeHidden();
  await expect(page).toHaveTitle('Firm · Matterdesk');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half-typed name');
  await expect(page.getByText('Not saved yet')).toBeVisible();
});

test('a covered page goes on where it was though the session ended meanwhile, with a dialog open', async ({
  page,
  matterdesk,
}) => {
  const admin = await openFirm(page, matterdesk, 5);
  await page.goto('/dashboard/matters');
  await page.getByRole('button', { name: 'New Case' }).click();
  await page.getByLabel('Case Name').fill('Abara v. Northline');
  await page.clock.fastForward(6 * MINUTE);
  await expect(cover(page)).toBeVisible();
  const refusal = { statusCode: 400, code: 'invalidToken', message: 'Ended', body: null };
  await page.route('**/users/me/unlock', (route) => route.fulfill({ status: 400, json: refusal }));
  await unlock(page, 'wrong');
  await expect(cover(page).getByText('Invalid email or password')).toBeVisible();
  await unlock(page, admin.password);
  await expect(cover(page)).toBeHidden();
  await expect(page.getByLabel('Case Name')).toHaveValue('Abara v. Northline');
});

test('a cover holds in every tab: one covers and unlocks all, and a new one wipes what is stored', async ({
  page,
  matterdesk,
}) => {
  const admin = await openFirm(page, matterdesk, 5);
  const other = await page.context().newPage();
  await other.goto('/dashboard/matters');
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible();
  // As in the first page: it would be loaded again.
  for (const tab of [page, other]) await tab.waitForLoadState('networkidle');
  await page.getByLabel('Name', { exact: true }).fill('Half-typed name');
  // One clock for all pages of a browser.
  await page.clock.fastForward(6 * MINUTE);
  for (const tab of [page, other]) await expect(cover(tab)).toBeVisible();
  await unlock(other, admin.password);
  for (const tab of [page, other]) await expect(cover(tab)).toBeHidden();
  await page.clock.fastForward(6 * MINUTE);
  await expect(cover(page)).toBeVisible();
  const fresh = await page.context().newPage();
  await fresh.goto('/dashboard/matters');
  await expect(fresh).toHaveURL('/');
  expect(
    await fresh.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('redux-'))),
  ).toEqual([]);
  await expect(cover(page)).toBeVisible();
  await unlock(page, admin.password);
  for (const tab of [page, other]) await expect(cover(tab)).toBeHidden();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half-typed name');
  await fresh.close();
  // Signing out from the cover signs out everywhere.
  await page.clock.fastForward(6 * MINUTE);
  for (const tab of [page, other]) await expect(cover(tab)).toBeVisible();
  await cover(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL('/');
  await logIn(page, admin);
  await expect(page).toHaveURL('/dashboard');
});

for (const [colorScheme, where] of [
  ['light', ''],
  ['dark', ' @phone'],
] as const)
  test(`the firm's page and the cover are accessible, ${colorScheme}${where}`, async ({
    page,
    matterdesk,
  }) => {
    await page.emulateMedia({ colorScheme });
    await openFirm(page, matterdesk, 5);
    await expectAccessible(page);
    await page.clock.fastForward(6 * MINUTE);
    await expect(cover(page)).toBeVisible();
    await expectAccessible(page);
  });
