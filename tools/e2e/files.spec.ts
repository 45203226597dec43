import { expect, type Locator, type Page } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { NOT_READY } from '@matterdesk/contract/ai.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { sendFile } from '@matterdesk/server/testing/uploads.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible, toast } from './support/expect.ts';
import { type Firm, holdRequests, test } from './support/fixtures.ts';
import { openTab } from './support/matters.ts';

const POLICY = `Insurance of Northline

The policy issued by Meridian Mutual, number CA-4471902, is limited to one million dollars per occurrence.

The tractor was inspected in Albany on the ninth of March by the state police.`;

test('a folder requires a name, and stays although it is empty', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page);
  await page.getByRole('button', { name: 'Add Folder' }).click();
  await expect(page.getByText('Please add folder name.')).toBeVisible();
  await addFolder(page, 'Pleadings');
  await expect(toast(page, 'Folder created')).toBeVisible();
  await addFolder(page, 'pleadings');
  await expect(files(page).getByText('Folder already exists')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Pleadings 0 files' })).toBeVisible();
  await expectAccessible(page);
});

test('a name that is typed while another folder is being added stays, and so does the focus', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page);
  const release = await holdRequests(page, '**/files/createFolder');
  await addFolder(page, 'Pleadings');
  const name = page.getByRole('textbox', { name: 'Folder name' });
  await expect(name).toBeFocused();
  await name.fill('Discovery');
  const tab = page.getByRole('tab', { name: 'Files' });
  await tab.focus();
  release();
  await expect(toast(page, 'Folder created')).toBeVisible();
  await expect(name).toHaveValue('Discovery');
  await expect(tab).toBeFocused();
});

test('several files of one name are all kept, and open in another tab', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Medical');
  await upload(page, 'Medical', [
    ['bill.txt', 'first'],
    ['bill.txt', 'second'],
  ]);
  await expect(page.getByRole('link', { name: 'bill (2).txt' })).toBeVisible();
  await page.getByRole('link', { name: 'bill.txt' }).click();
  const preview = page.getByRole('region', { name: 'bill.txt' });
  await expect(preview.getByText(/first|second/)).toBeVisible();
  const opened = page.waitForEvent('popup');
  await preview.getByRole('link', { name: 'Open in a new tab' }).click();
  await expect((await opened).getByText(/first|second/)).toBeVisible();
});

test('files dropped on a folder are uploaded to it', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page, 'Evidence');
  const carried = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const name of ['one.txt', 'two.txt']) transfer.items.add(new File([name], name));
    return transfer;
  });
  const folder = page.getByRole('button', { name: /^Evidence/ });
  await folder.dispatchEvent('dragover', { dataTransfer: carried });
  await folder.dispatchEvent('drop', { dataTransfer: carried });
  await expect(page.getByRole('link', { name: 'one.txt' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'two.txt' })).toBeVisible();
});

test('a failed upload can be retried, and a running one canceled', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page, 'Evidence');
  await page.route('**/files/uploadFile', (route) => route.abort());
  await upload(page, 'Evidence', [['lost.txt', 'words']]);
  const again = page.getByRole('button', { name: 'Upload lost.txt again' });
  await expect(again).toBeVisible();
  await page.unroute('**/files/uploadFile');
  await again.click();
  await expect(page.getByRole('link', { name: 'lost.txt' })).toBeVisible();
  await page.route('**/files/uploadFile', () => undefined);
  await upload(page, 'Evidence', [['slow.txt', 'words']]);
  await expect(page.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel upload of slow.txt' }).click();
  await expect(page.getByText('slow.txt')).toBeHidden();
});

test('an upload in an ended session signs the user out', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page, 'Medical');
  await keepOffline(page);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Medical/ })).toBeVisible();
  // Whatever the page still reads in the ended session would sign the user out before the upload.
  await page.waitForLoadState('networkidle');
  const token = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('redux-user') ?? '{}') as { token: string }).token,
  );
  await matterdesk.call(accountRoutes.logout, { token });
  await upload(page, 'Medical', [['a.txt', 'a']]);
  await expect(page.getByText('Logging out - Invalid token')).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('files are uploaded without a folder, renamed and moved, and Undo puts one back', async ({
  matterdesk,
  page,
}) => {
  const { caseName } = await openCase(matterdesk, page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: caseName }).first().click();
  await openTab(page, 'Files');
  const chooser = page.waitForEvent('filechooser');
  await files(page).getByRole('button', { name: 'Upload files' }).click();
  await (
    await chooser
  ).setFiles(
    ['one.txt', 'two.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    })),
  );
  await expect(page.getByRole('button', { name: 'Documents 2 files' })).toBeVisible();
  await page.getByRole('button', { name: 'More for one.txt' }).click();
  await page.getByRole('menuitem', { name: 'Rename or move' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename or move' });
  await expectAccessible(page);
  await dialog.getByLabel('File name').fill('Bill of March');
  await dialog.getByLabel('Folder').fill('Medical');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Medical 1 file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Documents 1 file' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Documents 2 files' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'one.txt' })).toBeVisible();
});

