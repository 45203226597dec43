import { expect, type Locator, type Page } from '@playwright/test';
import { unique } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, test } from './support/fixtures.ts';
import { dialog } from './support/matters.ts';

/** An export in Clio's columns, with its habits: a bad date, a matter without a client, a column of the firm's own. */
function exportOf(tag: string): Record<string, string> {
  return {
    'contacts.csv': lines(
      'Contact ID,title,first_name,last_name,company,email_address,primary_phone',
      `${tag}1,Ms.,Ngozi,Abara ${tag},,ngozi${tag}@client.example,(212) 555-0110`,
      `${tag}2,,,,Meridian Freight ${tag},office${tag}@meridian.example,`,
    ),
    'matters.csv': lines(
      'Matter ID,custom_number,description,client_name,practice_area,status,open_date,responsible_attorney,Referred by',
      `${tag}1,,Abara ${tag} v. Northline,Ngozi Abara ${tag},Slip and fall,Open,03/14/2024,,Dr. Ng`,
      `${tag}2,,Meridian lease ${tag},Meridian Freight ${tag},Leases,Closed,01/02/2023,,`,
      `${tag}3,,Petrov ${tag} v. Cascade,Ngozi Abara ${tag},Slip and fall,Open,13/31/2024,,`,
      `${tag}4,,Lost matter ${tag},Unknown Client,Slip and fall,Open,03/14/2024,,`,
    ),
    'notes.csv': lines(
      'Id,Matter Description,date,subject,detail',
      `${tag}1,Abara ${tag} v. Northline,04/02/2024,Adjuster,"<p>Called the adjuster &amp; left a message.</p>"`,
    ),
  };
}

function lines(...rows: string[]): string {
  return rows.map((row) => `${row}\r\n`).join('');
}

/** Drops files as a hand does. */
async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(all))
      transfer.items.add(new File([text], name, { type: 'text/csv' }));
    return transfer;
  }, files);
  const place = page.locator('[data-drop]');
  await place.dispatchEvent('dragover', { dataTransfer: data });
  await place.dispatchEvent('drop', { dataTransfer: data });
}

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Goes to 'Move in' from wherever the page is. */
async function walkToMoveIn(page: Page): Promise<void> {
  await navigation(page).getByRole('link', { name: 'Firm' }).click();
  await page.getByRole('link', { name: 'Move in', exact: true }).click();
  await expect(title(page, 'Move in')).toBeVisible();
}

/** Chooses Clio, and drops an export. */
async function addExport(page: Page, files: Record<string, string>): Promise<void> {
  await page.getByRole('link', { name: 'New import' }).first().click();
  await page.getByRole('radio', { name: 'Clio', exact: true }).check();
  await expect(page.getByRole('heading', { name: 'How to get the export' })).toBeVisible();
  await drop(page, files);
  const chosen = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await expect(chosen).toHaveCount(Object.keys(files).length);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(title(page, 'Move in from Clio')).toBeVisible();
  await expect(step(page)).toContainText('Columns');
  await expect(page.getByRole('region', { name: 'Step 2 of 4' })).toBeFocused();
}

const step = (page: Page) =>
  page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current]');

/** Chooses a type for each of the other system's words. */
async function mapTypes(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Slip and fall becomes' }).selectOption('PI');
  await page.getByRole('combobox', { name: 'Leases becomes' }).selectOption('Civil');
  await expect(page.getByRole('heading', { name: 'Still to choose' })).toBeHidden();
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('Check finished')).toBeVisible({ timeout: 120_000 });
}

async function moveIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Move in', exact: true }).last().click();
  await expect(page.getByRole('heading', { name: 'What Move in will do' })).toBeVisible();
  await page.getByRole('button', { name: 'Move in now' }).click();
  await expect(page.getByRole('heading', { name: 'What Move in did' })).toBeVisible({
    timeout: 120_000,
  });
  // The button that had the focus has left.
  await expect(page.getByRole('region', { name: 'Step 4 of 4' })).toBeFocused();
}

/** Cells of a kind: found, new, changed, same, conflicting, refused. */
function cells(page: Page, kind: string): Promise<string[]> {
  return page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: kind }) })
    .getByRole('cell')
    .allTextContents()
    .then((all) => all.slice(1));
}

