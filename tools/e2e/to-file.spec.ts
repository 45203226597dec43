import { type Browser, expect, type Page, type Route } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { paintPicture, textPdf } from '@matterdesk/server/testing/papers.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { openConnected, keepOffline } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, type Person, test } from './support/fixtures.ts';
import { openCase, openTab } from './support/matters.ts';

const letter = textPdf([['Meridian Mutual', 'Claim 0471-88213', 'Dear Ms. Owusu:'], ['Page two']]);
const themes = [
  ['light', ''],
  ['dark', ''],
  ['dark', ' @phone'],
] as const;

const link = (page: Page) => page.getByRole('link', { name: 'To file' });
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Papers' }).getByRole('button', { name });
const paper = (page: Page) => page.getByRole('article');

/** A user who may add tasks, and an admin who sorts the papers of everyone. */
async function registerPair(firm: Firm): Promise<{ user: Person; admin: Person }> {
  const admin = await firm.register({ role: 'admin' });
  const user = await firm.register({ firstName: 'Kofi', lastName: 'Mensah' });
  const body = { permissions: { editTasks: true } };
  await firm.call(accountRoutes.changeUser, {
    token: admin.token,
    params: { id: user.id },
    body,
  });
  return { admin, user: { ...user, permissions: { ...user.permissions, editTasks: true } } };
}

async function putInTray(firm: Firm, { token }: Person, name: string, bytes: Buffer = letter) {
  await upload({ url: firm.url, token }, { caseId: '', folder: '', name }, bytes);
}

async function openColleague(firm: Firm, browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: firm.url })).newPage();
  await firm.signIn(page, person);
  await openConnected(page, '/dashboard');
  return page;
}

/** Shows what the server does not know yet beside the items that it has. */
async function alter(page: Page, change: (body: { items: object[] }) => object): Promise<void> {
  const answer = async (route: Route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as { body: { items: object[] } };
    await route.fulfill({ response, json: { ...reply, body: change(reply.body) } });
  };
  // A page that is closed needs no replies.
  await page.route('**/api/v1/tray?*', (route) => answer(route).catch(() => undefined));
}

