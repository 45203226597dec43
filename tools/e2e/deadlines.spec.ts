import { expect, type Locator, type Page } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { newCase, newDeadline, newEvent } from '@matterdesk/server/testing/factories.ts';
import { inDays } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';

const on = (day: string) => ({ start: day, end: day });
const DEADLINES = '/dashboard/calender?view=deadlines';

/** Chooses one of the acts that are in the menu of a panel. */
async function choose(page: Page, panel: Locator, name: string): Promise<void> {
  await panel.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('the matter of a hard deadline is the one that begins with what was typed, not one whose counsel has the word', async ({
  page,
  matterdesk,
}) => {
  const second = await matterdesk.register({ firstName: 'Ama', lastName: 'Owusu' });
  const { token, ...owner } = await matterdesk.register({ role: 'admin' });
  const open = (own: Parameters<typeof newCase>[0]) =>
    matterdesk.call(caseRoutes.openCase, { token, body: newCase(own) });
  const name = `Reyes${Date.now()}`;
  const caseNo = `${name}-CV-7`;
  await open({ caseName: `${name} v. Jansen`, caseNo });
  const { opposingCounselInfo } = newCase();
  const counsel = { ...opposingCounselInfo, organization: `${name} & Partners LLP` };
  await open({ caseName: 'Adams v. City', opposingCounselInfo: counsel });
  await matterdesk.signIn(page, { token, ...owner });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Calender' }).click();
  await page.getByRole('link', { name: 'Deadlines' }).first().click();
  await page.getByRole('button', { name: 'New deadline' }).click();
  const form = page.getByRole('dialog', { name: 'New deadline' });
  await form.getByRole('combobox', { name: 'Matter' }).click();
  await page.keyboard.type(name.toLowerCase());
  const options = page.getByRole('listbox', { name: 'Options' }).getByRole('option');
  await expect(options).toHaveCount(2);
  await expect(options.nth(1)).toContainText('Opposing counsel');
  await expect(options.nth(1).locator('mark')).toHaveText(name);
  await expect(page.locator('input:focus')).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  const chosen = form.getByRole('combobox', { name: 'Matter' });
  await expect(chosen).toContainText(`${name} v. Jansen`);
  await expect(chosen).toContainText(caseNo);
  await form.getByLabel('Title').fill('Answer to complaint');
  await form.getByLabel('Date', { exact: true }).fill(inDays(12));
  await form.getByLabel('Second').selectOption(second.id);
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form).toBeHidden();
  // The firm is shared with other tests, whose deadlines would fold this one.
  await page.getByLabel('Owner').selectOption(owner.id);
  await page.getByRole('button', { name: 'Answer to complaint' }).first().click();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await expect(panel).toContainText(`${name} v. Jansen`);
});

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
  await form.getByLabel('Date', { exact: true }).fill('2031-03-04');
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form.getByText('Please select a second person')).toBeVisible();
  // Not by name: other tests register people of the same name in a shared firm.
  await form.getByLabel('Second').selectOption(second.id);
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(form).toBeHidden();
  const waiting = (where = page) => where.getByRole('region', { name: 'Waiting for you' });
  await page.getByRole('button', { name: 'Waiting for you' }).click();
  await waiting().getByRole('button', { name: 'Reply to counterclaim' }).click();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await expect(panel.getByText('Waiting for Ama Owusu')).toBeVisible();
  // A date that no one has verified is corrected by its owner.
  await choose(page, panel, 'Correct the date');
  const correction = page.getByRole('dialog', { name: 'Correct the date' });
  await correction.getByLabel('Correct date').fill('2031-03-03');
  await correction.getByLabel('Reason').fill('Misread the stamp');
  await correction.getByRole('button', { name: 'Correct date' }).click();
  await expect(panel.getByText('You corrected it to Mar 3, 2031')).toBeVisible();
  await choose(page, panel, 'Edit');
  const edited = page.getByRole('dialog', { name: 'Edit deadline' });
  await edited.getByLabel('Warn days before').fill('7');
  await edited.getByRole('button', { name: 'Save deadline' }).click();
  await expect(page.getByText('Warnings of a hard deadline can only be added')).toBeVisible();
  await edited.getByLabel('Warn days before').fill('45, 30, 14, 7, 3, 1, 0');
  await edited.getByRole('button', { name: 'Save deadline' }).click();
  await expect(panel.getByText('You changed warn days')).toBeVisible();
  await panel.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(panel.getByText('You acknowledged the warning')).toBeVisible();

  const context = await browser.newContext({ baseURL: matterdesk.url });
  const other = await context.newPage();
  await matterdesk.signIn(other, second);
  await other.goto(DEADLINES);
  await other.getByRole('button', { name: 'Waiting for you' }).click();
  const row = waiting(other).getByRole('listitem').filter({ hasText: 'Reply to counterclaim' });
  await row.getByRole('button', { name: 'Verify date' }).click();
  const opened = other.getByRole('complementary', { name: 'Deadline' });
  await expect(opened.getByLabel('Date', { exact: true })).toBeFocused();
  await expect(opened.getByText('Rune Lindqvist corrected it to a date')).toBeVisible();
  await expect(opened.getByText('Mar 3, 2031')).toHaveCount(0);
  await opened.getByLabel('Date', { exact: true }).fill('2031-03-05');
  await opened.getByRole('button', { name: 'Verify date' }).click();
  await expect(opened.getByText('The dates differ: Mar 3, 2031 and Mar 5, 2031')).toBeVisible();
  await expect(opened.getByText('You entered a date, which differs')).toBeVisible();
  await expect(opened.getByLabel('Date', { exact: true })).toHaveValue('2031-03-05');
  await opened.getByLabel('Date', { exact: true }).fill('2031-03-03');
  await opened.getByRole('button', { name: 'Verify date' }).click();
  await expect(opened.getByText('You verified the date')).toBeVisible();

  // The owner’s page follows by itself.
  await expect(panel.getByText('Ama Owusu verified the date')).toBeVisible();
  await choose(page, panel, 'Propose a change');
  const change = page.getByRole('dialog', { name: 'Propose a change' });
  await change.getByLabel('New date').fill('2031-02-20');
  await change.getByLabel('Reason').fill('Both sides signed a stipulation.');
  await change.getByRole('button', { name: 'Propose change' }).click();
  await expect(panel.getByText('Feb 20 stays in effect until then')).toBeVisible();

  await opened.getByRole('button', { name: 'Accept change' }).click();
  await expect(opened.getByText('You accepted the change')).toBeVisible();
  await expect(panel.getByText('Ama Owusu accepted the change')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await context.close();
});

