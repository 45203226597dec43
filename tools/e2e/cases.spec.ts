import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { newTask } from '@matterdesk/server/testing/factories.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test } from './support/fixtures.ts';
import { startMatterdesk } from './support/matterdesk.ts';
import {
  csvOf,
  dialog,
  fillCase,
  fillParties,
  openCase,
  openColleague,
  openMatters,
  openTab,
  row,
  table,
} from './support/matters.ts';

/** Uses the navigation, since a case's page has a link of the same name. */
async function backToMatters(page: Page) {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Matters' }).click();
}

test.describe('a new case', () => {
  test('a case is opened in two steps that lose nothing', async ({ matterdesk, page }) => {
    const { admin } = await openMatters(matterdesk, page, ['Older']);
    const taken = await openCase(matterdesk, admin);
    await expect(page.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
    await page.getByRole('button', { name: 'New Case' }).click();
    await expect(dialog(page).getByText('Step 1 of 2: the case and its team')).toBeVisible();
    await expect(dialog(page).getByLabel('Case Name')).toBeFocused();
    await expectAccessible(page);

    const marks = await dialog(page)
      .getByText('Case Name', { exact: true })
      .evaluate((label) => getComputedStyle(label, '::after').content);
    expect(marks).toContain('*');
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await expect(dialog(page).getByLabel('Case Name')).toBeFocused();
    await expect(dialog(page).locator('[aria-invalid=true]')).toHaveCount(8);
    await expect(dialog(page).getByText('Date of Opening is required')).toHaveCount(1);
    await expectAccessible(page);

    await fillCase(page, { 'Case No': taken.caseNo.toLowerCase() });
    await expect(dialog(page).getByLabel('Days Open')).not.toHaveValue('');
    await dialog(page).getByLabel('Days Open').fill('263');
    await dialog(page).getByLabel('Date Of Opening').fill('2026-03-03');
    await expect(dialog(page).getByLabel('Days Open')).toHaveValue('263');
    await dialog(page).getByLabel('Assigned Users').click();
    const ownName = `${admin.firstName} ${admin.lastName}`;
    await page.getByRole('listbox').getByRole('option', { name: ownName }).click();
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Next' }).click();

    await expect(dialog(page).getByText('Step 2 of 2')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
    await expect(dialog(page).locator('[aria-invalid=true]')).toHaveCount(9);
    await expect(dialog(page).getByText('Client Name is required')).toBeVisible();
    await expectAccessible(page);
    await fillParties(page);
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await expect(dialog(page).getByLabel('Judge')).toHaveValue('Hon. M. Osei');
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await dialog(page).getByRole('button', { name: 'Add New Case' }).click();

    await expect(dialog(page).getByLabel('Case No')).toBeFocused();
    await expect(dialog(page).getByText('Case No already exists')).toBeVisible();
    await dialog(page).getByLabel('Case Name').fill('Abara v. Northline');
    await dialog(page).getByLabel('Case No').fill(`${taken.caseNo} bis`);
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    const client = dialog(page).getByRole('group', { name: 'Client Info' });
    await expect(client.getByLabel('Name')).toHaveValue('Ngozi Abara');
    await dialog(page).getByRole('button', { name: 'Add New Case' }).dblclick();

    await expect(page.getByText('Case created')).toBeVisible();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Abara v. Northline' })).toBeVisible();
    await backToMatters(page);
    await expect(table(page).getByRole('row').nth(1)).toContainText('Abara v. Northline');
    await expect(row(page, `${taken.caseNo} bis`)).toHaveCount(1);
    await expect(row(page, `${taken.caseNo} bis`)).toContainText('Feb 12, 2027');
    await expect(row(page, `${taken.caseNo} bis`)).toContainText(ownName);
  });

  test('the first case takes the place of the empty list in a new firm', async ({
    page,
    browserName: _any,
  }) => {
    const product = await startMatterdesk({ env: { LOG_LEVEL: 'warn' } });
    try {
      await page.goto(`${product.url}/register`);
      await page.getByLabel('First Name').fill('Ama');
      await page.getByLabel('Last Name').fill('Owusu');
      await page.getByLabel('Email').fill('ama@firm.example');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('Phone Number').fill('1 234 567 8910');
      await page.getByRole('radio', { name: 'Admin' }).check();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.waitForURL(`${product.url}/`);
      await logIn(page, { email: 'ama@firm.example', password: 'correct horse battery' });
      await page.waitForURL('**/dashboard');
      await backToMatters(page);
      await expect(page.getByText('No matters yet')).toBeVisible();
      await expect(page.getByText('No open matters')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Add the first matter' }).click();
      await fillCase(page, {});
      await dialog(page).getByRole('button', { name: 'Next' }).click();
      await fillParties(page);
      await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
      await expect(page.getByRole('heading', { name: 'Abara v. Northline Freight' })).toBeVisible();
      await backToMatters(page);
      await expect(row(page, 'Abara v. Northline Freight')).toBeVisible();
      await expect(page.getByText('1 open matter · ')).toBeVisible();
    } finally {
      await product.stop();
    }
  });

  test('a case is opened with the keyboard alone, and closing asks only after typing', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['Older']);
    await expect(row(page, 'Older')).not.toHaveCount(0);
    await page.getByRole('button', { name: 'New Case' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Case Name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'New Case' })).toBeFocused();

    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Case Name')).toBeFocused();
    await page.keyboard.type(`Keys ${tag}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toContainText('Discard what you typed?');
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toBeHidden();

    await dialog(page).getByLabel('Case No').focus();
    await page.keyboard.type(`K-${tag}`);
    for (const letter of ['A', 'L', 'P']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(letter);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.type('Hon. M. Osei');
    await page.keyboard.press('Tab');
    await page.keyboard.type('03022026');
    await dialog(page).getByLabel('Managing Attorney').focus();
    await page.keyboard.type('R. Lindqvist');
    await page.keyboard.press('Tab');
    await page.keyboard.type('02122025');
    await dialog(page).getByLabel('SOL').focus();
    await page.keyboard.type('02122027');
    await page.keyboard.press('Enter');
    const client = dialog(page).getByRole('group', { name: 'Client Info' });
    await expect(client.getByLabel('Name')).toBeFocused();
    for (const text of [
      'Ngozi',
      '1',
      'n@example.com',
      'Elm',
      'Hale',
      'Piet',
      '2',
      'p@example.com',
      'Oak',
    ]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await dialog(page).getByRole('button', { name: 'Add New Case' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeHidden();

    await expect(page.getByRole('heading', { name: `Keys ${tag}` })).toBeVisible();
    await backToMatters(page);
    // The letter A moved from Active, which was proposed, to Archive.
    await page.getByRole('tab', { name: 'Archive' }).click();
    await expect(page.getByRole('link', { name: `Keys ${tag}` })).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: `Keys ${tag}` })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Keys ${tag}` })).toBeVisible();
  });

  test('a new case that was left by a reload or the back button is offered again, and discarded on purpose', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['Older']);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    // Otherwise the next click takes its place in the history.
    await expect(page).toHaveURL(/\/dashboard$/);
    await backToMatters(page);
    await expect(row(page, `Older ${tag}`)).toBeVisible();
    const start = () => page.getByRole('button', { name: 'New Case' }).click();
    await start();
    await expect(dialog(page).getByText('DOI (date of injury)')).toBeVisible();
    await fillCase(page, { 'Case Name': `Kept ${tag}`, 'Case No': `KEPT-${tag}` });
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await dialog(page)
      .getByRole('group', { name: 'Client Info' })
      .getByLabel('Name')
      .fill('Ngozi Abara');
    await page.reload();
    await start();
    await expect(dialog(page).getByText('what you typed earlier in this tab')).toBeVisible();
    await expectAccessible(page);
    const client = dialog(page).getByRole('group', { name: 'Client Info' });
    await expect(client.getByLabel('Name')).toHaveValue('Ngozi Abara');
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await expect(dialog(page).getByLabel('Case No')).toHaveValue(`KEPT-${tag}`);
    await dialog(page).getByLabel('Judge').fill('Hon. Ruth Stone');
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(dialog(page)).toBeHidden();
    await backToMatters(page);
    await start();
    await expect(dialog(page).getByLabel('Judge')).toHaveValue('Hon. Ruth Stone');
    // The step and the switch are kept, too, without a further change of a field.
    await dialog(page).getByRole('switch', { name: 'Not filed yet' }).check({ force: true });
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await expect(client.getByLabel('Name')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
    await backToMatters(page);
    await start();
    await expect(client.getByLabel('Name')).toHaveValue('Ngozi Abara');
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await expect(dialog(page).getByRole('switch', { name: 'Not filed yet' })).toBeChecked();
    await dialog(page).getByRole('button', { name: 'Discard and start over' }).click();
    await expect(dialog(page).getByLabel('Case Name')).toHaveValue('');
    await expect(dialog(page).getByText('what you typed earlier')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  });

  test('stays as typed when the reply is lost, and is opened once', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['Older']);
    await page.getByRole('button', { name: 'New Case' }).click();
    await fillCase(page, { 'Case Name': `Lost ${tag}`, 'Case No': `L-${tag}` });
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await fillParties(page);
    // The server succeeds, but its reply is lost.
    await page.route('**/api/v1/cases', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
    await expect(page.getByText('Couldn’t create the case: ')).toBeVisible();
    await page.unroute('**/api/v1/cases');
    await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('heading', { name: `Lost ${tag}` })).toBeVisible();
    await backToMatters(page);
    await page.getByPlaceholder('Search here').fill(`L-${tag}`);
    await expect(row(page, `Lost ${tag}`)).toHaveCount(1);
    await expect(table(page)).toHaveAttribute('aria-rowcount', '2');
  });
});

