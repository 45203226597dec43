import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { newCase, newTask } from '@matterdesk/server/testing/factories.ts';
import { keepOffline } from './support/connection.ts';
import { inDays } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, refusal, test } from './support/fixtures.ts';

const DAY = 86_400_000;

async function addTask(firm: Firm, token: string, own: Parameters<typeof newTask>[0]) {
  const startTime = new Date(Date.now() - 9 * DAY).toISOString();
  const body = { ...newTask({ startTime, ...own }) };
  return (await firm.call(taskRoutes.addTask, { token, body })).tasks;
}

async function fulfilOverview(page: Page, overview: Overview): Promise<void> {
  await page.route('**/api/v1/overview**', (route) =>
    route.fulfill({ json: { statusCode: 200, message: 'OK', body: overview } }),
  );
}

const nothing: Overview = {
  counts: { activeCases: 0, archivedCases: 0, myOpenTasks: 0, deadlines: 0 },
  digest: { items: 0, deadlines: 0, tasks: 0, waiting: 0, noNextDate: 0 },
  myTasks: [],
  tasksOfDay: [],
  limitations: [],
  limitationsTotal: 0,
  recentCases: [],
};

const crowd: Overview['limitations'] = Array.from({ length: 50 }, (_, index) => ({
  id: `case-${index}`,
  caseName: `Castellano v. St. Brigid Hospital and Others ${index}`,
  caseNo: `2026-MM-${index}`,
  status: 'Litigation',
  SOL: inDays(Math.floor(index * 1.8)),
}));

test('the dashboard shows what is due today, with links', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Ama' });
  const { token, id: assignedTo } = admin;
  const body = newCase({ caseName: 'Estate of Hollis Brandt', SOL: inDays(12) });
  const { case: one } = await matterdesk.call(caseRoutes.openCase, { token, body });
  const own = { case: one.id, assignedTo };
  const noon = `${inDays(0)}T17:00:00.000Z`;
  await addTask(matterdesk, token, { ...own, name: 'Serve notice', endTime: noon });
  await addTask(matterdesk, token, { ...own, name: 'File answer', endTime: noon });
  const yesterday = `${inDays(-1)}T17:00:00.000Z`;
  await addTask(matterdesk, token, { ...own, name: 'Call Dr. Sato', endTime: yesterday });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^Good (morning|afternoon|evening), Ama$/,
  );
  await expect(page.getByText('2 tasks due today · 1 late')).toBeVisible();
  await expect(page.getByRole('link', { name: /Call Dr. Sato/ })).toContainText('Yesterday');
  await expect(page.getByRole('link', { name: /Serve notice/ })).toContainText('Today');
  await expect(page.getByRole('link', { name: /^Estate of Hollis Brandt CV/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /File answer/ }).click();
  await expect(page).toHaveURL(`/dashboard/tasks?case=${one.id}`);
  await page.goBack();
  await page.getByRole('button', { name: 'Show as list' }).click();
  await page.getByRole('link', { name: /Estate of Hollis Brandt .*in 12 days/ }).click();
  await expect(page).toHaveURL(`/dashboard/caseDetails/${one.id}`);
  await page.goBack();
  // The numbers are of the whole firm, which tests share.
  const year = page.getByRole('region', { name: 'Statutes of limitations, next 365 days' });
  const month = year.getByRole('link', { name: /^[1-9]\d* ?Next 30 days$/ });
  await month.click();
  await expect(page).toHaveURL(/kind=limitation/);
  await expect(page.getByRole('main').getByText('Estate of Hollis Brandt').first()).toBeVisible();
});