test('a moved trial moves nothing before the second of a deadline decides', async ({
  page,
  matterdesk,
}) => {
  const second = await matterdesk.register();
  const mover = await matterdesk.register({ role: 'admin' });
  const { token } = mover;
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  const { event } = await matterdesk.call(calendarRoutes.addEvent, {
    token,
    body: newEvent({
      case: matter.id,
      title: 'Complaint served',
      allDay: true,
      ...on('2031-03-03'),
    }),
  });
  const { rules } = await matterdesk.call(courtRuleRoutes.listRules, { token });
  const rule = rules.find(({ name }) => name === 'Answer to a complaint');
  await matterdesk.call(proposalRoutes.applyRule, {
    token,
    body: {
      case: matter.id,
      rule: rule?.id ?? '',
      trigger: { event: event.id },
      owner: mover.id,
      second: second.id,
    },
  });
  await matterdesk.signIn(page, second);
  await page.goto(`${DEADLINES}&case=${matter.id}`);
  await page.getByRole('button', { name: 'Waiting for you' }).click();
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  const deadline = waiting.getByRole('button', { name: 'Answer or motion' });
  await expect(deadline).toBeVisible();
  await matterdesk.call(calendarRoutes.changeEvent, {
    token,
    params: { id: event.id },
    body: { ...on('2031-03-10') },
  });
  await waiting.getByRole('button', { name: 'Complaint served moved' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complaint served moved' });
  await expect(dialog.getByText('Mar 24, 2031 → Mar 31, 2031')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep all dates' }).click();
  await expect(dialog.getByText('Please enter a reason')).toBeVisible();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Move 1 deadline' }).click();
  await expect(waiting.getByRole('button', { name: 'Complaint served moved' })).toBeHidden();
  await expect(dialog).toBeHidden();
  await deadline.click();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await panel.getByRole('button', { name: 'Show date' }).click();
  await expect(panel.getByText('Answer to a complaint, version 1')).toBeVisible();
  await expect(panel.getByText('Complaint served: not counted')).toBeVisible();

  // Decided by a colleague, it leaves the list, and the dialog keeps what was typed in it.
  await matterdesk.call(calendarRoutes.changeEvent, {
    token,
    params: { id: event.id },
    body: { ...on('2031-03-17') },
  });
  await waiting.getByRole('button', { name: 'Complaint served moved' }).click();
  await dialog.getByLabel('Reason why the others stay').fill('Both sides agreed');
  const colleague = { token: (await matterdesk.register({ role: 'admin' })).token };
  const { proposals } = await matterdesk.call(proposalRoutes.listProposals, colleague);
  const proposal = proposals.find(({ items }) =>
    items.some(({ deadline: { case: about } }) => about?.id === matter.id),
  );
  await matterdesk.call(proposalRoutes.decideProposal, {
    ...colleague,
    params: { id: proposal?.id ?? '' },
    body: { accept: [], reason: 'Nothing moves' },
  });
  const behind = page.getByRole('region', { name: 'Waiting for you', includeHidden: true });
  await expect(behind.getByText('Complaint served moved')).toHaveCount(0);
  await expect(dialog.getByLabel('Reason why the others stay')).toHaveValue('Both sides agreed');
});

test('a rule is signed, its court’s holidays are edited, and it is applied to a matter', async ({
  page,
  matterdesk,
}) => {
  const docketer = await matterdesk.register({ role: 'admin' });
  const other = await matterdesk.register();
  const { token } = docketer;
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  await matterdesk.signIn(page, docketer);
  await page.goto(DEADLINES);
  await page.getByRole('link', { name: 'Court rules' }).click();
  await page.getByRole('button', { name: 'New jurisdiction' }).click();
  const court = page.getByRole('dialog', { name: 'New jurisdiction' });
  await court.getByLabel('Name', { exact: true }).fill('County court');
  const zone = court.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveText('America/New York');
  await zone.click();
  await page.keyboard.type('chicago');
  await page.keyboard.press('Enter');
  await expect(zone).toHaveText('America/Chicago');
  await court.getByRole('button', { name: 'Add holiday' }).click();
  await court.getByLabel('Date of the holiday').fill('2031-03-24');
  await court.getByLabel('Name of the holiday').fill('Founders Day');
  await expectAccessible(page);
  await court.getByRole('button', { name: 'Save jurisdiction' }).click();
  await expect(page.getByText('America/Chicago · holidays of 2031 to 2031')).toBeVisible();
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('dialog', { name: 'New rule' });
  await form.getByLabel('Name').fill('Local answer');
  await form.getByLabel('Jurisdiction').selectOption('County court');
  await form.getByLabel('Counts from').fill('Complaint served');
  await form.getByLabel('Title').fill('Answer');
  await form.getByLabel('Authority').fill('Local rule 7');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(form).toBeHidden();

  await page.goto(`${DEADLINES}&case=${matter.id}&apply=date`);
  const apply = page.getByRole('dialog', { name: 'Apply a rule' });
  await apply.getByLabel('Rule', { exact: true }).selectOption('Local answer · not reviewed');
  await expect(apply.getByText('No one of the firm has reviewed “Local answer”')).toBeVisible();
  await expect(apply.getByText('Enter the trigger date to see each date')).toBeVisible();
  await apply.getByLabel('Trigger date').fill('2031-03-03');
  // The holiday moves it on.
  await expect(apply.getByText('Mar 25, 2031').first()).toBeVisible();
  await expect(apply.getByText('Founders Day, next court day')).toBeVisible();
  await expectAccessible(page);
  await apply.getByRole('button', { name: 'Add deadlines' }).click();
  await expect(apply.getByText('Please select a second person')).toBeVisible();
  await apply.getByLabel('Second').selectOption(other.id);
  await apply.getByRole('button', { name: 'Add deadlines' }).click();
  await expect(apply).toBeHidden();
  await page.getByRole('button', { name: 'Waiting for you' }).click();
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await waiting.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByText('Local answer, version 1')).toBeVisible();
  const panel = page.getByRole('complementary', { name: 'Deadline' });
  await panel.getByRole('button', { name: 'Save the matter’s history as PDF' }).click();
  await expect(page.getByText('Saved in the folder Deadlines of the matter')).toBeVisible();

  await page.goto('/dashboard/calender?view=rules');
  await page.getByRole('button', { name: 'Sign Local answer as reviewed' }).click();
  await expect(page.getByRole('button', { name: 'Withdraw review of Local answer' })).toBeVisible();

  // A colleague changes it while the page is open.
  const { rules } = await matterdesk.call(courtRuleRoutes.listRules, { token });
  const id = rules.find(({ name }) => name === 'Local answer')?.id ?? '';
  const body = { trigger: 'Complaint served by mail' };
  await matterdesk.call(courtRuleRoutes.changeRule, { token, params: { id }, body });
  await page.getByRole('button', { name: 'Edit Local answer' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Local answer' });
  await expect(edit.getByLabel('Counts from')).toHaveValue('Complaint served by mail');
  await edit.getByLabel('Authority').fill('Local rule 7(a)');
  await edit.getByRole('button', { name: 'Save rule' }).click();
  await expect(edit).toBeHidden();
  const saved = await matterdesk.call(courtRuleRoutes.listRules, { token });
  expect(saved.rules.find((rule) => rule.id === id)).toMatchObject({
    ...body,
    steps: [{ authority: 'Local rule 7(a)' }],
    version: 3,
  });
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

test('a matter shows its next dates, the overdue ones first, and takes another', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token, id: ownerId } = admin;
  const body = newCase({ SOL: '2099-02-12' });
  const { id } = (await matterdesk.call(caseRoutes.openCase, { token, body })).case;
  for (const [title, date] of [
    ['Serve the answer', inDays(9)],
    ['File the motion', inDays(-45)],
  ] as const) {
    const deadline = newDeadline({ case: id, title, date, owner: ownerId, hard: false });
    await matterdesk.call(deadlineRoutes.addDeadline, { token, body: deadline });
  }
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/caseDetails/${id}`);
  const dates = page.getByRole('region', { name: 'Next dates' });
  await expect(dates.getByRole('listitem')).toHaveText([/File the motion/, /Serve the answer/]);
  await expect(dates.getByRole('listitem').first()).toContainText('Overdue since');
  await dates.getByRole('button', { name: 'Add a date' }).click();
  await page.getByRole('menuitem', { name: 'New deadline' }).click();
  const form = page.getByRole('dialog', { name: 'New deadline' });
  await form.getByLabel('Title').fill('Meet and confer');
  await form.getByLabel('Date', { exact: true }).fill(inDays(20));
  await form.getByLabel('Second').selectOption({ index: 1 });
  await form.getByRole('button', { name: 'Add deadline' }).click();
  await expect(dates.getByRole('listitem').filter({ hasText: 'Meet and confer' })).toBeVisible();
  await expectAccessible(page);
});

test('the list leaves archived matters out until a filter asks, and folds no limitation that is near', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token, id: owner } = admin;
  const open = async (caseName: string, SOL: string) =>
    (
      await matterdesk.call(caseRoutes.openCase, {
        token,
        body: newCase({ caseName, SOL, assignedUsers: [owner] }),
      })
    ).case;
  const archived = await open('Shelved v. Settled', '2099-02-12');
  const overdue = newDeadline({ title: 'Old answer', date: inDays(-900), owner });
  await matterdesk.call(deadlineRoutes.addDeadline, {
    token,
    body: { ...overdue, case: archived.id },
  });
  await matterdesk.call(caseRoutes.changeCase, {
    token,
    params: { id: archived.id },
    body: { statusType: 'Archive' },
  });
  for (let count = 1; count <= 8; count += 1) await open(`Near ${count} v. Folded`, inDays(80));
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Calender' }).click();
  await page.getByRole('link', { name: 'Deadlines' }).first().click();
  await page.getByLabel('Owner').selectOption(owner);
  const near = page.getByRole('region', { name: 'Statutes of limitations' });
  await expect(near.getByRole('listitem')).toHaveCount(8);
  await expect(page.getByText('Old answer')).toHaveCount(0);
  const late = page.getByRole('region', { name: 'Overdue' });
  // Others may have overdue deadlines, which the filters leave out.
  await expect(late.getByText('None match these filters')).toBeVisible();
  await page.getByLabel('Matters', { exact: true }).selectOption('Archived matters');
  await expect(late.getByRole('button', { name: 'Old answer' })).toBeVisible();
  await expect(near.getByRole('listitem')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL(DEADLINES);
  await expect(page.getByLabel('Owner')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
});

test('a changed SOL says who decides before it is saved, and the date in effect stays', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await matterdesk.register();
  const body = newCase({ caseName: 'Waiting v. Deciding', SOL: '2031-02-12' });
  await matterdesk.call(caseRoutes.openCase, { token: admin.token, body });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters' }).click();
  await page.getByPlaceholder('Search here').fill(body.caseNo);
  // The row moves when the search has its matches.
  const rows = page.getByRole('table', { name: 'Matters' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await rows.getByRole('link', { name: 'Waiting v. Deciding' }).click();
  const summary = page.getByRole('region', { name: 'Case summary' });
  await expect(summary.getByText('Feb 12, 2031')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit case' });
  await form.getByLabel('SOL').fill('2032-03-03');
  await page.goBack();
  const question = page.getByRole('alertdialog', { name: 'Discard what you changed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(
    form.getByText('Feb 12, 2031 stays in effect until a second person decides'),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(summary.getByText('Feb 12, 2031')).toBeVisible();
  await expect(summary.getByText(/^proposed Mar 3, 2032; .* decides/)).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(form.getByLabel('SOL')).toHaveValue('2031-02-12');
  await expect(form.getByText(/^Proposed Mar 3, 2032; .* decides/)).toBeVisible();
});

test('the act of a row never opens the deadline that was open before', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token, id: owner } = admin;
  const { id } = (await matterdesk.call(caseRoutes.openCase, { token, body: newCase() })).case;
  for (const title of ['First motion', 'Second motion'])
    await matterdesk.call(deadlineRoutes.addDeadline, {
      token,
      body: newDeadline({ case: id, title, date: inDays(12), owner }),
    });
  await matterdesk.signIn(page, admin);
  await page.goto(`${DEADLINES}&case=${id}`);
  await page.getByRole('button', { name: 'First motion' }).click();
  // Not by its role, which it has only until the dialog is over it.
  const panel = page.locator('aside[aria-label=Deadline]');
  await expect(panel.getByRole('heading', { name: 'First motion' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Second motion' });
  const act = row.getByRole('button', { name: 'Mark as met' });
  // Read before the next event, which may be a key of the dialog that opens.
  const shown = await act.evaluate((button: HTMLElement) => {
    button.click();
    return document.querySelector('aside[aria-label=Deadline]')?.textContent;
  });
  expect(shown).not.toContain('First motion');
  await expect(panel).toContainText('Second motion');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a long list is printed to its end', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token, id: owner } = admin;
  const { id } = (await matterdesk.call(caseRoutes.openCase, { token, body: newCase() })).case;
  const date = inDays(12);
  for (let count = 1; count <= 60; count += 1)
    await matterdesk.call(deadlineRoutes.addDeadline, {
      token,
      body: newDeadline({ case: id, title: `Printed ${count}`, date, owner }),
    });
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/calender?view=agenda&case=${id}`);
  await expect(page.getByText('Printed 60')).toBeAttached();
  const printed = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(printed.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(1);
});

test.describe('read a day ahead', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' });

  test('a deadline is late by the day of its own zone, not of the reader', async ({
    page,
    matterdesk,
  }) => {
    const admin = await matterdesk.register({ role: 'admin' });
    const { token, id: owner } = admin;
    const { id } = (await matterdesk.call(caseRoutes.openCase, { token, body: newCase() })).case;
    const timeZone = 'Pacific/Pago_Pago';
    const date = new Date().toLocaleDateString('en-CA', { timeZone });
    const body = newDeadline({ case: id, date, owner, timeZone });
    const added = await matterdesk.call(deadlineRoutes.addDeadline, { token, body });
    await matterdesk.signIn(page, admin);
    await page.goto(`${DEADLINES}&case=${id}&deadline=${added.id}`);
    const panel = page.getByRole('complementary', { name: 'Deadline' });
    await expect(panel).toContainText('Pago Pago, today');
    await expect(panel).not.toContainText('late');
  });
});

test('paper has the deadlines without their filters and buttons', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token, id: owner } = admin;
  const { id } = (await matterdesk.call(caseRoutes.openCase, { token, body: newCase() })).case;
  for (let count = 1; count <= 7; count += 1)
    await matterdesk.call(deadlineRoutes.addDeadline, {
      token,
      body: newDeadline({ case: id, title: `On paper ${count}`, date: inDays(10 + count), owner }),
    });
  await matterdesk.signIn(page, admin);
  await page.goto(`${DEADLINES}&case=${id}`);
  const act = page.getByRole('button', { name: 'Mark as met' }).first();
  await expect(act).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('On paper 6')).toBeVisible();
  await expect(page.getByText('1 more not printed')).toBeVisible();
  await expect(page.getByText('with filters')).toBeVisible();
  await expect(act).toBeHidden();
  await expect(page.getByLabel('Owner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Apply a rule' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/dashboard/contacts');
  const search = page.getByRole('main').getByRole('searchbox');
  await expect(search).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(search).toBeHidden();
});

test('the tab counts the deadlines of the reader, as the navigation does, and the summary those of the firm', async ({
  page,
  matterdesk,
}) => {
  const reader = await matterdesk.register();
  for (const { token, id } of [reader, await matterdesk.register()])
    await matterdesk.call(deadlineRoutes.addDeadline, {
      token,
      body: newDeadline({ title: 'Old answer', hard: false, date: inDays(-2), owner: id }),
    });
  await matterdesk.signIn(page, reader);
  await page.goto(DEADLINES);
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', {
    name: 'Deadlines',
  });
  await expect(page.getByText('late in the firm')).toBeVisible();
  await expect(tab).toHaveText('Deadlines1');
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', {
    name: 'Calender',
  });
  await expect(place).toHaveAccessibleDescription('1 of yours waiting or overdue');
});