const inTable = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Matters' }).getByRole('link', { name });

async function searchMatters(page: Page, tag: string): Promise<void> {
  await navigation(page).getByRole('link', { name: 'Matters' }).click();
  await page.getByRole('main').getByRole('searchbox').fill(tag);
  // Until the search is in the address, it would take the place of a click's page.
  await expect(page).toHaveURL(new RegExp(tag));
}

async function openAsAdmin(matterdesk: Firm, page: Page): Promise<string> {
  const tag = `T${unique()}${Date.now()}`;
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard');
  return tag;
}

test('a firm moves in from Clio, finds its matters, comes a second time, and goes back', async ({
  matterdesk,
  page,
}) => {
  const tag = await openAsAdmin(matterdesk, page);
  const files = exportOf(tag);
  await walkToMoveIn(page);
  await expectAccessible(page);
  await addExport(page, files);
  await expect(page.getByRole('link', { name: '2 types' })).toBeVisible();
  await expect(page.getByText('Kept in one pinned note per matter, “From Clio”.')).toBeVisible();
  await expectAccessible(page);
  await mapTypes(page);

  await check(page);
  expect(await cells(page, 'Contacts')).toEqual(['2', '2', '0', '0', '0', '0']);
  expect(await cells(page, 'Matters')).toEqual(['4', '2', '0', '0', '0', '2']);
  expect(await cells(page, 'Notes')).toEqual(['1', '1', '0', '0', '0', '0']);
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems.getByRole('listitem')).toHaveCount(2);
  await expect(problems).toContainText('matters.csv, row 4, open_date');
  await expect(problems).toContainText('13/31/2024');
  await expect(problems).toContainText('matters.csv, row 5, client_name');
  await expectAccessible(page);
  // Nothing is there yet.
  await searchMatters(page, tag);
  await expect(page.getByText('No match')).toBeVisible();
  await page.goBack();
  await page.goBack();

  await moveIn(page);
  expect(await cells(page, 'Matters')).toEqual(['4', '2', '0', '0', '0', '2']);
  await expectAccessible(page);
  const moved = page.url();

  await searchMatters(page, tag);
  await inTable(page, `Abara ${tag} v. Northline`).click();
  await expect(title(page, `Abara ${tag} v. Northline`)).toBeVisible();
  await expect(page.getByText('Not filed').first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText(`Ngozi Abara ${tag}`);
  await expect(page.getByRole('group', { name: 'Pinned' })).toContainText('From Clio');
  const stream = page.getByRole('region', { name: 'Stream' });
  await expect(stream).toContainText('Called the adjuster & left a message.');
  await expect(stream).toContainText('Dr. Ng');

  await navigation(page).getByRole('link', { name: 'Calender' }).click();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Deadlines' })
    .click();
  const undated = page.getByRole('region', { name: 'Statute date missing' });
  await expect(
    undated.getByRole('link', { name: `Abara ${tag} v. Northline`, exact: true }),
  ).toBeVisible();

  // The same export once more adds nothing.
  await walkToMoveIn(page);
  await expect(page.getByRole('table', { name: 'Imports' })).toContainText('Moved in');
  await addExport(page, files);
  await mapTypes(page);
  await check(page);
  expect(await cells(page, 'Contacts')).toEqual(['2', '0', '0', '2', '0', '0']);
  expect(await cells(page, 'Matters')).toEqual(['4', '0', '0', '2', '0', '2']);
  expect(await cells(page, 'Notes')).toEqual(['1', '0', '0', '1', '0', '0']);
  await expect(page.getByText('Add nothing: nothing is new.')).toBeVisible();

  await page.goto(moved);
  await page.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Nothing would stay.', { timeout: 60_000 });
  await question.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing stayed' })).toBeVisible({
    timeout: 120_000,
  });
  await expectAccessible(page);
  await searchMatters(page, tag);
  await expect(page.getByText('No match')).toBeVisible();
});

