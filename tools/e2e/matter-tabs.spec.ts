import { expect, type Page } from '@playwright/test';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { newDeadline, newTask } from '@matterdesk/server/testing/factories.ts';
import { sendFile } from '@matterdesk/server/testing/uploads.ts';
import { keepOffline } from './support/connection.ts';
import { inDays } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { dialog, openCase, openFromMenu, openMatters, openTab, row } from './support/matters.ts';

/** From the dashboard, with the mouse. */
async function openMatter(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await row(page, name).getByRole('link').first().click();
}

test('the tabs of a matter are in the address, and Back and Forward go between them', async ({
  matterdesk,
  page,
}) => {
  const { admin, cases, tag } = await openMatters(matterdesk, page, ['Tabbed']);
  const [{ id } = { id: '' }] = cases;
  const place = { token: admin.token, caseId: id, folder: 'Leases' };
  const file = { name: 'Lease.txt', bytes: Buffer.from('The rent is 1,200 dollars.') };
  await sendFile(createClient(matterdesk.url), place, file);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await row(page, `Tabbed ${tag}`).getByRole('link').first().click();
  const panel = page.getByRole('tabpanel');

  // Both places count a file that arrives while the library was never opened.
  const counted = page.getByRole('tab', { name: 'Files' });
  const chip = page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: 'Files' });
  await expect(counted).toHaveText('Files1');
  await expect(chip).toHaveText('Files1');
  await sendFile(createClient(matterdesk.url), place, { ...file, name: 'Annex.txt' });
  await expect(counted).toHaveText('Files2');
  await expect(chip).toHaveText('Files2');
  await openTab(page, 'Details');
  await expect(page).toHaveURL(/\?tab=details$/);
  await expect(panel).toHaveAccessibleName('Details');
  await expect(panel.getByRole('region', { name: 'Next dates' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Dates' })).toBeFocused();
  await expect(panel).toHaveAccessibleName('Dates');
  await expect(panel.getByRole('region', { name: 'Next dates' })).toHaveCount(0);
  await page.goBack();
  await expect(panel).toHaveAccessibleName('Details');

  // A dialog in the address keeps its tab.
  await openFromMenu(page, 'Access');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveAccessibleName('Details');
  await page.getByRole('link', { name: 'View More' }).click();
  await expect(panel).toHaveAccessibleName('Stream');
  await expect(panel.getByRole('checkbox', { name: 'Show all changes' })).toBeChecked();
  const whole = page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: /^All/ });
  // Also where the address alone asks for them.
  await page.reload();
  await expect(whole).toHaveText(/^All\d+$/);
  const [, total = ''] = /(\d+)$/.exec((await whole.textContent()) ?? '') ?? [];
  await expect(page.getByRole('tab', { name: 'Stream' })).toHaveText(`Stream${total}`);
  await page.goBack();
  await expect(panel).toHaveAccessibleName('Details');
  await openTab(page, 'Files');
  await page.getByRole('link', { name: 'Lease.txt' }).click();
  await expect(page).toHaveURL(/folder=Leases&file=Lease.txt$/);
  const address = page.url();
  await page.goBack();
  await page.goBack();
  await expect(panel).toHaveAccessibleName('Details');
  await page.goForward();
  await expect(panel).toHaveAccessibleName('Files');

  // An address that names a file opens its tab, and stays there.
  await page.goto(address);
  await page.getByRole('button', { name: 'Close preview' }).click();
  await expect(panel).toHaveAccessibleName('Files');
  await page.reload();
  await expect(panel.getByRole('link', { name: 'Lease.txt' })).toBeVisible();
});

