import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { unique } from '@matterdesk/server/testing/factories.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { test } from './support/fixtures.ts';
import { dialog, openCase, openTab, table } from './support/matters.ts';

// docs/clicks.md says what these count.

/** Counts clicks of the mouse from now on, also across pages. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset['clicks'] = '0';
    const count = ({ isTrusted, detail }: MouseEvent) => {
      if (!isTrusted || detail === 0) return;
      const { dataset } = document.documentElement;
      dataset['clicks'] = String(Number(dataset['clicks']) + 1);
    };
    document.addEventListener('click', count, true);
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset['clicks']));
}

test('nine files are trained with one click', async ({ matterdesk, page }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { id: caseId } = await openCase(matterdesk, admin);
  const caller = { url: matterdesk.url, token: admin.token };
  for (const number of Array(9).keys()) {
    const place = { caseId, folder: 'Discovery', name: `page ${number}.txt` };
    await upload(caller, place, Buffer.from(`Exhibit ${number} of the tow truck.`));
  }
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/caseDetails/${caseId}`);
  await openTab(page, 'Files');
  const all = page.getByRole('button', { name: 'Train all 9 files' });
  await expect(all).toBeVisible();
  const clicks = await countClicks(page);
  await all.click();
  await expect(all).toBeHidden({ timeout: 60_000 });
  expect(await clicks()).toBe(1);
});

test('a task of a case takes three clicks', async ({ matterdesk, page }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { id } = await openCase(matterdesk, admin);
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/caseDetails/${id}`);
  await expect(page.getByRole('tab', { name: 'Tasks' })).toBeVisible();
  const clicks = await countClicks(page);
  await openTab(page, 'Tasks');
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click();
  await expect(dialog(page).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Serve the complaint');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByText('Serve the complaint')).toBeVisible();
  expect(await clicks()).toBe(3);
});

test('a matter typed with the mouse between its fields takes twenty clicks', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await openCase(matterdesk, admin);
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/matters');
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'New Case' }).click();
  const field = (label: string) => dialog(page).getByLabel(label, { exact: true });
  const type = async (label: string, text: string) => {
    await field(label).click();
    await field(label).fill(text);
  };
  await expect(field('Case Name')).toBeFocused();
  await page.keyboard.type('Calloway v. Abara');
  const number = `CLICK-${unique()}-${Date.now()}`;
  await type('Case No', number);
  // A browser's own list is opened with one click, and its choice is another.
  const chosen = { Status: 'Litigation', Type: 'PI' };
  for (const [label, choice] of Object.entries(chosen)) await field(label).selectOption(choice);
  await type('Judge', 'Hon. M. Osei');
  await type('Managing Attorney', 'R. Lindqvist');
  await type('DOI', '2025-02-12');
  await type('SOL', '2031-02-12');
  await dialog(page).getByRole('button', { name: 'Next' }).click();
  const client = dialog(page).getByRole('group', { name: 'Client Info' });
  const counsel = dialog(page).getByRole('group', { name: 'Opposing Counsel Info' });
  await expect(client.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Odile Calloway');
  for (const party of [client, counsel]) {
    if (party === counsel) {
      await party.getByLabel('Organization').click();
      await page.keyboard.type('Abara & Partners');
      await party.getByLabel('Name').click();
      await page.keyboard.type('Ngozi Abara');
    }
    for (const [label, text] of [
      ['Phone Number', '+1 212 555 0111'],
      ['Email', 'odile@example.com'],
      ['Address', '12 Elm Street'],
    ] as const) {
      await party.getByLabel(label).click();
      await page.keyboard.type(text);
    }
  }
  await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('main').getByText(number).first()).toBeVisible();
  expect((await clicks()) + 2 * Object.keys(chosen).length).toBe(20);
});

test('a moved statute date is verified with three clicks from its notice', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const second = await matterdesk.register();
  const { token } = admin;
  const matter = await openCase(matterdesk, admin, { SOL: '2031-02-12' });
  const query = { case: matter.id, kind: 'limitation' } as const;
  const { deadlines } = await matterdesk.call(deadlineRoutes.listDeadlines, { token, query });
  await matterdesk.call(deadlineRoutes.changeDeadline, {
    token,
    params: { id: deadlines[0]?.id ?? '' },
    body: { second: second.id },
  });
  await matterdesk.call(caseRoutes.changeCase, {
    token,
    params: { id: matter.id },
    body: { SOL: '2031-03-03' },
  });
  await matterdesk.signIn(page, second);
  await page.goto('/dashboard/matters');
  const bell = page.getByRole('button', { name: 'Notices, 1 new' });
  await expect(bell).toBeVisible();
  const clicks = await countClicks(page);
  await bell.click();
  await page.getByRole('button', { name: /^New: Moved: Statute of limitations/ }).click();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await expect(panel.getByLabel('Date', { exact: true })).toBeFocused();
  await page.keyboard.type('03032031');
  await panel.getByRole('button', { name: 'Verify date' }).click();
  await expect(panel.getByText('You verified the date')).toBeVisible();
  expect(await clicks()).toBe(3);
});

test('a hard deadline with its second takes eight clicks from the list of deadlines', async ({
  matterdesk,
  page,
}) => {
  const second = await matterdesk.register();
  const admin = await matterdesk.register({ role: 'admin' });
  const { caseName } = await openCase(matterdesk, admin);
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/calender?view=deadlines');
  const add = page.getByRole('button', { name: 'New deadline' });
  await expect(add).toBeVisible();
  const clicks = await countClicks(page);
  await add.click();
  await dialog(page).getByRole('combobox', { name: 'Matter' }).click();
  await page.keyboard.type(caseName);
  await page.getByRole('option', { name: caseName }).first().click();
  await dialog(page).getByLabel('Title').click();
  await page.keyboard.type('Answer to complaint');
  await dialog(page).getByLabel('Date', { exact: true }).click();
  await dialog(page).getByLabel('Date', { exact: true }).fill('2031-03-03');
  // A browser's own list is opened with one click, and its choice is another.
  await dialog(page).getByLabel('Second').selectOption(second.id);
  await dialog(page).getByRole('button', { name: 'Add deadline' }).click();
  await expect(dialog(page)).toBeHidden();
  expect((await clicks()) + 2).toBe(8);
});

test('an inquiry is checked and becomes a matter that is not filed yet with six clicks', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const name = `Perpetua ${unique()}`;
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, {
    token: admin.token,
    body: { name, phoneNumber: '518 555 0144', type: 'PI' },
  });
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  const panel = page.getByRole('complementary', { name: 'Intake' });
  const check = panel.getByRole('button', { name: 'Check for conflicts' });
  await expect(check).toBeVisible();
  const clicks = await countClicks(page);
  await check.click();
  await panel.getByRole('button', { name: 'Conclude as cleared' }).click();
  await panel.getByRole('button', { name: 'Make matter' }).click();
  await dialog(page).getByText('Not filed yet').click();
  await dialog(page).getByRole('button', { name: 'Next' }).click();
  await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
  await expect(page).toHaveURL(/caseDetails/);
  // A label passes its click on to its switch.
  expect((await clicks()) - 1).toBe(6);
});

test('an invitation takes two clicks', async ({ matterdesk, page }) => {
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard/users');
  const invite = page.getByRole('button', { name: 'Invite' });
  await expect(invite).toBeVisible();
  const clicks = await countClicks(page);
  await invite.click();
  await expect(dialog(page).getByLabel('Email')).toBeFocused();
  await page.keyboard.type(`kofi-${Date.now()}@invited.example`);
  await dialog(page).getByRole('button', { name: 'Create invitation' }).click();
  await expect(dialog(page).getByLabel('Link', { exact: true })).toBeVisible();
  expect(await clicks()).toBe(2);
});