test('Undo restores a deleted file', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page, 'Medical');
  await upload(page, 'Medical', [['bill.txt', 'words']]);
  await page.getByRole('button', { name: 'More for bill.txt' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'bill.txt' })).toBeHidden();
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  const activity = page.getByRole('listitem').filter({ hasText: 'bill.txt' });
  await expect(activity.filter({ hasText: 'added bill.txt' })).toBeVisible();
  await expect(activity.filter({ hasText: 'deleted bill.txt' })).toBeVisible();
  await undo.press('Enter');
  await expect(activity.filter({ hasText: 'restored bill.txt' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'bill.txt' })).toBeFocused();
});

test('another user’s upload appears by itself', async ({ matterdesk, page, browser }) => {
  await openCase(matterdesk, page, 'Medical');
  const context = await browser.newContext();
  const second = await context.newPage();
  await matterdesk.signIn(second, await matterdesk.register());
  await second.goto(page.url());
  await upload(second, 'Medical', [['bill.txt', 'words']]);
  await expect(page.getByRole('link', { name: 'bill.txt' })).toBeVisible();
  await context.close();
});

test('Train AI reports failures with the specification’s sentences', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Insurance');
  await upload(page, 'Insurance', [['policy.txt', POLICY]]);
  const train = page.getByRole('button', { name: 'Train AI' });
  await page.route('**/ai/generate-embedding', (route) => route.abort());
  await train.click();
  await expect(toast(page, 'Error training AI model')).toBeVisible();
  await page.unroute('**/ai/generate-embedding');
  await page.route('**/ai/generate-embedding', (route) => route.fulfill({ json: { status: 200 } }));
  await train.click();
  await expect(toast(page, 'Unexpected response from server')).toBeVisible();
  await page.unroute('**/ai/generate-embedding');
  await page.route('**/ai/generate-embedding', (route) =>
    route.fulfill({ json: { status: '200', message: 'Training started' } }),
  );
  await page.route('**/ai/check_embeddings', (route) => route.abort());
  await train.click();
  await expect(toast(page, 'Training started')).toBeVisible();
  await expect(toast(page, 'Error checking model status.')).toBeVisible();
  await expect(train).toBeVisible();
});

test('all files of a folder and of the case are trained with one click each', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Medical');
  const written = (names: string[]) =>
    names.map((name): [string, string] => [`${name}.txt`, `Report ${name} of the tow truck.`]);
  await upload(page, 'Medical', written(['one', 'two']));
  await addFolder(page, 'Police');
  await page.getByRole('button', { name: 'Police 0 files' }).click();
  await upload(page, 'Police', written(['three', 'four', 'five']));
  await expect(page.getByRole('link', { name: 'three.txt' })).toBeVisible();
  const chats = files(page).getByRole('button', { name: 'Chat', exact: true });
  await page.getByRole('button', { name: 'Train all in Medical' }).press('Enter');
  await expect(chats).toHaveCount(2, { timeout: 20_000 });
  // Held back, so that the progress stays.
  const release = await holdRequests(page, '**/files/train');
  const all = page.getByRole('button', { name: 'Train all 3 files' });
  await all.press('Enter');
  await expect(files(page).getByText('0 of 3 trained')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Training', exact: true })).toBeVisible();
  release();
  await expect(chats).toHaveCount(5, { timeout: 20_000 });
  await expect(page.getByRole('button', { name: /^Train all/ })).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await expectAccessible(page);
});

test('files are found by name and text while typing, and a preview has an address', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Insurance');
  await trainPolicy(page);
  await upload(page, 'Insurance', [
    ['Tractor photos.txt', 'unread'],
    ['bill.txt', 'unread'],
  ]);
  const rows = files(page).getByRole('list', { name: 'Files found' }).getByRole('listitem');
  const search = page.getByRole('searchbox', { name: 'Search names and text' });
  await expect(files(page).getByRole('status').getByText('3 files')).toBeVisible();
  await search.fill('tractor');
  await expect(rows).toHaveText([/^policy\.txt/, /^Tractor photos\.txt/]);
  await expect(files(page).getByText('2 of 3 files')).toBeVisible();
  await search.fill('albany TRACT');
  await expect(rows).toHaveText([/The tractor was inspected in Albany on the ninth/]);
  await expect(rows.locator('mark')).toHaveText(['tract', 'Albany']);
  await expectAccessible(page);
  await search.fill('nowhere at all');
  await expect(files(page).getByText('No files found')).toBeVisible();
  await search.press('Escape');
  const row = page.getByRole('link', { name: 'policy.txt' });
  await row.click();
  const preview = page.getByRole('region', { name: 'policy.txt' });
  await expect(preview).toBeVisible();
  await expect(page).toHaveURL(/\?folder=Insurance&file=policy\.txt$/);
  await preview.getByRole('button', { name: 'Previous file' }).click();
  const other = page.getByRole('region', { name: 'bill.txt' });
  await expect(other).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'bill.txt' })).toBeFocused();
  await page.goForward();
  await page.reload();
  await expect(other).toBeVisible();
  await expect(other.getByText('unread')).toBeVisible();
  await other.getByRole('button', { name: 'Close preview' }).click();
  await expect(other).toBeHidden();
  await expect(page.getByRole('link', { name: 'bill.txt' })).toBeFocused();
});