test.describe('the list of matters', () => {
  test('the matters page has a URL for each tab and search, and supports the back button', async ({
    matterdesk,
    page,
  }) => {
    const { admin, tag } = await openMatters(matterdesk, page, ['Active']);
    await openCase(matterdesk, admin, { caseName: `Old ${tag}`, statusType: 'Archive' });
    const search = page.getByPlaceholder('Search here');
    await search.pressSequentially(`active ${tag}`);
    await expect(row(page, `Active ${tag}`)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`\\?search=active\\+${tag}$`));
    await expect(page.getByRole('tab')).toHaveText(['Active1', 'Archive0']);
    await expect(page.getByRole('tab', { name: 'Active', exact: true })).toBeVisible();
    await expectAccessible(page);

    await search.fill(`old ${tag}`);
    await expect(page.getByText('No match')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show 1 in Archive' }).click();
    await expect(row(page, `Old ${tag}`)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`\\?tab=archive&search=old\\+${tag}$`));
    await page.goBack();
    await expect(page.getByText('No match')).toBeVisible();
    await page.goBack();
    await expect(search).toHaveValue('');
    await expect(page).toHaveURL(/\/matters$/);
    await page.goForward();
    await expect(search).toHaveValue(`old ${tag}`);
    await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click();
    await expect(row(page, `Active ${tag}`)).toBeVisible();
    await page.reload();
    await expect(row(page, `Active ${tag}`)).toBeVisible();
  });

  test('the matters page loads more while scrolling, and returns to the same place', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['Older']);
    await page.getByRole('button', { name: 'Import cases' }).click();
    await expectAccessible(page);
    const file = (text: string) => ({
      name: 'cases.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
    const wrong = csvOf(tag, 2).replace('ADR', 'Nope').replace('ngozi@example.com', 'ngozi');
    await dialog(page).getByLabel('Choose a CSV file').setInputFiles(file(wrong));
    await expect(dialog(page).getByRole('row')).toHaveText([
      'RowFieldProblem',
      '2StatusStatus must be one of Pre-List, Litigation, ADR',
      '2Client Info EmailInvalid email format',
    ]);
    await expectAccessible(page);
    await dialog(page)
      .getByLabel('Choose another CSV file')
      .setInputFiles(file(csvOf(tag, 250)));
    await expect(dialog(page).getByText('250 rows, no errors.')).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Import 250 cases' }).click();
    await expect(page.getByText('Cases imported')).toBeVisible();
    await expect(table(page).getByRole('row').nth(1)).toContainText(`${tag}-250`);

    await page.getByPlaceholder('Search here').fill(tag);
    await expect(page).toHaveURL(/search=/);
    await expect(table(page)).toHaveAttribute('aria-rowcount', '252');
    await page.getByRole('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await expect(table(page).locator('[aria-rowindex="251"]')).toContainText(`${tag}-1`);
    await page.getByRole('main').evaluate((main) => main.scrollTo({ top: 120 * 60 }));
    const left = table(page).locator('[aria-rowindex="124"]');
    const place = await left.boundingBox();
    await left.click();
    await expect(page.getByText('Latest Activity')).toBeVisible();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await expect(left.getByRole('link').first()).toBeFocused();
    expect(await left.boundingBox()).toEqual(place);
    expect(await table(page).getByRole('row').count()).toBeLessThan(60);
  });

  test('the matters page shows cases that others open and archive, without jumping', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const names = Array.from({ length: 30 }, (_, index) => `Row ${index + 1}`);
    const { admin, cases, tag } = await openMatters(matterdesk, page, names);
    const colleague = await openColleague(matterdesk, browser);
    await expect(colleague.getByRole('button', { name: /New Case|Import|Export/ })).toHaveCount(0);
    await colleague.getByPlaceholder('Search here').fill(tag);
    await expect(table(colleague)).toHaveAttribute('aria-rowcount', '31');
    await openCase(matterdesk, admin, { caseName: `New ${tag}` });
    await expect(row(colleague, `New ${tag}`)).toBeVisible();
    await expect(colleague.getByRole('tab', { name: /Active/ })).toHaveText('Active31');

    await colleague.getByRole('main').evaluate((main) => main.scrollTo({ top: 900 }));
    const read = row(colleague, `Row 12 ${tag}`);
    await expect(read).toBeVisible();
    const place = await read.boundingBox();
    await openCase(matterdesk, admin, { caseName: `Newer ${tag}` });
    await expect(table(colleague)).toHaveAttribute('aria-rowcount', '33');
    expect(await read.boundingBox()).toEqual(place);

    const former = cases.find(({ caseName }) => caseName === `Row 12 ${tag}`);
    await matterdesk.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id: former?.id ?? '' },
      body: { statusType: 'Archive' },
    });
    await expect(read).toBeHidden();
    await expect(colleague.getByRole('tab', { name: /Archive/ })).toHaveText('Archive1');
  });

  test('the matters page reports a failure and retries', async ({ matterdesk, page }) => {
    await keepOffline(page);
    const { admin } = await openMatters(matterdesk, page, ['Older']);
    await page.route('**/api/v1/cases?*', (route) => route.abort());
    await page.getByRole('tab', { name: /Archive/ }).click();
    await expect(page.getByText('Couldn’t load the matters')).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/v1/cases?*');
    await openCase(matterdesk, admin, { caseName: 'Kept', statusType: 'Archive' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(row(page, 'Kept').first()).toBeVisible();
  });

  test('several matters are archived and assigned at once, and that is undone', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['One', 'Two', 'Three']);
    const colleague = await matterdesk.register({ firstName: 'Noor', lastName: `Team ${tag}` });
    await page.getByRole('button', { name: 'Select several' }).click();
    for (const name of ['One', 'Two'])
      await row(page, `${name} ${tag}`).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect(bar.getByText('2 selected')).toBeVisible();
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('2 cases archived')).toBeVisible();
    await expect(row(page, `One ${tag}`)).toHaveCount(0);
    await expect(row(page, `Three ${tag}`)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(row(page, `One ${tag}`)).toBeVisible();
    await expect(row(page, `Two ${tag}`)).toBeVisible();

    await page.getByRole('button', { name: 'Select several' }).click();
    for (const name of ['Two', 'Three'])
      await row(page, `${name} ${tag}`).getByRole('checkbox').check();
    await bar.getByLabel('Assign someone').selectOption({ label: `Noor ${colleague.lastName}` });
    await expect(row(page, `Two ${tag}`)).toContainText(`Noor Team`);
    await expect(row(page, `Three ${tag}`)).toContainText(`Noor Team`);
    await expect(bar).toHaveCount(0);
  });

  test('the list of matters is exported as filtered', async ({ matterdesk, page }) => {
    const { tag } = await openMatters(matterdesk, page, ['Wanted', 'Other']);
    await page.getByPlaceholder('Search here').fill(`wanted ${tag}`);
    await expect(page.getByRole('tab', { name: /Active/ })).toHaveText('Active1');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export list' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^matters-\d{4}-\d\d-\d\d\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain(`Wanted ${tag}`);
    expect(text).not.toContain(`Other ${tag}`);
  });

  test('the matters page shows name, number and SOL on a phone @phone', async ({
    matterdesk,
    page,
  }) => {
    const { tag } = await openMatters(matterdesk, page, ['Phone']);
    await expect(table(page).getByRole('columnheader')).toHaveText(['Case', 'SOL']);
    await expect(row(page, `Phone ${tag}`)).toContainText('Nov 2, 2026');
    // The list begins near the top: filters wait behind their button.
    expect((await table(page).boundingBox())?.y).toBeLessThan(210);
    await expect(page.getByLabel('Status')).toBeHidden();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Status').selectOption('ADR');
    await expect(row(page, `Phone ${tag}`)).toBeHidden();
    await page.getByLabel('Status').selectOption('Any status');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await expect(page.getByLabel('Status')).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New Case' }).click();
    await expect(dialog(page).getByText('Step 1 of 2')).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await row(page, `Phone ${tag}`).tap();
    await expect(page.getByRole('heading', { name: `Phone ${tag}` })).toBeVisible();
    await expectAccessible(page);
    const { scrollWidth, clientWidth } = await page
      .getByRole('main')
      .evaluate((main) => ({ scrollWidth: main.scrollWidth, clientWidth: main.clientWidth }));
    expect(scrollWidth).toBe(clientWidth);
  });
});

