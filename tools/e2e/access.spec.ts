import { expect, type Browser } from '@playwright/test';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { newCase, newTask } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { test, type Firm, type Person } from './support/fixtures.ts';
import { openFromMenu } from './support/matters.ts';

async function secondBrowser(browser: Browser, matterdesk: Firm, person: Person) {
  const context = await browser.newContext({ baseURL: matterdesk.url });
  const page = await context.newPage();
  await matterdesk.signIn(page, person);
  return page;
}

test('restricting a matter closes it for everyone else at once', async ({
  page,
  browser,
  matterdesk,
}) => {
  const lead = await matterdesk.register({ role: 'admin', firstName: 'Ama', lastName: 'Owusu' });
  const other = await matterdesk.register({ role: 'admin', firstName: 'Jun', lastName: 'Tanaka' });
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, {
    token: lead.token,
    body: newCase({ caseName: 'Abara v. Northline Freight', assignedUsers: [lead.id] }),
  });
  const elsewhere = await secondBrowser(browser, matterdesk, other);
  await elsewhere.goto(`/dashboard/caseDetails/${matter.id}`);
  await expect(elsewhere.getByRole('heading', { name: matter.caseName })).toBeVisible();

  await matterdesk.signIn(page, lead);
  await page.goto(`/dashboard/caseDetails/${matter.id}`);
  await openFromMenu(page, 'Access');
  const dialog = page.getByRole('dialog', { name: 'Access' });
  await expect(dialog.getByText('Everyone at the firm sees this matter')).toBeVisible();
  await dialog.getByText('Restricted', { exact: true }).click();
  await expect(dialog.getByText('One person sees this matter: you.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save access' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Celebrity client');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Restricted', { exact: true })).toBeVisible();
  await openFromMenu(page, 'Access');
  await expect(dialog.getByRole('radio', { name: 'Restricted' })).toBeFocused();
  await page.keyboard.press('Escape');

  await expect(elsewhere.getByText('You no longer have access to this matter.')).toBeVisible();
  const kept = () => elsewhere.evaluate(() => Object.values(localStorage).join(' '));
  // Stored data follows within five seconds.
  await expect.poll(kept, { timeout: 15_000 }).not.toContain(matter.caseName);
  await elsewhere.goto('/dashboard/matters');
  await expect(elsewhere.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
  await expect(elsewhere.getByText(matter.caseName)).toHaveCount(0);
});

test('an admin opens a restricted matter for a time, and its people are notified', async ({
  page,
  browser,
  matterdesk,
}) => {
  const lead = await matterdesk.register({ role: 'admin', firstName: 'Rune', lastName: 'Lind' });
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Elin', lastName: 'Sato' });
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, {
    token: lead.token,
    body: newCase({ caseName: 'Walled v. Open', assignedUsers: [lead.id] }),
  });
  await matterdesk.signIn(page, lead);
  await page.goto(`/dashboard/caseDetails/${matter.id}?access=1`);
  const dialog = page.getByRole('dialog', { name: 'Access' });
  await dialog.getByText('Restricted', { exact: true }).click();
  await dialog.getByLabel('Reason').fill('Own dispute');
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(dialog).toHaveCount(0);

  const elsewhere = await secondBrowser(browser, matterdesk, admin);
  await elsewhere.goto('/dashboard/matters');
  await elsewhere.getByRole('button', { name: 'Restricted matters' }).click();
  const line = elsewhere.getByRole('listitem').filter({ hasText: matter.caseName });
  await line.getByRole('button', { name: 'Open for a time' }).click();
  await elsewhere.getByLabel('Reason').fill('A hearing today');
  await elsewhere.getByRole('button', { name: 'Open the matter' }).click();
  await expect(elsewhere.getByRole('heading', { name: matter.caseName })).toBeVisible();
  await expect(page.getByText('Elin Sato opened a restricted matter until')).toBeVisible();
  await page.getByRole('button', { name: /^Notices/ }).click();
  await expect(page.getByRole('dialog', { name: 'Notices' })).toContainText(
    /Elin Sato opened this matter until .+: “A hearing today”/,
  );
  await openFromMenu(elsewhere, 'Access');
  const access = elsewhere.getByRole('dialog', { name: 'Access' });
  await expect(access.getByText('remove and screen people, but not let anyone in')).toBeVisible();
  await expect(access.getByLabel('Screen a person')).toBeVisible();
  await expect(access.getByLabel('Add a person')).toHaveCount(0);
});