test('papers are uploaded, filed with a task, dismissed, and taken back, while a colleague sees their count', async ({
  page,
  browser,
  matterdesk,
}) => {
  const { user, admin } = await registerPair(matterdesk);
  const { caseName } = await openCase(matterdesk, admin, { caseName: `Tray ${Date.now()}` });
  await matterdesk.signIn(page, user);
  const theirs = await openColleague(matterdesk, browser, admin);
  // Papers of other tests are the admin's to file, too.
  const { total } = await matterdesk.call(trayRoutes.listTray, { token: admin.token });
  await page.goto('/dashboard');
  await link(page).click();
  await expect(page.getByText('Nothing to file')).toBeVisible();
  await expect(link(page)).not.toHaveAccessibleDescription(/to file/);
  const files = [
    { name: 'Letter Nov 16.pdf', mimeType: 'application/pdf', buffer: letter },
    { name: 'Truck.png', mimeType: 'image/png', buffer: await paintPicture(['Tractor 114']) },
  ];
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload papers' }).click(),
  ]);
  await chooser.setFiles(files);
  await expect(link(page)).toHaveAccessibleDescription('2 to file');
  await expect(link(theirs)).toHaveAccessibleDescription(`${total + 2} to file`);

  await row(page, 'Letter Nov 16.pdf').click();
  await expect(paper(page).getByRole('heading', { name: 'Letter Nov 16.pdf' })).toBeVisible();
  await expect(paper(page).getByText('Claim 0471-88213')).toBeVisible();
  await page.getByRole('combobox', { name: 'Another matter' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill(caseName);
  await page.getByRole('option', { name: caseName }).click();
  await expect(page.getByRole('button', { name: `File in ${caseName}` })).toBeFocused();
  await page.getByRole('button', { name: 'With a task' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Task' });
  await dialog.getByRole('button', { name: 'File with this task' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Answer the carrier');
  await dialog.getByRole('button', { name: 'File with this task' }).click();
  await expect(dialog).toBeHidden();
  const act = page.getByRole('status').filter({ hasText: 'Filed Letter Nov 16.pdf in' });
  await expect(act).toBeVisible();
  await expect(paper(page).getByRole('heading', { name: 'Truck.png' })).toBeVisible();
  await expect(paper(page).getByRole('img', { name: 'Truck.png' })).toBeVisible();
  await expect(link(page)).toHaveAccessibleDescription('1 to file');
  await expect(link(theirs)).toHaveAccessibleDescription(`${total + 1} to file`);

  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: caseName }).click();
  await openTab(page, 'Files');
  await expect(page.getByRole('link', { name: 'Letter Nov 16.pdf' })).toBeVisible();
  await openTab(page, 'Tasks');
  await expect(page.getByRole('link', { name: 'Answer the carrier' })).toBeVisible();
  await link(page).click();
  await act.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Letter Nov 16.pdf')).toBeVisible();
  await expect(act).toBeHidden();
  await expect(link(theirs)).toHaveAccessibleDescription(`${total + 2} to file`);

  // A key pressed before the page has drawn anything acts on what was clicked.
  await row(page, 'Truck.png').evaluate((button: HTMLElement) => {
    button.click();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
  });
  await expect(page.getByText('Dismissed Truck.png')).toBeVisible();
  await expect(row(page, 'Truck.png')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  await expect(row(page, 'Truck.png')).toBeVisible();
  await expect(link(page)).toHaveAccessibleDescription('2 to file');
});

test('a digit files to its proposal at once, the next paper takes the place, and clues are marked', async ({
  page,
  matterdesk,
}) => {
  const { user, admin } = await registerPair(matterdesk);
  const { token } = user;
  const [older, newer] = [await openCase(matterdesk, admin), await openCase(matterdesk, admin)];
  const claim = `0471-${String(Date.now()).slice(-8)}`;
  const body = { kind: 'note', text: `The adjuster of claim ${claim} called.` } as const;
  for (const { id } of [older, newer])
    await matterdesk.call(streamRoutes.addEntry, { token, params: { id }, body });
  const bytes = textPdf([['Meridian Mutual', `Claim ${claim}`, 'Dear Ms. Owusu:'], ['Page two']]);
  const place = { caseId: older.id, folder: 'Insurance', name: 'Letter.pdf' };
  await upload({ url: matterdesk.url, token }, place, bytes);
  for (const name of ['One.pdf', 'Two.pdf', 'Three.pdf'])
    await putInTray(matterdesk, user, name, bytes);
  await expect(async () => {
    const { items } = await matterdesk.call(trayRoutes.listTray, { token });
    expect(items.map(({ proposals }) => proposals.length)).toEqual([2, 2, 2]);
  }).toPass();
  // A server without a scanner's folder has none.
  const problem = { name: 'scan 7.pdf', reason: 'It is damaged', at: new Date().toISOString() };
  await alter(page, (reply) => ({ ...reply, problems: [problem] }));
  await matterdesk.signIn(page, user);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The keys of pages are loaded after the page.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect(page).toHaveURL('/dashboard/to-file', { timeout: 1000 });
  }).toPass();
  const proposals = page.getByRole('group', { name: 'Where does it belong?' });
  await expect(proposals.getByRole('button')).toHaveCount(2);
  await expect(proposals.getByRole('button', { pressed: true })).toContainText(
    `Claim ${claim} is in this matter's notes`,
  );
  await expect(page.getByText(`Already in ${older.caseName}`)).toBeVisible();
  await expect(page.getByText('You can still file it.')).toBeVisible();
  const marks = () => page.evaluate(() => CSS.highlights.get('passage')?.size ?? 0);
  await expect.poll(marks).toBe(1);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('dialog').getByText('It is damaged')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('j');
  await expect(paper(page).getByRole('heading', { name: 'Two.pdf' })).toBeVisible();
  await proposals.getByRole('button').nth(1).click();
  const file = page.getByRole('button', { name: /^File in / });
  const before = await file.boundingBox();
  await expect(file).toContainText('2');
  await page.keyboard.press('1');
  await expect(page.getByText(`Filed Two.pdf in ${newer.caseName}`)).toBeVisible();
  await expect(paper(page).getByRole('heading', { name: 'Three.pdf' })).toBeVisible();
  expect(await file.boundingBox()).toEqual(before);
  await page.keyboard.press('u');
  await expect(paper(page).getByRole('heading', { name: 'Two.pdf' })).toBeVisible();
});

test('a matter of any first letter is typed, chosen and filed to with the keyboard alone', async ({
  page,
  matterdesk,
}) => {
  const { user, admin } = await registerPair(matterdesk);
  const { caseName } = await openCase(matterdesk, admin, { caseName: `Johnson ${Date.now()}` });
  for (const name of ['One.pdf', 'Two.pdf']) await putInTray(matterdesk, user, name);
  await matterdesk.signIn(page, user);
  await page.goto('/dashboard/to-file');
  await expect(page.getByRole('combobox', { name: 'Another matter' })).toBeFocused();
  await page.keyboard.type(caseName.toLowerCase());
  const search = page.getByRole('combobox', { name: 'Search' });
  await expect(search).toHaveValue(caseName.toLowerCase());
  await expect(paper(page).getByRole('heading', { name: 'One.pdf' })).toBeVisible();
  await expect(page.getByRole('option', { name: caseName })).toBeVisible();
  // Options of an earlier text are not highlighted.
  await expect(search).toHaveAttribute('aria-activedescendant', /./);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `File in ${caseName}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Filed One.pdf in ${caseName}`)).toBeVisible();
});