test.describe('a case', () => {
  test('a case shows its fields, its parties and live activity', async ({ matterdesk, page }) => {
    const { admin, cases, tag } = await openMatters(matterdesk, page, ['Seen']);
    const [{ id } = { id: '' }] = cases;
    await row(page, `Seen ${tag}`).getByRole('link', { name: 'AI assistant' }).click();
    await expect(page).toHaveURL(new RegExp(`/caseDetails/${id}$`));
    await expect(page.getByRole('dialog', { name: 'AI Chat' })).toBeVisible();
    await page.getByRole('button', { name: 'Close chat' }).click();
    for (const text of ['Hon. Ruth Stone', 'Jan 15, 2025', 'Grace Hopper', 'Roe & Partners'])
      await expect(page.getByRole('main')).toContainText(text);
    const activity = page.getByRole('main').getByRole('listitem');
    const who = `${admin.firstName} ${admin.lastName}`;
    await expect(activity.filter({ hasText: `${who} opened this case` })).toBeVisible();
    await expectAccessible(page);

    const task = newTask({ case: id, assignedTo: admin.id, name: 'First interrogatories' });
    const added = await matterdesk.call(taskRoutes.addTask, { token: admin.token, body: task });
    await matterdesk.call(taskRoutes.changeTask, {
      token: admin.token,
      params: { id: added.tasks.id },
      body: { type: 'discovery' },
    });
    await expect(
      activity.filter({ hasText: `${who} moved First interrogatories to Discovery` }),
    ).toBeVisible();
    await page.getByRole('link', { name: 'View More' }).click();
    await expect(page).toHaveURL(/\?tab=stream&kinds=all$/);
    const stream = page.getByRole('region', { name: 'Stream' });
    // The server checks a new matter for conflicts by itself, sooner or later.
    await expect(stream.getByRole('article').filter({ hasText: 'You ' })).toHaveCount(3);
    await expect(stream.getByRole('checkbox', { name: 'Show all changes' })).toBeChecked();
    await expectAccessible(page);
    await activity.filter({ hasText: 'moved' }).getByRole('link', { name: 'View' }).click();
    await expect(page).toHaveURL(new RegExp(`/tasks\\?case=${id}$`));
    await expect(page.getByRole('group', { name: 'First interrogatories' })).toBeFocused();
  });

  test('a case is edited, archived and reopened by permitted users, sending only changes', async ({
    matterdesk,
    page,
  }) => {
    const { admin, cases, tag } = await openMatters(matterdesk, page, ['Edited']);
    const [{ id } = { id: '' }] = cases;
    await page.goto(`/dashboard/caseDetails/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expectAccessible(page);
    await dialog(page).getByLabel('Judge').fill('');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page).getByText('Judge is required')).toBeVisible();
    await expect(dialog(page).getByLabel('Judge')).toBeFocused();
    await dialog(page).getByLabel('Judge').fill('Hon. A. Reyes');
    // Another user changes another field meanwhile.
    await matterdesk.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id },
      body: { managingAttorney: 'Katherine Johnson' },
    });
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON()).toEqual({ judge: 'Hon. A. Reyes' });
    await expect(dialog(page)).toBeHidden();
    const main = page.getByRole('main');
    await expect(main).toContainText('Hon. A. Reyes');
    await expect(main).toContainText('Katherine Johnson');
    await expect(main).toContainText('changed Judge');

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(main).toContainText('archived this case');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reopen' }).click();
    await expect(main).toContainText('reopened this case');
    await expect(main).toContainText(`Edited ${tag}`);
  });

  test('a case is printed as a sheet of what it says', async ({ matterdesk, page }) => {
    await openMatters(matterdesk, page, ['Reyes v. Jansen']);
    await row(page, 'Reyes v. Jansen').getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1, name: /^Reyes v. Jansen/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ask this case' })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(/Printed \w/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Case summary' })).toContainText('CV-');
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    // Titles that open in place on the screen stay on paper.
    const opened = page.locator('.stream-printed').first();
    await expect(opened).toBeVisible();
    const printed = opened.evaluate((one) => getComputedStyle(one, '::before').content);
    expect(await printed).toMatch(/created Reyes v\. Jansen/);
  });

  test('an unknown case is reported, with a way back', async ({ matterdesk, page }) => {
    await matterdesk.signIn(page, await matterdesk.register());
    await page.goto('/dashboard/caseDetails/0190d5c5-0000-7000-8000-000000000000');
    await expect(page.getByRole('heading', { name: 'Case not found' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Go to Matters' }).click();
    await expect(page.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
  });

  test('a case is read-only for users without permission', async ({ matterdesk, page }) => {
    const admin = await matterdesk.register({ role: 'admin' });
    const { id, caseName } = await openCase(matterdesk, admin);
    await matterdesk.signIn(page, await matterdesk.register());
    await page.goto(`/dashboard/caseDetails/${id}`);
    await expect(page.getByRole('heading', { name: caseName })).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Board', 'Deadlines', 'Access']);
    await page.keyboard.press('Escape');
    await openTab(page, 'Tasks');
    await expect(page.getByText('No tasks yet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New Task' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await expect(page).toHaveURL(`/dashboard/tasks?case=${id}`);
  });
});