test('a trained file answers with the sentence and its page', async ({ matterdesk, page }) => {
  await openCase(matterdesk, page, 'Insurance');
  await trainPolicy(page);
  const open = page.getByRole('button', { name: 'Chat', exact: true });
  await open.click();
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await expect(chat.getByText('Hello! How can I assist you today?')).toBeVisible();
  const input = chat.getByRole('textbox');
  await expect(input).toBeFocused();
  await input.press('Enter');
  await expect(toast(page, NOT_READY)).toBeVisible();
  await ask(chat, 'What is the limit of the policy per occurrence?');
  await expect(input).toHaveValue('');
  await expect(chat.locator('mark')).toContainText('one million dollars per occurrence');
  await expectAccessible(page);
  await page.reload();
  await expect(chat.locator('mark')).toContainText('one million dollars per occurrence');
  await chat.getByRole('button', { name: 'Page 1', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'policy.txt' });
  await expect(preview.locator('mark')).toContainText('one million dollars per occurrence');
  await expect(preview.locator('mark')).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await chat.getByRole('button', { name: 'Minimize chat' }).click();
  await expect(input).toBeHidden();
  await chat.getByRole('button', { name: 'Restore chat' }).click();
  await input.press('Escape');
  await expect(chat).toBeHidden();
  await open.click();
  await expect(chat.locator('mark')).toBeVisible();
  await input.press('Escape');
  await expect(open).toBeFocused();
});

test('a question about the whole case names the file of each passage', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Insurance');
  await trainPolicy(page);
  await page.getByRole('button', { name: 'Ask this case' }).click();
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await ask(chat, 'What is the limit of the policy per occurrence?');
  await expect(chat.getByRole('button', { name: 'policy.txt, Page 1' }).first()).toBeVisible();
});

test('no chat opens during training, and a failed check is reported', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Insurance');
  await trainPolicy(page);
  const open = page.getByRole('button', { name: 'Chat', exact: true });
  await page.route('**/ai/check_embeddings', (route) =>
    route.fulfill({ json: { status: 202, message: 'Still training' } }),
  );
  await open.click();
  await expect(toast(page, 'Still training')).toBeVisible();
  await page.unroute('**/ai/check_embeddings');
  await page.route('**/ai/check_embeddings', (route) => route.abort());
  await open.click();
  await expect(toast(page, 'Error enabling chat')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'AI Chat' })).toBeHidden();
});

test('answers are plain text, and unsupported sentences are marked', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page, 'Insurance');
  await trainPolicy(page);
  const answer = '<img src=x onerror=alert(1)> See [here](https://example.com).';
  await page.route('**/ai/chat', (route) =>
    route.fulfill({
      json: {
        answer,
        citations: [],
        found: true,
        confidence: 'possible',
        mode: 'generated',
        notice: 'The model did not answer.',
        unsupported: [{ start: 29, end: answer.length }],
      },
    }),
  );
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await ask(chat, 'Anything?');
  await expect(chat.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await expect(chat.getByText('(no source)')).toBeVisible();
  await expect(chat.getByText('The model did not answer.')).toBeVisible();
  expect(await chat.locator('img, a').count()).toBe(0);
  await page.unroute('**/ai/chat');
  await page.route('**/ai/chat', (route) => route.abort());
  await ask(chat, 'And now?');
  await expect(toast(page, 'Something went wrong in sending message.')).toBeVisible();
});

async function openCase(firm: Firm, page: Page, folder?: string) {
  const admin = await firm.register({ role: 'admin' });
  const opened = await firm.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  const { id } = opened.case;
  if (folder !== undefined)
    await firm.call(fileRoutes.createFolder, { token: admin.token, body: { caseId: id, folder } });
  await firm.signIn(page, admin);
  await page.goto(`${firm.url}/dashboard/caseDetails/${id}`);
  await openTab(page, 'Files');
  return opened.case;
}

