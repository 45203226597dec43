import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadline-routes.ts';
import { newCase, newDeadline } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/fixtures.ts';

const DEADLINES = '/dashboard/calender?view=deadlines';

test('a hard deadline takes two people to enter, and two to move', async ({
  page,
  browser,
  matterdesk,
}) => {
  const owner = await matterdesk.register({ firstName: 'Rune', lastName: 'Lindqvist' });
  // A user who holds editCalendar would find the deadlines of every test's matters waiting, too.
  const second = await matterdesk.register({ firstName: 'Ama', lastName: 'Owusu' });
  const { token } = await matterdesk.register({ role: 'admin' });
  await matterdesk.call(caseRoutes.openCase, {
    token,
    body: newCase({ caseName: 'Abara v. Northline Freight', SOL: '2031-02-12' }),
  });
  await matterdesk.signIn(page, owner);
  await page.goto(DEADLINES);
  await page.getByRole('button', { name: 'New deadline' }).click();
  const form = page.getByRole('dialog', { name: 'New deadline' });
  await form.getByLabel('Title').fill('Reply to counterclaim');
  await form.getByLabel('Date', { exact: true }).fill('2031-03-03');
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form.getByText('Please select a second person')).toBeVisible();
  // Not by name: other tests register people of the same name in a shared firm.
  await form.getByLabel('Second').selectOption(second.id);
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form).toBeHidden();
  const waiting = (where = page) => where.getByRole('region', { name: 'Waiting for you' });
  await waiting().getByRole('button', { name: 'Reply to counterclaim' }).click();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await expect(panel.getByText('Waiting for Ama Owusu')).toBeVisible();
  await panel.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(panel.getByText('You acknowledged the warning')).toBeVisible();

  const context = await browser.newContext({ baseURL: matterdesk.url });
  const other = await context.newPage();
  await matterdesk.signIn(other, second);
  await other.goto(DEADLINES);
  const row = waiting(other).getByRole('button', { name: 'Reply to counterclaim' });
  await expect(row).toContainText('Verify');
  await row.click();
  const opened = other.getByRole('complementary', { name: 'Deadline' });
  await expect(opened.getByText('Rune Lindqvist added it: a date')).toBeVisible();
  await expect(opened.getByText('Mar 3, 2031')).toHaveCount(0);
  await opened.getByLabel('Date', { exact: true }).fill('2031-03-05');
  await opened.getByRole('button', { name: 'Verify date' }).click();
  await expect(opened.getByText('The dates differ: Mar 3, 2031 and Mar 5, 2031')).toBeVisible();
  await opened.getByLabel('Date', { exact: true }).fill('2031-03-03');
  await opened.getByRole('button', { name: 'Verify date' }).click();
  await expect(opened.getByText('You verified the date')).toBeVisible();

  // The owner’s page follows by itself.
  await expect(panel.getByText('Ama Owusu verified the date')).toBeVisible();
  await panel.getByRole('button', { name: 'Propose a change' }).click();
  const change = page.getByRole('dialog', { name: 'Propose a change' });
  await change.getByLabel('New date').fill('2031-02-20');
  await change.getByLabel('Reason').fill('Both sides signed a stipulation.');
  await change.getByRole('button', { name: 'Propose change' }).click();
  await expect(panel.getByText('Feb 20 rules until then')).toBeVisible();

  await opened.getByRole('button', { name: 'Accept change' }).click();
  await expect(opened.getByText('You accepted the change')).toBeVisible();
  await expect(panel.getByText('Ama Owusu accepted the change')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the deadlines are accessible, ${colorScheme}`, async ({ page, matterdesk }) => {
    await page.emulateMedia({ colorScheme });
    const admin = await matterdesk.register({ role: 'admin' });
    const { token } = admin;
    const { case: matter } = await matterdesk.call(caseRoutes.openCase, {
      token,
      body: newCase({ assignedUsers: [admin.id], SOL: '2031-02-12' }),
    });
    const overdue = newDeadline({ owner: admin.id, case: matter.id, date: '2020-01-01' });
    const added = await matterdesk.call(deadlineRoutes.addDeadline, { token, body: overdue });
    await matterdesk.signIn(page, admin);
    await page.goto(`${DEADLINES}&deadline=${added.id}`);
    await expect(page.getByRole('region', { name: 'History' })).toBeVisible();
    // The looks share a product.
    const overdueRows = page.getByRole('region', { name: 'Overdue' }).getByRole('listitem');
    await expect(overdueRows.first()).toBeVisible();
    await expect(page.getByText('days late').first()).toBeVisible();
    await expectAccessible(page);
  });