test('a person whose password an admin reset is let in again from the notice', async ({
  page,
  browser,
  matterdesk,
}) => {
  const lead = await matterdesk.register({ role: 'admin', firstName: 'Ines', lastName: 'Roth' });
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Max', lastName: 'Cole' });
  const clerk = await matterdesk.register({ firstName: 'Lena', lastName: 'Falk' });
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, {
    token: lead.token,
    body: newCase({ caseName: 'Paused v. Let In', assignedUsers: [lead.id, clerk.id] }),
  });
  const place = { token: lead.token, params: { kind: 'cases', id: matter.id } };
  const { access } = await matterdesk.call(accessRoutes.readAccess, place);
  const { updatedAt } = access;
  const body = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity', updatedAt };
  await matterdesk.call(accessRoutes.changeAccess, { ...place, body });
  const { url } = await matterdesk.call(passwordRoutes.createLink, {
    token: admin.token,
    params: { id: clerk.id },
  });
  const password = 'harbor lamp seven otters';
  const token = url.slice(url.lastIndexOf('/') + 1);
  await matterdesk.call(passwordRoutes.reset, { body: { token, password } });
  const taken = { ...(await matterdesk.login({ ...clerk, password })), password };
  const elsewhere = await secondBrowser(browser, matterdesk, taken);
  await elsewhere.goto('/dashboard/matters');
  await expect(elsewhere.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
  await expect(elsewhere.getByText(matter.caseName)).toHaveCount(0);

  await matterdesk.signIn(page, lead);
  await page.goto('/dashboard/matters');
  await page.getByRole('button', { name: /^Notices/ }).click();
  await page
    .getByRole('button', { name: /^New: Lena Falk’s password was reset by Max Cole: let Lena in/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Access' });
  const line = dialog.getByRole('listitem').filter({ hasText: 'Password reset by Max Cole' });
  await expect(line).toContainText('Lena Falk');
  await expect(dialog.getByText('One person sees this matter: you.')).toBeVisible();
  await expectAccessible(page);
  await line.getByRole('button', { name: 'Let Lena Falk in again' }).click();
  await expect(dialog.getByText('Two people see this matter: you and Lena Falk.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere.getByText(matter.caseName)).toBeVisible();
});

test('restricting an inquiry closes it for colleagues who handle intakes', async ({
  page,
  browser,
  matterdesk,
}) => {
  const owner = await matterdesk.register({ role: 'admin', firstName: 'Noor', lastName: 'Haddad' });
  const other = await matterdesk.register({ role: 'admin', firstName: 'Ivo', lastName: 'Kral' });
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, {
    token: owner.token,
    body: { name: 'Perpetua Lindgren', phoneNumber: '+1 518 555 0163' },
  });
  const elsewhere = await secondBrowser(browser, matterdesk, other);
  await elsewhere.goto(`/dashboard/intakes?intake=${intake.id}`);
  await expect(elsewhere.getByRole('heading', { name: intake.name })).toBeVisible();

  await matterdesk.signIn(page, owner);
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  const panel = page.getByRole('complementary', { name: 'Intake' });
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Access' });
  await expect(dialog.getByText('everyone who handles intakes see this intake')).toBeVisible();
  await dialog.getByText('Restricted', { exact: true }).click();
  await expect(dialog.getByText('One person sees this intake: you.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('A judge of this county');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await expect(panel.getByRole('heading', { name: intake.name })).toBeVisible();

  await expect(elsewhere.getByText('Intake not found')).toBeVisible();
  await expect(elsewhere.getByText(intake.name)).toHaveCount(0);
});

test('a board and its open task close for someone who is walled off, and a list fills once they are let in', async ({
  page,
  browser,
  matterdesk,
}) => {
  const lead = await matterdesk.register({ role: 'admin', firstName: 'Ama', lastName: 'Owusu' });
  const other = await matterdesk.register({ role: 'admin', firstName: 'Kofi', lastName: 'Mensah' });
  const { token } = lead;
  const { case: matter } = await matterdesk.call(caseRoutes.openCase, {
    token,
    body: newCase({ caseName: 'Boarded v. Up', assignedUsers: [lead.id] }),
  });
  const body = newTask({ case: matter.id, assignedTo: other.id, name: 'Serve the answer' });
  await matterdesk.call(taskRoutes.addTask, { token, body });
  const params = { kind: 'cases', id: matter.id };
  const change = async (mode: string) => {
    const { access } = await matterdesk.call(accessRoutes.readAccess, { token, params });
    const { updatedAt } = access;
    const wanted = { mode, people: [], screened: [], reason: 'Celebrity', updatedAt };
    await matterdesk.call(accessRoutes.changeAccess, { token, params, body: wanted });
  };
  await matterdesk.signIn(page, other);
  await openConnected(page, '/dashboard/tasks');
  await page.getByRole('combobox', { name: 'Case' }).click();
  await page.keyboard.type('Boarded');
  await page.getByRole('option', { name: 'Boarded v. Up' }).click();
  await page.getByRole('button', { name: 'Edit Serve the answer' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Task' })).toBeVisible();
  const list = await secondBrowser(browser, matterdesk, other);
  await openConnected(list, '/dashboard/tasks?view=mine');
  await expect(list.getByText('Serve the answer')).toBeVisible();

  await change('restricted');
  await expect(page.getByText('Case not found')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Case' })).toHaveText('Select any case');
  await expect(list.getByText('Serve the answer')).toHaveCount(0);

  await change('open');
  await expect(page.getByRole('button', { name: 'Edit Serve the answer' })).toBeVisible();
  await expect(list.getByText('Serve the answer')).toBeVisible();
});