async function addFolder(page: Page, name: string) {
  await page.getByRole('textbox', { name: 'Folder name' }).fill(name);
  await page.getByRole('button', { name: 'Add Folder' }).click();
}

async function upload(page: Page, folder: string, chosen: [name: string, text: string][]) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Upload to ${folder}` }).click();
  await (
    await chooser
  ).setFiles(
    chosen.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
  );
}

async function trainPolicy(page: Page) {
  await upload(page, 'Insurance', [['policy.txt', POLICY]]);
  await page.getByRole('button', { name: 'Train AI' }).click();
  await expect(page.getByRole('button', { name: 'Chat', exact: true })).toBeVisible({
    timeout: 20_000,
  });
}

async function ask(chat: Locator, question: string) {
  await chat.getByRole('textbox').fill(question);
  await chat.getByRole('textbox').press('Enter');
}

function files(page: Page) {
  return page.getByRole('region', { name: 'Files' });
}

const lease = (sum: string) => `The tenant pays a monthly rent of ${sum} dollars.`;

test('a file gets a new version, an answer keeps its page, and an earlier version is restored', async ({
  matterdesk,
  page,
}) => {
  await openLease(matterdesk, page);
  await page.getByRole('button', { name: 'Train AI' }).click();
  const chatButton = page.getByRole('button', { name: 'Chat', exact: true });
  await expect(chatButton).toBeVisible({ timeout: 20_000 });
  await chatButton.click();
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await chat.getByRole('textbox').fill('What is the monthly rent?');
  await chat.getByRole('button', { name: 'Send' }).click();
  await expect(chat.locator('mark')).toContainText('1,200 dollars');
  await expect(chat.getByText('not the newest')).toBeHidden();

  await chooseVersion(page, 'Lease, amended.txt', lease('1,350'));
  await expect(toast(page, 'New version of Lease.txt uploaded')).toBeVisible();
  await expect(page.getByTitle('Version 2')).toHaveText('v2');
  await expect(chat.getByText('From version 1, not the newest')).toBeVisible();
  await expect(chatButton).toBeVisible({ timeout: 20_000 });
  await chat.getByRole('button', { name: 'Page 1', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'Lease.txt' });
  await expect(preview.getByText('Version 1. The newest is version 2.')).toBeVisible();
  await expect(preview.locator('mark')).toContainText('1,200 dollars');
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Show the newest' }).click();
  await expect(preview.getByText(lease('1,350'))).toBeVisible();
  await expect(preview.getByText('The newest is')).toBeHidden();
  await preview.getByRole('button', { name: 'Close preview' }).click();
  await chat.getByRole('button', { name: 'Close chat' }).click();

  await openMenu(page, 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Version 2\s*Newest/, /Version 1/]);
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(toast(page, 'Version 1 restored as version 3')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Open version 2' }).click();
  await expect(preview.getByText(lease('1,350'))).toBeVisible();
  await expect(preview.getByText('Version 2. The newest is version 3.')).toBeVisible();
  await preview.getByRole('button', { name: 'Close preview' }).click();
  await page.getByRole('link', { name: 'Lease.txt', exact: true }).click();
  await expect(preview.getByText(lease('1,200'))).toBeVisible();
});

test('a new version that is refused says why, beside its file', async ({ matterdesk, page }) => {
  await openLease(matterdesk, page);
  await chooseVersion(page, 'Lease.txt', lease('1,200'));
  await expect(page.getByText('The newest version has this content already')).toBeVisible();
  await page.getByRole('button', { name: 'Forget Lease.txt' }).click();
  await chooseVersion(page, 'Lease.csv', 'a,b');
  await expect(page.getByText('A new version of Lease.txt must be a .txt file')).toBeVisible();
  await page.getByRole('button', { name: 'Forget Lease.csv' }).click();
  await expect(page.getByTitle(/^Version/)).toBeHidden();
});

/** A matter with one file, opened from the dashboard. */
async function openLease(firm: Firm, page: Page) {
  const admin = await firm.register({ role: 'admin' });
  const { token } = admin;
  const { case: opened } = await firm.call(caseRoutes.openCase, { token, body: newCase() });
  const file = { name: 'Lease.txt', bytes: Buffer.from(lease('1,200')) };
  const place = { token, caseId: opened.id, folder: 'Documents' };
  expect(await sendFile(createClient(firm.url), place, file)).toMatchObject({ status: 201 });
  await firm.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: opened.caseName }).first().click();
  await openTab(page, 'Files');
  await expect(page.getByRole('link', { name: 'Lease.txt', exact: true })).toBeVisible();
}

async function openMenu(page: Page, item: string) {
  await page.getByRole('button', { name: 'More for Lease.txt' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseVersion(page: Page, name: string, text: string) {
  const chooser = page.waitForEvent('filechooser');
  await openMenu(page, 'Upload new version');
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await (await chooser).setFiles([file]);
}