test('an undo leaves the matter that someone has worked on, and says why', async ({
  matterdesk,
  page,
}) => {
  const tag = await openAsAdmin(matterdesk, page);
  await walkToMoveIn(page);
  await addExport(page, exportOf(tag));
  await mapTypes(page);
  await check(page);
  await moveIn(page);
  const moved = page.url();
  await searchMatters(page, tag);
  await inTable(page, `Abara ${tag} v. Northline`).click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('The client called back.');
  // The stream shows it before it is saved, and leaving the page would end that.
  const saved = page.waitForResponse((reply) => reply.url().endsWith('/entries') && reply.ok());
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Stream' })).toContainText(
    'The client called back.',
  );
  await saved;

  await page.goto(moved);
  await page.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(`Abara ${tag} v. Northline`, { timeout: 60_000 });
  await question.getByRole('button', { name: 'Undo import' }).click();
  const stayed = page.getByRole('region', { name: /stayed/ });
  await expect(stayed).toContainText('It was changed or used here', { timeout: 120_000 });
  await stayed.getByRole('link', { name: `Abara ${tag} v. Northline` }).click();
  await expect(title(page, `Abara ${tag} v. Northline`)).toBeVisible();
  await searchMatters(page, tag);
  await expect(inTable(page, `Meridian lease ${tag}`)).toBeHidden();
});

test('files are dropped and removed again, and what cannot be read is refused', async ({
  matterdesk,
  page,
}) => {
  await openAsAdmin(matterdesk, page);
  await page.goto('/dashboard/firm/move-in?new');
  const next = page.getByRole('button', { name: 'Continue' });
  await expect(next).toBeDisabled();
  await drop(page, { 'a.csv': 'Name\r\n', 'b.csv': 'Name\r\n' });
  await expect(next).toBeDisabled();
  await page.getByRole('radio', { name: 'Clio' }).check();
  await expect(next).toBeEnabled();
  await expectAccessible(page);
  const chosen = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Remove a.csv' }).click();
  await expect(chosen).toHaveText(/^b\.csv/);
  await expect(page.getByRole('button', { name: 'Remove b.csv' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove b.csv' }).click();
  await expect(next).toBeDisabled();
  await drop(page, { 'export.zip': 'no zip file' });
  await next.click();
  await expect(page.getByRole('alert')).toContainText('export.zip');

  await page.getByRole('button', { name: 'Remove export.zip' }).click();
  await drop(page, { 'contacts.csv': '' });
  await next.click();
  await expect(page.getByText('No rows can be read in the files.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check' })).toBeDisabled();
  await expectAccessible(page);
});

test('an upload is left on purpose alone, and can be canceled', async ({ matterdesk, page }) => {
  await openAsAdmin(matterdesk, page);
  // The answer never comes.
  await page.route(/\/api\/v1\/imports$/, (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  );
  await page.goto('/dashboard/firm/move-in?new');
  await page.getByRole('radio', { name: 'Clio' }).check();
  await drop(page, { 'a.csv': 'Name\r\n' });
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await navigation(page).getByRole('link', { name: 'Matters' }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop the upload?' });
  await question.getByRole('button', { name: 'Keep uploading' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Cancel upload' }).click();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeHidden();
  await expect(next).toBeFocused();
  await navigation(page).getByRole('link', { name: 'Matters' }).click();
  await expect(title(page, 'Active Projects')).toBeVisible();
});

test('a user who is no admin has no way to move in', async ({ matterdesk, page }) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard/firm');
  await expect(title(page, 'Firm')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Move in' })).toHaveCount(0);
  await page.goto('/dashboard/firm/move-in');
  await expect(page.getByText('Moving in is for admins')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test(
  'on a phone the table is stacked, and nothing scrolls sideways',
  { tag: '@phone' },
  async ({ matterdesk, page }) => {
    const tag = await openAsAdmin(matterdesk, page);
    await page.goto('/dashboard/firm/move-in');
    await addExport(page, exportOf(tag));
    // The column beside the fields is below all of them here.
    await expect(page.getByRole('heading', { name: 'Still to choose' })).toBeInViewport();
    await mapTypes(page);
    await check(page);
    await expect(page.getByRole('table')).toContainText('2 new');
    await expect(page.getByRole('table')).toContainText('2 refused');
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await isWide()).toBe(false);
    await expectAccessible(page);
  },
);
