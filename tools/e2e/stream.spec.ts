import { expect, type Page } from '@playwright/test';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { newTask, unique } from '@matterdesk/server/testing/factories.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, holdRequests, type Person, test } from './support/fixtures.ts';
import { openCase } from './support/matters.ts';

/** Goes from the dashboard to the stream of a matter, as a person would. */
async function walkTo(page: Page, caseName: string) {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Matters' }).click();
  // The dashboard has a link of that name as well, and may be replaced beneath a press.
  const matters = page.getByRole('table', { name: 'Matters' });
  await matters.getByRole('link', { name: caseName }).first().click();
  await expect(page.getByRole('heading', { name: caseName })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Stream' })).toHaveAttribute('aria-selected', 'true');
  await expect(note(page)).toBeVisible();
}

const stream = (page: Page) => page.getByRole('region', { name: 'Stream' });
const rowOf = (page: Page, text: string) =>
  stream(page).getByRole('article').filter({ hasText: text });
const note = (page: Page) => page.getByRole('textbox', { name: 'Note' });

async function openFirm(matterdesk: Firm) {
  const admin = await matterdesk.register({ role: 'admin' });
  const tag = unique();
  const ben = await matterdesk.register({ firstName: `Ben${tag}`, lastName: 'Ito' });
  const caseName = `Abara ${tag} v. Northline`;
  const matter = await openCase(matterdesk, admin, { caseName });
  return { admin, ben, tag, caseName, matter };
}

async function openDashboard(matterdesk: Firm, page: Page, person: Person) {
  await matterdesk.signIn(page, person);
  await openConnected(page, '/dashboard');
}

test('a note mentions a colleague, who sees it arrive, and is edited, pinned and found', async ({
  matterdesk,
  page,
  browser,
}) => {
  const { admin, ben, tag, caseName } = await openFirm(matterdesk);
  const other = await (await browser.newContext({ baseURL: matterdesk.url })).newPage();
  await openDashboard(matterdesk, other, ben);
  await walkTo(other, caseName);
  await openDashboard(matterdesk, page, admin);
  await walkTo(page, caseName);

  await page.keyboard.press('n');
  await expect(note(page)).toBeFocused();
  await page.keyboard.type(`Ask @ben${tag}`);
  await expect(page.getByRole('option', { name: `Ben${tag} Ito` })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('for the October bills');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(note(page)).toHaveValue(`Ask @Ben${tag} Ito for the October bills`);
  await note(page).click();
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  const row = rowOf(page, 'October bills');
  await expect(row).toContainText('You wrote a note');
  await expect(note(page)).toHaveValue('');
  await expect(rowOf(other, 'October bills')).toContainText(`${admin.firstName} ${admin.lastName}`);

  await other.getByRole('button', { name: /^Notices/ }).click();
  await other.getByRole('button', { name: /^New: .* mentioned you in/ }).click();
  const linked = other.getByRole('dialog', { name: 'Note' });
  await expect(linked).toContainText('for the October bills');
  await other.keyboard.press('Escape');
  await expect(linked).toBeHidden();

  await row.hover();
  await row.getByRole('button', { name: 'More for this item' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Text').fill('Ask for the November bills');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const edited = rowOf(page, 'November bills');
  await expect(rowOf(other, 'November bills')).toBeVisible();
  await edited.getByRole('button', { name: 'edited' }).click();
  await expect(page.getByRole('dialog')).toContainText('for the October bills');
  await page.keyboard.press('Escape');

  await edited.hover();
  await edited.getByRole('button', { name: 'Pin', exact: true }).click();
  const pinned = page.getByRole('group', { name: 'Pinned' });
  await expect(pinned).toContainText('Ask for the November bills');

  await page.getByRole('button', { name: /^Calls/ }).click();
  await expect(page.getByText('No calls yet')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(edited).toBeVisible();
  await page.getByRole('button', { name: 'Search the stream' }).click();
  await page.keyboard.type('november');
  await expect(page).toHaveURL(/search=november/);
  await expect(edited).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('Escape');
  await edited.getByRole('button', { name: 'More for this item' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(rowOf(page, 'Note deleted by')).toBeVisible();
  await expect(pinned).toBeHidden();
});

test('a note becomes a task and a deadline, which it leads to, and is printed', async ({
  matterdesk,
  page,
  browser,
}) => {
  const { admin, ben, caseName } = await openFirm(matterdesk);
  const other = await (await browser.newContext({ baseURL: matterdesk.url })).newPage();
  await openDashboard(matterdesk, other, ben);
  await walkTo(other, caseName);
  await openDashboard(matterdesk, page, admin);
  await walkTo(page, caseName);
  await note(page).click();
  await page.keyboard.type('Ask for the October bills');
  await page.keyboard.press('Control+Enter');
  const row = rowOf(page, 'You wrote a note');
  await row.hover();
  await row.getByRole('button', { name: 'Make task' }).click();
  const task = page.getByRole('dialog', { name: 'Add New Task' });
  await expect(task.getByLabel('Description')).toHaveValue('Ask for the October bills');
  await task.getByRole('button', { name: 'Save' }).click();
  await expect(task).toBeHidden();
  const made = row.getByRole('link', { name: 'Ask for the October bills · Intake' });
  await expect(made).toBeVisible();
  await expect(rowOf(other, 'wrote a note').getByRole('link', { name: /· Intake$/ })).toBeVisible();
  // The row of the task moves the note's down.
  await expect(rowOf(page, 'You created Ask for the October bills')).toBeVisible();

  await row.hover();
  await row.getByRole('button', { name: 'Make deadline' }).click();
  const deadline = page.getByRole('dialog', { name: 'New deadline' });
  await expect(deadline.getByLabel('Title')).toHaveValue('Ask for the October bills');
  await deadline.getByLabel('Hard deadline').uncheck();
  await deadline.getByLabel('Date', { exact: true }).fill('2027-03-03');
  await deadline.getByRole('button', { name: 'Add deadline' }).click();
  await expect(deadline).toBeHidden();
  await expect(row.getByRole('link', { name: /· Open$/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Save the stream as PDF' }).click();
  const print = page.getByRole('dialog', { name: 'Save the stream as PDF' });
  await print.getByLabel('Folder').fill('Prints');
  await print.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Stream saved')).toBeVisible();
  await expect(stream(page).getByRole('link', { name: /Stream of Abara/ })).toBeVisible();

  await made.click();
  // The board takes the task out of the address once its card is shown.
  await expect(page).toHaveURL(/\/dashboard\/tasks\?case=/);
  await expect(page.getByRole('button', { name: 'New Task', exact: true })).toBeVisible();
  await expect(page.getByText('Ask for the October bills').first()).toBeVisible();
});

test('a note has files of its matter, which stay there when it is moved', async ({
  matterdesk,
  page,
}) => {
  const { admin, caseName, matter } = await openFirm(matterdesk);
  const caller = { url: matterdesk.url, token: admin.token };
  const place = { caseId: matter.id, folder: 'Evidence' };
  for (const name of ['Bill.txt', 'Report.txt'])
    await upload(caller, { ...place, name }, Buffer.from(name));
  await openDashboard(matterdesk, page, admin);
  await walkTo(page, caseName);
  await page.getByRole('button', { name: 'Attach files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach files' });
  await dialog.getByLabel('Files of this matter').click();
  await page.getByRole('option', { name: 'Bill.txt' }).click();
  await page.getByRole('option', { name: 'Report.txt' }).click();
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const composer = page.getByRole('form', { name: 'New note' });
  await composer.getByRole('button', { name: 'Remove this file' }).first().click();
  await note(page).click();
  await page.keyboard.type('The report is here');
  await page.keyboard.press('Control+Enter');
  const row = rowOf(page, 'The report is here');
  await expect(row.getByRole('link', { name: 'Report.txt' })).toBeVisible();
  await expect(row.getByRole('link', { name: 'Bill.txt' })).toBeHidden();
  await expect(composer.getByText('Report.txt')).toBeHidden();
  await row.hover();
  await row.getByRole('button', { name: 'More for this item' }).click();
  await page.getByRole('menuitem', { name: 'Move to another matter' }).click();
  await expect(page.getByRole('dialog')).toContainText('Its files stay in this one.');
  await page.keyboard.press('Escape');
  await row.getByRole('link', { name: 'Report.txt' }).click();
  await expect(page.getByRole('region', { name: 'Report.txt' })).toBeVisible();
});

test('a long touch on an item of the stream opens its menu @phone', async ({
  matterdesk,
  page,
}) => {
  const { admin, matter } = await openFirm(matterdesk);
  await matterdesk.call(streamRoutes.addEntry, {
    token: admin.token,
    params: { id: matter.id },
    body: { kind: 'note', text: 'She works nights' },
  });
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/caseDetails/${matter.id}`);
  const box = await rowOf(page, 'She works nights').getByText('wrote a note').boundingBox();
  const point = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  const line = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: (typeof point)[]) =>
    line.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [point]);
  const menu = page.getByRole('menu', { name: 'More for this item' });
  await expect(menu).toBeVisible();
  await touch('touchEnd', []);
  await expect(menu).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Edit' }).tap();
  await expect(page.getByRole('dialog', { name: 'Edit note' })).toBeVisible();
});

test('a phone shows both directions of a call whole @phone', async ({ matterdesk, page }) => {
  const { admin, matter } = await openFirm(matterdesk);
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/caseDetails/${matter.id}`);
  await page.getByRole('button', { name: 'Log call', exact: true }).tap();
  const directions = page.getByRole('group', { name: 'Direction' });
  const all = await directions.boundingBox();
  const last = await directions.getByRole('button', { name: 'In' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(
    (all?.x ?? 0) + (all?.width ?? 0),
  );
});

test('a call is logged by Alt+C from any page, and outlives a reload', async ({
  matterdesk,
  page,
}) => {
  const { admin, tag, caseName, matter } = await openFirm(matterdesk);
  const name = `Dana Whitlock${tag}`;
  await matterdesk.call(contactRoutes.addContact, {
    token: admin.token,
    body: { kind: 'person', name, phoneNumbers: ['+1 212 555 0111'] },
  });
  await openDashboard(matterdesk, page, admin);
  await page.keyboard.press('Alt+c');
  const card = page.getByRole('dialog', { name: 'Call' });
  await expect(card.getByLabel('Who?')).toBeFocused();
  await page.keyboard.type(`Whitlock${tag}`);
  await expect(card.getByRole('option', { name })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(card.getByLabel('What was said')).toBeFocused();
  await card.getByRole('combobox', { name: 'Matter' }).focus();
  await page.keyboard.press('1');
  const search = card.getByRole('combobox', { name: 'Search' });
  await expect(search).toHaveValue('1');
  const reached = card.getByRole('button', { name: 'Reached' });
  await expect(reached).toHaveAttribute('aria-pressed', 'false');
  await search.fill(matter.caseName);
  await page.getByRole('option', { name: caseName }).click();
  await expect(card).toContainText(caseName);
  await card.getByLabel('What was said').fill('She agrees to Thursday.');
  await card.getByRole('button', { name: 'Task', exact: true }).click();
  const task = page.getByRole('dialog', { name: 'Add New Task' });
  await task.getByLabel('Description').fill('Before noon');
  await page.keyboard.press('Control+Enter');
  await expect(task).toBeHidden();
  // The keys are for the dialog above the card: a save would have stopped the clock.
  await expect(card.getByRole('timer', { name: 'Length' })).toBeVisible();
  await page.reload();
  await expect(card.getByLabel('What was said')).toHaveValue('She agrees to Thursday.');
  await card.getByRole('button', { name: 'Make small' }).click();
  await walkTo(page, caseName);
  await page.getByRole('button', { name: `Open the call with ${name}` }).click();
  await card.getByLabel('What was said').focus();
  await page.keyboard.press('Alt+1');
  await expect(reached).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`Call saved in ${caseName}`)).toBeVisible();
  await expect(card).toBeHidden();
  await expect(rowOf(page, 'She agrees to Thursday.')).toContainText(`You called ${name}`);
  await page.getByRole('button', { name: /^Calls/ }).click();
  await expect(page).toHaveURL(/kinds=call/);
  await expect(rowOf(page, 'Reached')).toHaveCount(1);
});

test('a phone number of a matter, and of a contact, opens the call card filled', async ({
  matterdesk,
  page,
}) => {
  const { admin, tag, matter } = await openFirm(matterdesk);
  const caseName = `Okoro ${tag} v. Northline Freight and Storage`;
  const [name, phoneNumber] = [`Ifeoma Okoro${tag}`, '+1 212 555 0177'];
  const clientInfo = { ...matter.clientInfo, name, phoneNumber };
  await openCase(matterdesk, admin, { caseName, clientInfo });
  await openDashboard(matterdesk, page, admin);
  await walkTo(page, caseName);
  const card = page.getByRole('dialog', { name: 'Call' });
  const contact = page.getByRole('link', { name, exact: true }).first();
  // Until the matter's contacts are known, the card looks for the name instead.
  await expect(contact).toBeVisible();
  await page.getByRole('button', { name: `Log call with ${name}` }).click();
  await expect(card).toContainText(name);
  await expect(card).toContainText(`${caseName} · ${phoneNumber}`);
  // A long line is cut, and widens nothing below it.
  const [outer, inner] = [
    await card.boundingBox(),
    await card.getByLabel('What was said').boundingBox(),
  ];
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  await card.getByRole('button', { name: 'Discard the call' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await contact.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('button', { name: 'Log call', exact: true }).click();
  await expect(card).toContainText(name);
  await card.getByLabel('What was said').fill('She calls back on Monday.');
  await page.keyboard.press('Alt+6');
  const release = await holdRequests(page, '**/api/v1/cases/*/entries');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type(' Her brother drives.');
  release();
  await expect(page.getByText(`Call saved in ${caseName}`)).toBeVisible();
  // Typed while the call was being saved, and thus not saved with it.
  await expect(card.getByLabel('What was said')).toHaveValue('Her brother drives.');
});

test('changes that are folded on the screen are on paper one by one', async ({
  matterdesk,
  page,
}) => {
  const { admin, caseName, matter } = await openFirm(matterdesk);
  const { token, id: assignedTo } = admin;
  const body = newTask({ case: matter.id, assignedTo, name: 'First interrogatories' });
  const added = await matterdesk.call(taskRoutes.addTask, { token, body });
  const params = { id: added.tasks.id };
  for (const type of ['discovery', 'adr'] as const)
    await matterdesk.call(taskRoutes.changeTask, { token, params, body: { type } });
  await openDashboard(matterdesk, page, admin);
  await walkTo(page, caseName);
  await page.getByRole('checkbox', { name: 'Show all changes' }).check();
  await expect(stream(page).getByText('2 changes')).toBeVisible();
  await expect(rowOf(page, 'moved First interrogatories')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(rowOf(page, 'moved First interrogatories')).toHaveCount(2);
});