test('the shown paper stays shown while colleagues take others and put them back', async ({
  page,
  matterdesk,
}) => {
  const { user } = await registerPair(matterdesk);
  const { token } = user;
  for (const name of ['One.pdf', 'Two.pdf', 'Three.pdf', 'Four.pdf'])
    await putInTray(matterdesk, user, name);
  const { items } = await matterdesk.call(trayRoutes.listTray, { token });
  const params = { id: items[0]?.id ?? '' };
  await matterdesk.call(trayRoutes.dismissItem, { token, params, body: {} });
  await matterdesk.signIn(page, user);
  await openConnected(page, '/dashboard/to-file');
  await expect(paper(page).getByRole('heading', { name: 'Two.pdf' })).toBeVisible();
  await matterdesk.call(trayRoutes.undoItem, { token, params });
  await expect(row(page, 'One.pdf')).toBeVisible();
  await expect(paper(page).getByRole('heading', { name: 'Two.pdf' })).toBeVisible();
  await row(page, 'Two.pdf').click();
  await page.keyboard.press('x');
  await expect(page.getByText('Dismissed Two.pdf')).toBeVisible();
  await expect(paper(page).getByRole('heading', { name: 'Three.pdf' })).toBeVisible();
  await matterdesk.call(trayRoutes.dismissItem, { token, params, body: {} });
  await expect(row(page, 'One.pdf')).toBeHidden();
  await expect(paper(page).getByRole('heading', { name: 'Three.pdf' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await expect(page.getByText('Dismissed Three.pdf')).toBeVisible();
});

test('a task that is written while a colleague takes its paper keeps its text', async ({
  page,
  matterdesk,
}) => {
  const { user, admin } = await registerPair(matterdesk);
  const { token } = user;
  const { caseName } = await openCase(matterdesk, admin, { caseName: `Written ${Date.now()}` });
  for (const name of ['One.pdf', 'Two.pdf']) await putInTray(matterdesk, user, name);
  const { items } = await matterdesk.call(trayRoutes.listTray, { token });
  await matterdesk.signIn(page, user);
  await openConnected(page, '/dashboard/to-file');
  await page.getByRole('combobox', { name: 'Another matter' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill(caseName);
  await page.getByRole('option', { name: caseName }).click();
  await page.keyboard.press('t');
  const dialog = page.getByRole('dialog', { name: 'Add New Task' });
  await dialog.getByLabel('Name').fill('Answer the carrier');
  const params = { id: items[0]?.id ?? '' };
  await matterdesk.call(trayRoutes.dismissItem, { token, params, body: {} });
  await expect(page.locator('[data-row]')).toHaveText([/Two\.pdf/]);
  await dialog.getByRole('button', { name: 'File with this task' }).click();
  await expect(page.getByText('This was dismissed already')).toBeVisible();
  await expect(dialog.getByText(`With One.pdf, in ${caseName}`)).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Answer the carrier');
});

test('a paper that a colleague has filed meanwhile leaves the list with a sentence', async ({
  page,
  matterdesk,
}) => {
  const { user } = await registerPair(matterdesk);
  await putInTray(matterdesk, user, 'Taken.pdf');
  await keepOffline(page);
  await matterdesk.signIn(page, user);
  await page.goto('/dashboard/to-file');
  await expect(row(page, 'Taken.pdf')).toBeVisible();
  const { token } = user;
  const { items } = await matterdesk.call(trayRoutes.listTray, { token });
  const params = { id: items[0]?.id ?? '' };
  await matterdesk.call(trayRoutes.dismissItem, { token, params, body: {} });
  await page.getByRole('button', { name: 'Not for a matter' }).click();
  await expect(page.getByText('This was dismissed already')).toBeVisible();
  await expect(page.getByText('Nothing to file')).toBeVisible();
});

test('a source is in the address, and a list that fails to load offers to try again', async ({
  page,
  matterdesk,
}) => {
  const { user } = await registerPair(matterdesk);
  await putInTray(matterdesk, user, 'Statement.bin', Buffer.from('0471'));
  await keepOffline(page);
  await page.route('**/api/v1/tray?*', (route) => route.abort());
  await matterdesk.signIn(page, user);
  await page.goto('/dashboard/to-file?source=scan');
  await expect(page.getByText('Couldn’t load the papers')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/v1/tray?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No scans to file')).toBeVisible();
  await page.getByRole('button', { name: /^Uploads/ }).click();
  await expect(page).toHaveURL(/\?source=upload$/);
  await expect(page.getByText('No preview for this file')).toBeVisible();
  await expect(paper(page).getByRole('link', { name: 'Download' }).last()).toHaveAttribute(
    'href',
    /download=1/,
  );
});

for (const [colorScheme, where] of themes)
  test(`papers to file are accessible, ${colorScheme}${where}`, async ({ page, matterdesk }) => {
    const { user, admin } = await registerPair(matterdesk);
    const matter = await openCase(matterdesk, admin);
    await page.emulateMedia({ colorScheme });
    await matterdesk.signIn(page, user);
    await page.goto('/dashboard/to-file');
    await expect(page.getByText('Nothing to file')).toBeVisible();
    await expectAccessible(page);
    await putInTray(matterdesk, user, 'One.pdf');
    await putInTray(matterdesk, user, 'Two.pdf');
    const proposals = [{ case: matter, reason: 'Claim 0471-88213 is in this matter’s notes' }];
    await alter(page, (body) => ({
      ...body,
      items: body.items.map((item) => ({ ...item, proposals })),
    }));
    await page.goto('/dashboard/to-file');
    await expect(paper(page).getByText('Claim 0471-88213').first()).toBeVisible();
    await expectAccessible(page);
    if (where === '') return;
    await page.getByRole('button', { name: 'Read' }).click();
    await expect(page.getByRole('group', { name: 'Zoom' })).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'List' }).click();
    await row(page, 'Two.pdf').click();
    await page.getByRole('button', { name: /^File in / }).click();
    await expect(page.getByRole('heading', { name: 'One.pdf' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: 'Two.pdf' })).toBeVisible();
  });

for (const where of ['', ' @phone'])
  test(`the pill of a call leaves the buttons of a paper free${where}`, async ({
    page,
    matterdesk,
  }) => {
    const { user } = await registerPair(matterdesk);
    await putInTray(matterdesk, user, 'One.pdf');
    await matterdesk.signIn(page, user);
    await page.goto('/dashboard/to-file');
    const dismiss = page.getByRole('button', { name: 'Not for a matter' });
    await expect(dismiss).toBeVisible();
    await page.keyboard.press('Alt+c');
    await page.getByRole('button', { name: 'Make small' }).click();
    const pill = await page.getByRole('button', { name: 'Open the call' }).boundingBox();
    const button = await dismiss.boundingBox();
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(pill?.y ?? 0);
    await dismiss.click();
    await expect(page.getByText('Nothing to file')).toBeVisible();
  });