test('the dashboard lists the matters that the user opened, the last one first', async ({
  page,
  matterdesk,
}) => {
  const { token } = await matterdesk.register({ role: 'admin' });
  // Only this test's matters have these names.
  const names = ['Abara v. Quillon', 'Brandt v. Quillon', 'Castellano v. Quillon'];
  for (const caseName of names)
    await matterdesk.call(caseRoutes.openCase, { token, body: newCase({ caseName }) });
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Newest matters' })).toBeVisible();
  for (const name of names.slice(0, 2)) {
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Matters' }).click();
    await page.getByRole('table', { name: 'Matters' }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.getByRole('link', { name: 'Dashboard' }).click();
  }
  const opened = page.getByRole('region', { name: 'Recently opened' }).getByRole('link');
  await expect(opened).toHaveText([/^Brandt v. Quillon/, /^Abara v. Quillon/]);
});

test('the dashboard follows other users’ changes', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const person = await matterdesk.register();
  const { token } = admin;
  const { case: one } = await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard');
  await expect(page.getByText('No tasks are assigned to you.')).toBeVisible();
  const endTime = new Date().toISOString();
  const own = { case: one.id, assignedTo: person.id, endTime };
  const task = await addTask(matterdesk, token, { ...own, name: 'Collect police report' });
  await expect(page.getByRole('link', { name: /Collect police report/ })).toBeVisible();
  await expect(page.getByText('1 task due today')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tasks', exact: true })).toHaveAccessibleDescription(
    '1 of yours',
  );
  await matterdesk.call(taskRoutes.deleteTask, { token, params: { id: task.id } });
  await expect(page.getByText('No tasks are assigned to you.')).toBeVisible();
});

test('the dashboard lays out many deadlines without overlaps', async ({ page, matterdesk }) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await fulfilOverview(page, {
    ...nothing,
    counts: { activeCases: 90, archivedCases: 0, myOpenTasks: 0, deadlines: 0 },
    limitations: crowd,
    limitationsTotal: 73,
  });
  await page.goto('/dashboard');
  const line = page.getByRole('list', { name: 'By date' });
  await expect(line.getByRole('listitem').first()).toBeVisible();
  await expect(page.getByText('The soonest 50 of 73.')).toBeVisible();
  const spots = line.locator('a, button');
  const boxes = await Promise.all((await spots.all()).map((spot) => spot.boundingBox()));
  const edges = boxes.map((box) => box?.x ?? 0);
  const gaps = edges.slice(1).map((x, index) => x - (edges[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(23.5);
  await expectAccessible(page);
  const cluster = line.getByRole('button').first();
  await cluster.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await expectAccessible(page, '[role=menu]');
  await page.keyboard.press('Escape');
  await expect(cluster).toBeFocused();
  await page.getByRole('button', { name: 'Show as list' }).click();
  await page.getByRole('button', { name: 'Show 44 more' }).click();
  await expect(page.getByRole('link', { name: /St. Brigid Hospital/ })).toHaveCount(50);
});

test('the dashboard guides a new firm to its first matter', async ({ page, matterdesk }) => {
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await fulfilOverview(page, nothing);
  await page.goto('/dashboard');
  await expect(page.getByText('No matters yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Add the first matter' }).click();
  await expect(page).toHaveURL('/dashboard/matters');
  await expect(page.getByRole('dialog', { name: 'Add New Case' })).toBeVisible();
});

test('the dashboard reports an overview that failed to load, and retries', async ({
  page,
  matterdesk,
}) => {
  await keepOffline(page);
  await matterdesk.signIn(page, await matterdesk.register());
  await page.route('**/api/v1/overview**', (route) =>
    route.fulfill(refusal('unavailable', 'Away')),
  );
  await page.goto('/dashboard');
  await expect(page.getByText('Couldn’t load the overview')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/v1/overview**');
  await fulfilOverview(page, { ...nothing, counts: { ...nothing.counts, archivedCases: 1 } });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No tasks are assigned to you.')).toBeVisible();
});

test('the dashboard works on a phone in dark mode @phone', async ({ page, matterdesk }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  const caseName = `In re Lindgren Trust ${'and its beneficiaries '.repeat(4)}`.trim();
  const body = newCase({ caseName, SOL: inDays(1) });
  await matterdesk.call(caseRoutes.openCase, { token, body });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /In re Lindgren Trust .*tomorrow/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show as list' })).toBeHidden();
  await expectAccessible(page);
  const tooWide = await page.getByRole('main').evaluate((main) => main.scrollWidth - innerWidth);
  expect(tooWide).toBe(0);
});