test('the header of a matter stays while its tabs scroll, and a narrow window has one column', async ({
  matterdesk,
  page,
}) => {
  await openMatters(matterdesk, page, ['Scrolled']);
  await page.setViewportSize({ width: 1000, height: 500 });
  await row(page, 'Scrolled').getByRole('link').first().click();
  const client = page.getByRole('heading', { name: 'Client', exact: true });
  const tabs = page.getByRole('tablist', { name: 'Parts of this matter' });
  await expect(tabs).toBeVisible();
  await openTab(page, 'Files');
  await expect(client).toHaveCount(0);
  await openTab(page, 'Details');
  await expect(client).toBeVisible();
  await expect(page.getByRole('link', { name: 'View More' })).toBeAttached();
  await page.getByRole('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  const box = await tabs.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(151);
  await openTab(page, 'Files');
  await page.setViewportSize({ width: 1100, height: 500 });
  await expect(client).toBeVisible();
});

test('the tasks of a matter are added, changed and done on its page', async ({
  matterdesk,
  page,
}) => {
  const { admin, cases, tag } = await openMatters(matterdesk, page, ['Tasked']);
  const [{ id, caseName } = { id: '', caseName: '' }] = cases;
  await openMatter(page, `Tasked ${tag}`);
  await openTab(page, 'Tasks');
  const tasks = page.getByRole('region', { name: 'Tasks', exact: true });
  await expect(tasks.getByText('No tasks yet')).toBeVisible();
  await expectAccessible(page);
  await tasks.getByRole('button', { name: 'New Task' }).first().click();
  await expect(dialog(page).getByRole('combobox', { name: 'Case' })).toContainText(caseName);
  await dialog(page).getByLabel('Name').fill('Serve the complaint');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(tasks.getByRole('button', { name: 'Serve the complaint' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Tasks' })).toHaveText('Tasks1');
  const times = { startTime: `${inDays(-9)}T17:00:00Z`, endTime: `${inDays(-3)}T17:00:00Z` };
  const body = newTask({ case: id, assignedTo: admin.id, name: 'Order the records', ...times });
  await matterdesk.call(taskRoutes.addTask, { token: admin.token, body });
  const late = tasks.getByRole('button', { name: 'Order the records' });
  await expect(late).toContainText('3 days late');
  await late.click();
  await dialog(page).getByLabel('Name').fill('Order all records');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  const first = tasks.getByRole('checkbox', { name: 'Serve the complaint is done' });
  // `check` would look at the box again, which leaves the list.
  await first.click();
  await expect(page.getByText('Serve the complaint is done')).toBeVisible();
  // The focus stays in the list.
  const second = tasks.getByRole('checkbox', { name: 'Order all records is done' });
  await expect(second).toBeFocused();
  await expectAccessible(page);
  await tasks.getByRole('button', { name: '1 done' }).click();
  await expect(tasks.getByRole('list', { name: 'Done' })).toContainText('Serve the complaint');
  await tasks.getByRole('list', { name: 'Done' }).getByRole('checkbox').click();
  await expect(tasks.getByRole('button', { name: 'Serve the complaint' })).toBeVisible();
  await tasks.getByRole('link', { name: 'Board' }).click();
  await expect(page).toHaveURL(`/dashboard/tasks?case=${id}`);
});

test('the dates of a matter are listed on its page, overdue ones first, and added there', async ({
  matterdesk,
  page,
}) => {
  const { admin, tag } = await openMatters(matterdesk, page);
  await matterdesk.register();
  const matter = await openCase(matterdesk, admin, {
    caseName: `Dated ${tag}`,
    SOL: '2099-02-12',
  });
  for (const [title, days] of [
    ['File the motion', -2],
    ['Serve the answer', 400],
  ] as const) {
    const date = inDays(days);
    const deadline = newDeadline({ case: matter.id, title, date, owner: admin.id, hard: false });
    await matterdesk.call(deadlineRoutes.addDeadline, { token: admin.token, body: deadline });
  }
  await openMatter(page, `Dated ${tag}`);
  await openTab(page, 'Dates');
  const dates = page.getByRole('region', { name: 'Dates', exact: true });
  await expect(dates.getByRole('listitem')).toHaveText([/^File the motion.*2 days late$/]);
  await expect(page.getByRole('tab', { name: 'Dates' })).toHaveText('Dates1');
  await dates.getByRole('button', { name: 'New deadline' }).click();
  const form = page.getByRole('dialog', { name: 'New deadline' });
  await form.getByLabel('Title').fill('Meet and confer');
  await form.getByLabel('Date', { exact: true }).fill(inDays(20));
  await form.getByLabel('Second').selectOption({ index: 1 });
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form).toBeHidden();
  await expect(dates.getByRole('listitem')).toHaveCount(2);
  await dates.getByRole('button', { name: 'New event' }).click();
  const event = page.getByRole('dialog', { name: 'New event' });
  await event.getByLabel('Title').fill('Deposition of the driver');
  await expect(event.getByRole('combobox', { name: 'Matter' })).toContainText(matter.caseName);
  // Nine o’clock may have passed.
  await event.getByRole('checkbox', { name: 'All day' }).check();
  await event.getByRole('button', { name: /^(Save|Add event)/ }).click();
  await expect(event).toBeHidden();
  await expect(dates.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  await dates.getByRole('link', { name: 'All deadlines' }).click();
  await expect(page).toHaveURL(`/dashboard/calender?view=deadlines&case=${matter.id}`);
});

test('tasks and dates of a matter that fail to load say so, and are loaded again', async ({
  matterdesk,
  page,
}) => {
  await keepOffline(page);
  const { admin, tag } = await openMatters(matterdesk, page);
  await openCase(matterdesk, admin, { caseName: `Failing ${tag}`, SOL: '2099-02-12' });
  const calls = /\/api\/v1\/(tasks\/|calendar\/grid)/;
  await page.route(calls, (route) => route.abort());
  await openMatter(page, `Failing ${tag}`);
  await openTab(page, 'Tasks');
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByText('Couldn’t load the tasks')).toBeVisible();
  await expectAccessible(page);
  await openTab(page, 'Dates');
  await expect(panel.getByText('Couldn’t load the dates')).toBeVisible();
  await page.unroute(calls);
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(panel.getByText('No date in the next 12 months')).toBeVisible();
  await openTab(page, 'Tasks');
  await expect(panel.getByText('No tasks yet')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`a matter on a phone has its details in a tab, ${colorScheme} @phone`, async ({
    matterdesk,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const { tag } = await openMatters(matterdesk, page, ['Phoned']);
    await row(page, `Phoned ${tag}`).tap();
    const tabs = page.getByRole('tablist', { name: 'Parts of this matter' });
    await expect(tabs).toBeVisible();
    const box = await tabs.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(201);
    for (const name of ['Files', 'Tasks', 'Dates', 'Details'] as const) {
      await openTab(page, name);
      await expect(page.getByRole('tabpanel').locator('[aria-busy=true]')).toHaveCount(0);
      await expectAccessible(page);
    }
    const headings = page.getByRole('tabpanel').getByRole('heading');
    await expect(headings.first()).toHaveText('Summary');
    await expect(headings.last()).toHaveText('Latest Activity');
    await expect(page.getByRole('link', { name: 'View More' })).toBeAttached();
    const main = page.getByRole('main');
    expect(await main.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

test('a phone shows the counts of tabs that were not opened @phone', async ({
  matterdesk,
  page,
}) => {
  const { admin, cases, tag } = await openMatters(matterdesk, page, ['Counted']);
  const [{ id } = { id: '' }] = cases;
  const { token } = admin;
  for (let index = 0; index < 12; index += 1) {
    const body = newTask({ case: id, assignedTo: admin.id });
    await matterdesk.call(taskRoutes.addTask, { token, body });
    const deadline = newDeadline({ case: id, date: inDays(9), owner: admin.id, hard: false });
    await matterdesk.call(deadlineRoutes.addDeadline, { token, body: deadline });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await row(page, `Counted ${tag}`).tap();
  await expect(page.getByRole('tab', { name: 'Tasks' })).toHaveText('Tasks12');
  await expect(page.getByRole('tab', { name: 'Dates' })).toHaveText('Dates13');
  // Its statute of limitations is the thirteenth. All tabs fit on one line.
  const tabs = await page.getByRole('tab').all();
  const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
});

test('the second of a deadline sees its date on the matter once they have verified it', async ({
  matterdesk,
  page,
}) => {
  const owner = await matterdesk.register();
  const second = await matterdesk.register();
  const admin = await matterdesk.register({ role: 'admin' });
  const matter = await openCase(matterdesk, admin, { SOL: '2099-02-12' });
  const date = inDays(20);
  const deadline = await matterdesk.call(deadlineRoutes.addDeadline, {
    token: owner.token,
    body: newDeadline({
      title: 'Expert report',
      case: matter.id,
      hard: true,
      date,
      owner: owner.id,
      second: second.id,
    }),
  });
  await matterdesk.signIn(page, second);
  await page.goto(`/dashboard/caseDetails/${matter.id}?tab=dates`);
  const dates = page.getByRole('region', { name: 'Dates', exact: true });
  await expect(dates.getByRole('listitem')).toHaveText([/^Expert report.*Hidden until verified$/]);
  await openTab(page, 'Details');
  const next = page.getByRole('region', { name: 'Next dates' });
  await expect(next.getByRole('listitem')).toHaveText(['Expert reportHidden until verified']);
  await matterdesk.call(deadlineRoutes.verifyDeadline, {
    token: second.token,
    params: { id: deadline.id },
    body: { date, time: null },
  });
  await expect(next.getByText('Hidden until verified')).toHaveCount(0);
  await expect(next.getByRole('listitem')).toHaveText([/^Expert report.*, /]);
});
